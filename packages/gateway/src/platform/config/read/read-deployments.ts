import type { Deployment, DeploymentTimeouts } from "../../../contract/deployment.ts";
import { defined, isJsonObject, type JsonObject } from "../../../contract/json.ts";
import { nameHint } from "../../../util/nearest-name.ts";
import { sha256 } from "../../../util/sha256.ts";
import { ownBudget, withBudgets } from "../deployment-budgets.ts";
import type { ConfigPath } from "../document/config-document.ts";
import type { ProblemReport } from "../document/problem-report.ts";
import { type Section, sectionOf } from "../document/sections.ts";
import type { Credentials, RouterSettings } from "../gateway-config.ts";
import {
  callDefaults,
  deploymentOptions,
  entryOptions,
  passedOnOptions,
  providerParameters,
  providerSettings,
} from "../options/deployment-options.ts";
import type { Settings } from "../options/option.ts";
import { isOtherPrice, priceOptions, variedPriceOptions } from "../options/price-options.ts";
import { readOptions, warnOfUnknown } from "./read-options.ts";
import { readPrices } from "./read-prices.ts";

type DeploymentSettings = Settings<typeof deploymentOptions>;

/** What entries of `model_list` refer to. */
export interface Surroundings {
  /** By `credential_name`. */
  readonly credentials: Credentials;
  readonly router: RouterSettings;
  /** Names that a model's prefix may have, others raise a warning; absent where nobody knows. */
  readonly providers: readonly string[] | undefined;
}

/**
 * The deployments of `model_list`, in its order; entries with errors are reported and left out.
 * @param root the whole configuration
 */
export function readDeployments(
  document: ProblemReport,
  root: JsonObject,
  { credentials, router, providers }: Surroundings,
): Deployment[] {
  const list = root.model_list;
  const surroundings = { credentials, router, providers };
  if (list === undefined || list === null) return [];
  if (!Array.isArray(list)) {
    document.error(["model_list"], "expected a list of models");
    return [];
  }
  const seen = new Map<string, number>();
  const deployments: Deployment[] = [];
  for (const [index, entry] of list.entries()) {
    const deployment = readDeployment(document, entry, ["model_list", index], surroundings);
    if (deployment === undefined) continue;
    const { info } = deployment;
    const id = info.id === undefined ? freeId(deployment.id, seen) : deployment.id;
    const twin = seen.get(id);
    if (twin !== undefined) {
      const message = `has the id of model_list[${twin}]; give each entry a model_info.id of its own`;
      document.error(["model_list", index], message);
    }
    seen.set(id, index);
    deployments.push(id === deployment.id ? deployment : renamed(deployment, id, router));
  }
  return deployments;
}

/** Entries that differ in nothing but their key are numbered, so that each keeps its id when its key is rotated. */
function freeId(id: string, taken: ReadonlyMap<string, number>): string {
  for (let number = 1, free = id; ; free = sha256(`${id}:${number}`).slice(0, 32)) {
    if (!taken.has(free)) return free;
    number += 1;
  }
}

/** Its own budget has its id, too. */
function renamed(deployment: Deployment, id: string, { providerBudgetConfig }: RouterSettings): Deployment {
  const { budgets: _, ...rest } = deployment;
  return withBudgets({ ...rest, id }, ownBudget(deployment) ?? {}, providerBudgetConfig);
}

/** Parameters that are not for the provider's requests. */
const ownKeys: ReadonlySet<string> = new Set(
  Object.keys({ ...deploymentOptions, ...priceOptions, ...variedPriceOptions }),
);
/** Parameters that are not read by the table of deployments. */
const passedOnKeys: readonly string[] = [
  ...Object.keys(passedOnOptions),
  ...callDefaults,
  ...providerSettings,
  ...providerParameters,
  ...Object.keys(priceOptions),
  ...Object.keys(variedPriceOptions),
];

const entryKeys: readonly string[] = [
  "model_name",
  "litellm_params",
  "gateway_params",
  "model_info",
  ...Object.keys(entryOptions),
];

/** One entry of `model_list`; `undefined` for one that is none. */
export function readDeployment(
  document: ProblemReport,
  entry: unknown,
  path: ConfigPath,
  surroundings: Surroundings,
): Deployment | undefined {
  if (!isJsonObject(entry)) {
    document.error(path, "expected a map with model_name and litellm_params");
    return undefined;
  }
  warnOfUnknown(document, entry, path, entryKeys);
  const modelName = entry.model_name;
  if (typeof modelName !== "string" || modelName === "") {
    document.error([...path, "model_name"], "expected the name that callers use");
    return undefined;
  }
  const own = sectionOf(document, entry, path, "gateway_params", "litellm_params");
  const params = { path: own.path, value: withDefaults(document, own, surroundings) };
  const info = modelInfo(sectionOf(document, entry, path, "model_info"), params);
  const beside = readOptions(document, entry, path, entryOptions, Object.keys(entry));
  const furtherKeys = Object.keys(params.value).filter(isOtherPrice);
  const settings = readOptions(
    document,
    params.value,
    params.path,
    deploymentOptions,
    furtherKeys.length === 0 ? passedOnKeys : [...passedOnKeys, ...furtherKeys],
    "fields for the provider's requests belong in extra_body",
  );
  readOptions(document, params.value, params.path, passedOnOptions, Object.keys(params.value));
  if (settings.model === "") {
    document.error(
      [...params.path, "model"],
      "expected `provider/name`, indented further than litellm_params",
    );
    return undefined;
  }
  const { provider, model } = splitModel(settings.model, settings.customLlmProvider, params.value);
  warnOfUnknownProvider(document, [...params.path, "model"], provider, surroundings.providers);
  warnOfAddress(document, [...params.path, "api_base"], settings.apiBase);
  warnOfMode(document, [...path, "model_info", "mode"], info.value.mode);
  const deployment: Deployment = {
    id: deploymentId(document, modelName, own.value, info.value, info.path),
    modelName,
    provider,
    model,
    apiBase: settings.apiBase,
    apiKey: settings.apiKey,
    apiVersion: settings.apiVersion,
    region: settings.regionName,
    rpm: settings.rpm ?? beside.rpm,
    tpm: settings.tpm ?? beside.tpm,
    maxParallelRequests: settings.maxParallelRequests ?? surroundings.router.defaultMaxParallelRequests,
    weight: settings.weight,
    order: settings.order,
    timeouts: filled(timeoutsOf(settings)),
    prices: filled(readPrices(document, params, info)),
    params: filled(Object.fromEntries(Object.entries(params.value).filter(([key]) => !ownKeys.has(key)))),
    info: filled(info.value),
    ...defined({ mockResponse: settings.mockResponse }),
  };
  const budget = { maxBudget: settings.maxBudget, budgetDuration: settings.budgetDuration };
  return withBudgets(deployment, defined(budget), surroundings.router.providerBudgetConfig);
}

const NOTHING = Object.freeze({});

/**
 * What an entry says nothing of is one object for all entries: of 10,000, each with four of its own, a reload would keep twice
 * as much, and the collections of garbage that copy it would hold up calls twice as long.
 */
function filled<Given extends object>(given: Given): Given {
  return Object.keys(given).length === 0 ? (NOTHING as Given) : given;
}

/** `base_model` may stand among the parameters. */
function modelInfo({ value, path }: Section, { value: params }: Section): Section {
  const { base_model: base } = params;
  return { path, value: base === undefined ? value : { base_model: base, ...value } };
}

/** The entry's own parameters over those of its credential, and these over the router's defaults. */
function withDefaults(
  document: ProblemReport,
  { value, path }: Section,
  surroundings: Surroundings,
): JsonObject {
  const { litellm_credential_name: name, ...own } = value;
  const defaults = surroundings.router.defaultLitellmParams;
  if (name === undefined) return { ...defaults, ...own };
  const credential = surroundings.credentials.get(String(name));
  if (credential === undefined) {
    const message =
      path.length === 0
        ? "there is no such credential; POST /credentials makes one"
        : "names no credential of credential_list";
    document.error([...path, "litellm_credential_name"], message);
  }
  return { ...defaults, ...credential, ...own };
}

function warnOfUnknownProvider(
  document: ProblemReport,
  path: ConfigPath,
  provider: string,
  providers: readonly string[] | undefined,
): void {
  if (providers === undefined || provider === "*" || providers.includes(provider)) return;
  const hint = nameHint(provider, providers);
  document.warnOfFailure(
    path,
    `the provider ${provider} is not known here, so calls of this model fail${hint}`,
  );
}

function warnOfAddress(document: ProblemReport, path: ConfigPath, address: string | undefined): void {
  if (address === undefined || address === "") return;
  const protocol = URL.parse(address)?.protocol;
  if (protocol === "http:" || protocol === "https:") return;
  const hint = /^[\w.-]+(?::\d+)?(?:\/|$)/.test(address) ? "; write http:// or https:// before it" : "";
  document.warnOfFailure(path, `is not an http(s) address, so calls of this model fail${hint}`);
}

/** LiteLLM's modes of models that no endpoint of the gateway calls. */
const MODES_WITHOUT_ENDPOINT = new Set([
  "image_generation",
  "image_edit",
  "audio_transcription",
  "audio_speech",
  "moderation",
  "rerank",
  "realtime",
  "completion",
  "search",
  "ocr",
  "vector_store",
]);

function warnOfMode(document: ProblemReport, path: ConfigPath, mode: unknown): void {
  if (typeof mode !== "string" || !MODES_WITHOUT_ENDPOINT.has(mode)) return;
  document.warn(path, `no endpoint here calls models of the mode ${mode}`);
}

/** Bedrock's own names: the maker before a dot, perhaps behind the region of an inference profile. */
const bedrockId =
  /^(?:[a-z-]{2,6}\.)?(?:ai21|amazon|anthropic|cohere|deepseek|meta|mistral|openai|qwen)\.[\w.:-]+$/;

/** `azure/gpt-4o` as provider and model; a bare name belongs to the provider its name is known for. */
function splitModel(
  text: string,
  provider: string | undefined,
  params: JsonObject,
): { provider: string; model: string } {
  if (provider !== undefined) {
    const prefix = `${provider}/`;
    return { provider, model: text.startsWith(prefix) ? text.slice(prefix.length) : text };
  }
  // The default deployment of every provider: the name says which one.
  if (text === "*") return { provider: "*", model: "*" };
  const slash = text.indexOf("/");
  if (slash > 0) return { provider: text.slice(0, slash), model: text.slice(slash + 1) };
  if (text.startsWith("claude")) return { provider: "anthropic", model: text };
  if (text.startsWith("gemini")) {
    const isVertex = Object.keys(params).some((key) => key.startsWith("vertex_"));
    return { provider: isVertex ? "vertex_ai" : "gemini", model: text };
  }
  if (bedrockId.test(text)) return { provider: "bedrock", model: text };
  return { provider: "openai", model: text };
}

/**
 * `model_info.id`, else a hash of the entry without its secrets, so that a rotated one keeps the deployment's identity, and
 * without its budget: what is spent of that stays spent when it is changed.
 */
function deploymentId(
  document: ProblemReport,
  modelName: string,
  params: JsonObject,
  info: JsonObject,
  infoPath: ConfigPath,
): string {
  const id = info.id;
  if (typeof id === "string" && /^[\w.:/@-]{1,128}$/.test(id)) return id;
  if (typeof id === "number") return String(id);
  if (id !== undefined && id !== null)
    document.error([...infoPath, "id"], "expected up to 128 letters, digits or . : / @ _ -");
  const entries = sortedEntries(params).filter(([name]) => !NOT_OF_IDENTITY.has(name));
  return sha256(JSON.stringify([modelName, entries])).slice(0, 32);
}

/** Secrets, which are rotated, and budgets. */
const NOT_OF_IDENTITY: ReadonlySet<string> = new Set([
  "api_key",
  "client_secret",
  "azure_ad_token",
  "aws_access_key_id",
  "aws_secret_access_key",
  "aws_session_token",
  "aws_web_identity_token",
  "vertex_credentials",
  "vertex_ai_credentials",
  "max_budget",
  "budget_duration",
]);

function sortedEntries(params: JsonObject): [string, unknown][] {
  return Object.entries(params).sort(([left], [right]) => (left < right ? -1 : 1));
}

function timeoutsOf(settings: DeploymentSettings): DeploymentTimeouts {
  return {
    ...(settings.connectTimeout === undefined ? {} : { connect: settings.connectTimeout }),
    ...(settings.streamTimeout === undefined ? {} : { firstByte: settings.streamTimeout }),
    ...(settings.chunkTimeout === undefined ? {} : { betweenChunks: settings.chunkTimeout }),
    ...(settings.timeout === undefined ? {} : { whole: settings.timeout }),
  };
}
