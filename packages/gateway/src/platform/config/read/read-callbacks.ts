import { isJsonObject, type JsonObject, objectOf, parseJsonObject } from "../../../contract/json.ts";
import type { ConfigDocument } from "../document/config-document.ts";
import { callbackOptions } from "../options/callback-options.ts";
import type { Settings } from "../options/option.ts";
import { type CallbackLists, headersIn } from "../options/otlp-targets.ts";
import { readHeaders } from "./read-headers.ts";
import { readOptions } from "./read-options.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** LiteLLM's name for an address of the environment, and its earlier one. */
const BY_ENVIRONMENT = ["generic_api", "generic"];

/** Where records of calls are posted (LiteLLM's `generic_api`). */
export interface RecordTarget {
  /** Among the callbacks. */
  readonly name: string;
  readonly url: string;
  /** Names in small letters; may carry secrets. */
  readonly headers: Readonly<Record<string, string>>;
  readonly ofSuccesses: boolean;
  readonly ofFailures: boolean;
  readonly format: Settings<typeof callbackOptions>["logFormat"];
  /** Records of one request at most. */
  readonly batchSize: number;
  /** Seconds. */
  readonly flushInterval: number;
  readonly timeout: number;
}

/** The targets that the callbacks name, and every name that stands for one, also where it lacks an address. */
export interface ReadCallbacks {
  readonly targets: readonly RecordTarget[];
  readonly names: readonly string[];
}

/**
 * `callback_settings`, and LiteLLM's variables for a target that stands in none of them.
 * @see https://docs.litellm.ai/docs/observability/generic_api
 */
export function readCallbacks(
  document: ConfigDocument,
  root: JsonObject,
  lists: CallbackLists,
  environment: Environment,
): ReadCallbacks {
  const section = root.callback_settings ?? {};
  if (!isJsonObject(section)) document.error(["callback_settings"], "expected a map");
  const entries = Object.entries(objectOf(section));
  const listed = new Set([...lists.callbacks, ...lists.successCallback, ...lists.failureCallback]);
  const targets: RecordTarget[] = [];
  const names: string[] = [];
  for (const [name, entry] of entries) {
    const at = ["callback_settings", name];
    if (!isJsonObject(entry) || entry.callback_type !== "generic_api") {
      document.warn(at, "has no effect here: expected `callback_type: generic_api`");
      continue;
    }
    names.push(name);
    if (!listed.has(name)) document.warn(at, "has no effect: its name is not among the callbacks");
    const settings = readOptions(document, entry, at, callbackOptions);
    const unknown = settings.eventTypes.findIndex(
      (type) => !callbackOptions.event_types.initial.includes(type),
    );
    if (unknown !== -1)
      document.error(
        [...at, "event_types", unknown],
        `expected one of ${callbackOptions.event_types.initial.join(", ")}`,
      );
    const headers = readHeaders(document, settings.headers, [...at, "headers"], environment);
    addTarget(document, targets, { name, at, lists, settings: { ...settings, headers } });
  }
  for (const name of BY_ENVIRONMENT.filter((each) => !names.includes(each))) {
    names.push(name);
    if (!listed.has(name)) continue;
    const settings = readOptions(document, {}, [], callbackOptions);
    const at = ["environment_variables", "GENERIC_LOGGER_HEADERS"];
    const given = headersOf(environment.GENERIC_LOGGER_HEADERS);
    if (given === undefined) document.error(at, "expected name=value,name=value or a JSON object");
    const headers = readHeaders(document, given ?? {}, at, environment);
    const endpoint = environment.GENERIC_LOGGER_ENDPOINT ?? "";
    addTarget(document, targets, { name, at, lists, settings: { ...settings, endpoint, headers } });
  }
  return { targets, names };
}

interface NamedSettings {
  readonly name: string;
  readonly at: readonly string[];
  readonly lists: CallbackLists;
  readonly settings: Settings<typeof callbackOptions>;
}

function addTarget(
  document: ConfigDocument,
  targets: RecordTarget[],
  { name, at, lists, settings }: NamedSettings,
): void {
  const { endpoint, headers, eventTypes, logFormat, batchSize, flushInterval, timeout } = settings;
  const isOf = (list: readonly string[], type: string): boolean =>
    (lists.callbacks.includes(name) || list.includes(name)) && eventTypes.includes(type);
  const ofSuccesses = isOf(lists.successCallback, "llm_api_success");
  const ofFailures = isOf(lists.failureCallback, "llm_api_failure");
  if (endpoint === "") {
    const needed = at[0] === "callback_settings" ? "endpoint" : "GENERIC_LOGGER_ENDPOINT in the environment";
    document.warn(at, `${name} needs ${needed}; no records go there`);
    return;
  }
  const url = URL.parse(endpoint);
  const place = at[0] === "callback_settings" ? [...at, "endpoint"] : [at[0]!, "GENERIC_LOGGER_ENDPOINT"];
  if (url === null || !/^https?:$/.test(url.protocol) || url.hash !== "")
    document.error(place, "expected an http(s) address");
  else if (url.username !== "" || url.password !== "")
    document.error(place, "must not carry credentials: give them in headers");
  else if (ofSuccesses || ofFailures)
    targets.push({
      name,
      url: url.href,
      headers,
      ofSuccesses,
      ofFailures,
      format: logFormat,
      batchSize,
      flushInterval,
      timeout,
    });
}

/** LiteLLM's pages have both forms: a JSON object, and `name=value,name=value`. */
function headersOf(text = ""): Record<string, string> | undefined {
  if (!text.trim().startsWith("{")) return headersIn(text);
  const headers = parseJsonObject(text);
  return headers && Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
