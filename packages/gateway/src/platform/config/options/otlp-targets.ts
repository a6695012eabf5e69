import type { GatewaySettings } from "../gateway-config.ts";
import { services, type TraceDestination, tracesAt } from "./otlp-services.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** What goes over OTLP, as OpenTelemetry's variables name it. */
export type Signal = "TRACES" | "METRICS" | "LOGS";

/** Where something goes over OTLP. */
export interface OtlpTarget {
  /** As the configuration names it. */
  readonly name: string;
  readonly url: string;
  /** May carry secrets. */
  readonly headers: Readonly<Record<string, string>>;
  /** It reads JSON alone, and nothing compressed. */
  readonly wantsJson?: boolean;
}

/** Among the callbacks, what means any collector. */
const COLLECTOR = "otel";

/** Any collector, by OpenTelemetry's variables or LiteLLM's. */
const collector: TraceDestination = {
  needs: [],
  own: { otel_endpoint: "OTEL_ENDPOINT", otel_headers: "OTEL_HEADERS" },
  ownNeeds: ["OTEL_ENDPOINT"],
  target: (env) => atCollector("TRACES", env),
};

/** By the names among the callbacks. */
const destinations: Readonly<Record<string, TraceDestination>> = { [COLLECTOR]: collector, ...services };

/** Names that `callbacks`, `success_callback` and `failure_callback` may have for it. */
export const traceDestinations: readonly string[] = Object.keys(destinations);

/** Variables that a destination needs and that are not set. */
export function missingFor(name: string, environment: Environment): readonly string[] {
  return (destinations[name]?.needs ?? []).filter((variable) => !environment[variable]);
}

/** Whether two names mean one service, such as `langfuse` and `langfuse_otel`. */
export function isSameService(one: string, other: string): boolean {
  const { needs, own } = destinations[one] ?? {};
  const others = destinations[other];
  return (
    one === other ||
    (needs !== undefined && needs.length > 0 && needs.join() === others?.needs.join() && own !== undefined)
  );
}

/** The names of `callback_vars` that a destination takes. */
export function ownVarsOf(name: string): readonly string[] {
  return Object.keys(destinations[name]?.own ?? {});
}

/**
 * Where spans go by what a team gives of its own, and by nothing else.
 * @throws Error that names what is missing
 */
export function ownTarget(name: string, vars: Readonly<Record<string, string>>): OtlpTarget {
  if (!Object.hasOwn(destinations, name)) throw new Error(`${name} is no destination of spans`);
  const { needs, ownNeeds = [], own, target } = destinations[name]!;
  const known = Object.entries(vars).filter(([each]) => Object.hasOwn(own, each));
  const given = Object.fromEntries(known.map(([each, value]) => [own[each]!, value]));
  const lacking = [...needs, ...ownNeeds].find((variable) => !given[variable]);
  if (lacking !== undefined) {
    const names = Object.keys(own).filter((each) => own[each] === lacking);
    throw new Error(`${name} needs ${names[0]}`);
  }
  const place = target(given);
  requireSendable(place);
  return { name, ...place };
}

/** Headers that decide where a request goes, or how its body is read. */
const FRAMING =
  /^(?:host|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect|content-.*)$/i;

/** @throws Error for an address or a header with which no request can be made, or one that means something else */
function requireSendable({ url: address, headers }: Omit<OtlpTarget, "name">): void {
  const url = URL.parse(address);
  if (url === null || !/^https?:\/\/[^/]/i.test(address))
    throw new Error("the address must be a URL with http or https");
  if (url.search !== "" || url.hash !== "" || url.username !== "" || url.password !== "")
    throw new Error("the address must be a URL without credentials, query and fragment");
  for (const [header, value] of Object.entries(headers)) {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(header) || FRAMING.test(header))
      throw new Error(`${header.slice(0, 64)} is no header that can be sent along`);
    if (/[^\x20-\x7e]/.test(value)) throw new Error("only visible ASCII characters can be sent along");
  }
}

/** Whether OpenTelemetry's switch leaves everything on. */
export function isExporting({ OTEL_SDK_DISABLED: disabled }: Environment): boolean {
  return disabled?.toLowerCase() !== "true";
}

/** Where spans go; one place that has several names, or stands in several lists, gets each span once. */
export function traceTargets(settings: CallbackLists, environment: Environment): readonly OtlpTarget[] {
  if (!isExporting(environment)) return [];
  const targets = new Map<string, OtlpTarget>();
  const switched = isSwitchedOn("TRACES", environment) ? [COLLECTOR] : [];
  for (const name of [...callbackNames(settings), ...switched]) {
    if (!Object.hasOwn(destinations, name) || missingFor(name, environment).length > 0) continue;
    const target = { name, ...destinations[name]!.target(environment) };
    if (!targets.has(target.url)) targets.set(target.url, target);
  }
  return [...targets.values()];
}

/** LiteLLM's switches of what goes to the collector beside spans, in force where `otel` is among the callbacks. */
const litellmSwitches = {
  METRICS: "LITELLM_OTEL_INTEGRATION_ENABLE_METRICS",
  LOGS: "LITELLM_OTEL_INTEGRATION_ENABLE_EVENTS",
} as const;

/**
 * Where metrics or log records go over OTLP: to the collector, if LiteLLM's switch or OpenTelemetry's says so.
 * @see https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/
 */
export function collectorTarget(
  signal: keyof typeof litellmSwitches,
  settings: CallbackLists,
  environment: Environment,
): OtlpTarget | undefined {
  if (!isExporting(environment)) return undefined;
  const isLiteLlms =
    callbackNames(settings).includes(COLLECTOR) &&
    environment[litellmSwitches[signal]]?.toLowerCase() === "true";
  if (!isLiteLlms && !isSwitchedOn(signal, environment)) return undefined;
  return { name: COLLECTOR, ...atCollector(signal, environment) };
}

/** Whether a signal goes as JSON rather than as Protocol Buffers: to a collector alone, since some services take no JSON. */
export function isJsonProtocol(signal: Signal, { name }: OtlpTarget, environment: Environment): boolean {
  return name === COLLECTOR && protocolOf(signal, environment) === "http/json";
}

/** The protocols that variables name for what is sent, and that are not spoken here. */
export function unspokenProtocols(settings: CallbackLists, environment: Environment): readonly string[] {
  const signals: Signal[] = [
    ...(traceTargets(settings, environment).length > 0 ? (["TRACES"] as const) : []),
    ...(["METRICS", "LOGS"] as const).filter((signal) => collectorTarget(signal, settings, environment)),
  ];
  const named = signals.map((signal) => protocolOf(signal, environment) || "http/protobuf");
  return [...new Set(named)].filter((protocol) => !/^http\/(?:protobuf|json)$/.test(protocol));
}

/** The places of what is sent to which no request can be made, for their addresses are none. */
export function unreachableTargets(settings: CallbackLists, environment: Environment): readonly string[] {
  const targets = [
    ...traceTargets(settings, environment),
    ...(["METRICS", "LOGS"] as const).map((signal) => collectorTarget(signal, settings, environment)),
  ];
  const wrong = targets.filter(
    (target) => target !== undefined && !/^https?:$/.test(URL.parse(target.url)?.protocol ?? ""),
  );
  return [...new Set(wrong.map((target) => target!.name))];
}

/** The lists that name integrations. */
export type CallbackLists = Pick<GatewaySettings, "callbacks" | "successCallback" | "failureCallback">;

function callbackNames({ callbacks, successCallback, failureCallback }: CallbackLists): readonly string[] {
  return [...callbacks, ...successCallback, ...failureCallback];
}

/** `OTEL_LOGS_EXPORTER=otlp` and the like; a list may name several exporters. */
function isSwitchedOn(signal: Signal, environment: Environment): boolean {
  return (environment[`OTEL_${signal}_EXPORTER`] ?? "").split(",").some((name) => name.trim() === "otlp");
}

function protocolOf(signal: Signal, env: Environment): string | undefined {
  return env[`OTEL_EXPORTER_OTLP_${signal}_PROTOCOL`] || env.OTEL_EXPORTER_OTLP_PROTOCOL;
}

/** The collector's address for a signal: its own, or the path that the specification has for it at the common one. */
function atCollector(signal: Signal, env: Environment): Omit<OtlpTarget, "name"> {
  const common = env.OTEL_EXPORTER_OTLP_ENDPOINT || env.OTEL_ENDPOINT || "http://localhost:4318";
  return {
    url:
      env[`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`] ||
      tracesAt(common).replace(/\/traces$/, `/${signal.toLowerCase()}`),
    headers: headersOf(env, env[`OTEL_EXPORTER_OTLP_${signal}_HEADERS`]),
  };
}

/** OpenTelemetry percent-encodes what its variables say of headers (W3C Baggage), LiteLLM leaves it as it is. */
function headersOf(env: Environment, ofSignal: string | undefined): Record<string, string> {
  const encoded = ofSignal || env.OTEL_EXPORTER_OTLP_HEADERS;
  if (!encoded) return headersIn(env.OTEL_HEADERS);
  return Object.fromEntries(
    Object.entries(headersIn(encoded)).map(([name, value]) => [name, percentDecoded(value)]),
  );
}

/** The text itself where it is not percent-encoded. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** `name=value,name=value`. */
export function headersIn(text = ""): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const pair of text.split(",")) {
    const at = pair.indexOf("=");
    if (at > 0) headers[pair.slice(0, at).trim()] = pair.slice(at + 1).trim();
  }
  return headers;
}
