import { resolve } from "node:path";
import { expect, it } from "vitest";
import type { Flag } from "../src/cli/flags.ts";
import { serveFlags } from "../src/cli/serve-options.ts";
import { cacheOptions, cacheRedisOptions } from "../src/platform/config/options/cache-options.ts";
import { callbackOptions } from "../src/platform/config/options/callback-options.ts";
import {
  callDefaults,
  deploymentOptions,
  passedOnOptions,
  providerSettings,
} from "../src/platform/config/options/deployment-options.ts";
import { gatewayOptions } from "../src/platform/config/options/gateway-options.ts";
import { generalOptions } from "../src/platform/config/options/general-options.ts";
import { keyOptions } from "../src/platform/config/options/key-options.ts";
import type { OptionTable } from "../src/platform/config/options/option.ts";
import { passThroughOptions } from "../src/platform/config/options/pass-through-options.ts";
import { longInputs, pricedTiers, priceOptions } from "../src/platform/config/options/price-options.ts";
import { routerOptions } from "../src/platform/config/options/router-options.ts";
import { ssoOptions } from "../src/platform/config/options/sso-options.ts";
import { issuerOptions, tokenOptions } from "../src/platform/config/options/token-options.ts";
import { providerNames } from "../src/providers/registry.ts";

const reference = resolve(import.meta.dirname, "../../../docs/configuration.md");

const tierSuffixes = pricedTiers.map(({ suffix }) => `\`_${suffix}\``).join(", ");

function section(title: string, table: OptionTable): string[] {
  const options = Object.entries(table);
  const rows = options
    .filter(([, { shape }]) => shape !== "ignored" && shape !== "unenforced")
    .map(([key, { shape, initial, doc }]) => `| \`${key}\` | ${shape} | ${initialText(initial)} | ${doc} |`);
  const head =
    rows.length === 0 ? [] : ["| Key | Value | Default | Meaning |", "|---|---|---|---|", ...rows, ""];
  return [
    `## ${title}`,
    "",
    ...head,
    ...listOf("Limits of LiteLLM's that are not enforced; a warning says so:", options, "unenforced"),
    ...listOf("Accepted from LiteLLM's files without effect:", options, "ignored"),
  ];
}

function listOf(title: string, options: readonly [string, OptionTable[string]][], shape: string): string[] {
  const chosen = options.filter(([, option]) => option.shape === shape);
  if (chosen.length === 0) return [];
  return [title, "", ...chosen.map(([key, { doc }]) => `- \`${key}\`: ${doc}`), ""];
}

function initialText(initial: unknown): string {
  if (initial === undefined || initial === "") return "";
  return typeof initial === "object"
    ? Object.keys(initial as object).length === 0
      ? "none"
      : ""
    : `\`${initial}\``;
}

function document(): string {
  const flags = Object.entries<Flag>(serveFlags).map(
    ([name, { value, doc }]) => `| \`--${name}${value === undefined ? "" : ` ${value}`}\` | ${doc} |`,
  );
  return [
    "# Configuration",
    "",
    "Portico reads LiteLLM's `config.yaml` as it is. `gateway_params` and `litellm_params`, `gateway_settings` and",
    "`litellm_settings` are the same keys; `os.environ/NAME` reads the environment; a changed file is in force within",
    "two seconds. Unknown keys raise a warning, wrong values an error with file, line and column. `include` names further",
    "files, whose lists stand behind those of the first and whose settings win; `credential_list` holds parameters that",
    "deployments take over with `litellm_credential_name`. The master key may also stand in the environment as",
    "`PORTICO_MASTER_KEY` or `LITELLM_MASTER_KEY`. Every LiteLLM key that has no effect here is reported with file, line and",
    "column; where it was a limit, the warning says that it is not enforced. In `keys:` an unknown key is an error, because a",
    "misspelt restriction restricts nothing. `portico verify FILE --strict` lets warnings fail the check. This page is",
    "generated from the tables in `packages/gateway/src/platform/config/options`; a test keeps it up to date.",
    "",
    "## Command line",
    "",
    "| Flag | Meaning |",
    "|---|---|",
    ...flags,
    "",
    ...section("`model_list[].litellm_params`", {
      ...deploymentOptions,
      ...priceOptions,
      ...passedOnOptions,
    }),
    "The provider is one of these:",
    "",
    `${[...providerNames]
      .sort()
      .map((name) => `\`${name}\``)
      .join(", ")}.`,
    "",
    "[Providers](gateway/providers.md) says where each takes its address and its credentials from.",
    "",
    "Prices may stand in `model_info` too. Without them a call costs what the list of the package `genai-prices` says, which",
    "comes with the gateway and is never fetched: by length of the input, with caches and sound; batches at half the price.",
    "`model_info.base_model` names the model where the name at the provider does not say which it is, as on Azure;",
    "`model_info.access_groups` names groups, which keys may have in their `models` in place of the models in them.",
    "",
    "The first four prices may be others for long inputs, with `_above_200k_tokens` at the end of the key, or another of",
    `${longInputs.map((length) => `${length}k`).join(", ")}. LiteLLM's prices of pictures, characters or queries raise a warning.`,
    "",
    "A call is counted in the service tier that its answer names, whatever the request asked for. Prices of a tier are these",
    `keys, and \`input_cost_per_audio_token\`, with ${tierSuffixes} at the end.`,
    "Without them `flex` is half the standard price at OpenAI, Azure, Google and Amazon, and `priority` what OpenAI asks for",
    "the model, 1.8 times the price of Gemini's models and 1.75 times Amazon's. A tier without a price, such as Anthropic's",
    "committed capacity, counts at the standard price, and the log says so once.",
    "",
    "Defaults of requests, used where a request leaves them out:",
    "",
    `${callDefaults.map((name) => `\`${name}\``).join(", ")}.`,
    "",
    "Settings of single providers, which come before those of requests: `safety_settings` (Gemini, Vertex AI), and for Bedrock",
    `${providerSettings
      .slice(1)
      .map((name) => `\`${name}\``)
      .join(", ")}.`,
    "",
    ...section("`router_settings`", routerOptions),
    ...section("`gateway_settings` (`litellm_settings`)", gatewayOptions),
    ...section("`gateway_settings.cache_params`", { ...cacheOptions, ...cacheRedisOptions }),
    ...section("`callback_settings.NAME`", callbackOptions),
    "The callbacks name it: `callbacks`, or `success_callback` and `failure_callback`. `generic_api` among them is a target of",
    "`GENERIC_LOGGER_ENDPOINT` and `GENERIC_LOGGER_HEADERS`.",
    "",
    ...section("`general_settings`", generalOptions),
    ...section("`general_settings.pass_through_endpoints[]`", passThroughOptions),
    ...section("`general_settings.sso`", ssoOptions),
    "`role_mappings` and `jwt_litellm_role_map` are as below. Where the file has no `sso`, LiteLLM's variables count: GENERIC_*",
    "(GENERIC_ISSUER names an issuer), MICROSOFT_* and GOOGLE_CLIENT_ID with GOOGLE_CLIENT_SECRET.",
    "",
    ...section("`general_settings.litellm_jwtauth`", tokenOptions),
    "`issuers[]` lists whose tokens are accepted; without it JWT_PUBLIC_KEY_URL, JWT_AUDIENCE and JWT_ISSUER name one.",
    "`role_mappings[]` has `role` and `internal_role`, `jwt_litellm_role_map[]` has `jwt_role` and `litellm_role`,",
    "`scope_mappings[]` has `scope`, `models` and `routes`. [Signing in](gateway/sign-in.md) explains them.",
    "",
    ...section("`general_settings.litellm_jwtauth.issuers[]`", issuerOptions),
    ...section("`keys[]`", keyOptions),
  ].join("\n");
}

it("is documented option by option", async () => {
  await expect(document()).toMatchFileSnapshot(reference);
});
