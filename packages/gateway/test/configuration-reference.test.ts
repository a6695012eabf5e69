import { resolve } from "node:path";
import { expect, it } from "vitest";
import { serveFlags } from "../src/cli/serve-options.ts";
import type { OptionTable } from "../src/config/option.ts";
import { deploymentOptions } from "../src/config/options/deployment-options.ts";
import { gatewayOptions } from "../src/config/options/gateway-options.ts";
import { generalOptions } from "../src/config/options/general-options.ts";
import { keyOptions } from "../src/config/options/key-options.ts";
import { routerOptions } from "../src/config/options/router-options.ts";

const reference = resolve(import.meta.dirname, "../../../docs/configuration.md");

function section(title: string, table: OptionTable): string[] {
  const options = Object.entries(table);
  const rows = options
    .filter(([, option]) => option.shape !== "ignored")
    .map(([key, { shape, initial, doc }]) => `| \`${key}\` | ${shape} | ${initialText(initial)} | ${doc} |`);
  const ignored = options.filter(([, option]) => option.shape === "ignored");
  const lines = [`## ${title}`, "", "| Key | Value | Default | Meaning |", "|---|---|---|---|", ...rows, ""];
  if (ignored.length > 0)
    lines.push(
      "Accepted from LiteLLM's files without effect:",
      "",
      ...ignored.map(([key, { doc }]) => `- \`${key}\`: ${doc}`),
      "",
    );
  return lines;
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
  const flags = Object.entries(serveFlags).map(
    ([name, { value, doc }]) => `| \`--${name}${value === undefined ? "" : ` ${value}`}\` | ${doc} |`,
  );
  return [
    "# Configuration",
    "",
    "Portico reads LiteLLM's `config.yaml` as it is. `gateway_params` and `litellm_params`, `gateway_settings` and",
    "`litellm_settings` are the same keys; `os.environ/NAME` reads the environment; a changed file is in force within",
    "two seconds. Unknown keys raise a warning, wrong values an error with file, line and column. This page is",
    "generated from the tables in `packages/gateway/src/config/options`; a test keeps it up to date.",
    "",
    "## Command line",
    "",
    "| Flag | Meaning |",
    "|---|---|",
    ...flags,
    "",
    ...section("`model_list[].litellm_params`", deploymentOptions),
    ...section("`router_settings`", routerOptions),
    ...section("`gateway_settings` (`litellm_settings`)", gatewayOptions),
    ...section("`general_settings`", generalOptions),
    ...section("`keys[]`", keyOptions),
  ].join("\n");
}

it("is documented option by option", async () => {
  await expect(document()).toMatchFileSnapshot(reference);
});
