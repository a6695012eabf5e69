import { isJsonObject } from "../../../contract/json.ts";
import type { ConfigDocument, ConfigPath } from "../document/config-document.ts";
import type { Section } from "../document/sections.ts";
import type { Settings } from "../options/option.ts";
import { passThroughOptions } from "../options/pass-through-options.ts";
import { readHeaders } from "./read-headers.ts";
import { readOptions, refuseUnknown } from "./read-options.ts";

/** HTTP methods that pass through. */
const PASSED_METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

/** A path of the gateway that stands for another address. */
export interface PassThroughEndpoint {
  /** Begins with a slash and does not end in one. */
  readonly path: string;
  /** An absolute URL, as a text: a configuration is handed over between threads. */
  readonly target: string;
  /** Names in small letters. */
  readonly headers: Readonly<Record<string, string>>;
  readonly forwardsHeaders: boolean;
  readonly takesSubpaths: boolean;
  readonly methods: readonly (typeof PASSED_METHODS)[number][];
  /** US dollars; absent where nobody knows. */
  readonly costPerRequest: number | undefined;
  readonly query: Readonly<Record<string, string>>;
  /** Seconds until the answer begins. */
  readonly timeout: number | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** `general_settings.pass_through_endpoints`. */
export function readPassThrough(
  document: ConfigDocument,
  { value, path }: Section,
  environment: Environment,
): readonly PassThroughEndpoint[] {
  const list = value.pass_through_endpoints;
  const here = [...path, "pass_through_endpoints"];
  // What is no list has its error already.
  const entries = Array.isArray(list) ? list : [];
  const endpoints = entries.flatMap((entry: unknown, index) => {
    const endpoint = readEndpoint(document, entry, [...here, index], environment);
    return endpoint === undefined ? [] : [{ ...endpoint, index }];
  });
  for (const [at, one] of endpoints.entries())
    for (const other of endpoints.slice(0, at))
      if (one.path === other.path && one.methods.some((method) => other.methods.includes(method)))
        document.error([...here, one.index, "path"], `stands for another address in entry ${other.index}`);
  return endpoints.map(({ index: _, ...endpoint }) => endpoint);
}

function readEndpoint(
  document: ConfigDocument,
  entry: unknown,
  at: ConfigPath,
  environment: Environment,
): PassThroughEndpoint | undefined {
  if (!isJsonObject(entry)) {
    document.error(at, "expected a map with path and target");
    return undefined;
  }
  const settings = readOptions(document, entry, at, passThroughOptions, Object.keys(entry));
  refuseUnknown(document, entry, at, Object.keys(passThroughOptions));
  const path = settings.path.replace(/\/$/, "");
  const steps = path.split("/").slice(1);
  if (steps.length === 0 || steps.some((step) => !/^[\w~-][\w.~-]*$/.test(step)))
    document.error([...at, "path"], "expected a path such as /rerank");
  const target = URL.parse(settings.target);
  if (target === null || !/^https?:$/.test(target.protocol) || target.hash !== "") {
    document.error([...at, "target"], "expected an http(s) address");
    return undefined;
  }
  if (target.username !== "" || target.password !== "") {
    document.error([...at, "target"], "must not carry credentials: give them in headers");
    return undefined;
  }
  return {
    path,
    target: target.href,
    headers: withLangfuse(readHeaders(document, settings.headers, [...at, "headers"], environment)),
    forwardsHeaders: settings.forwardHeaders,
    takesSubpaths: settings.includeSubpath,
    methods: readMethods(document, settings, [...at, "methods"]),
    costPerRequest: settings.costPerRequest,
    query: settings.defaultQueryParams,
    timeout: settings.timeout,
  };
}

type EndpointSettings = Settings<typeof passThroughOptions>;

function readMethods(
  document: ConfigDocument,
  { methods }: EndpointSettings,
  at: ConfigPath,
): PassThroughEndpoint["methods"] {
  if (methods.length === 0) return PASSED_METHODS;
  const wanted = methods.map((method) => method.toUpperCase());
  const unknown = wanted.findIndex((method) => !(PASSED_METHODS as readonly string[]).includes(method));
  if (unknown !== -1) document.error([...at, unknown], `expected one of ${PASSED_METHODS.join(", ")}`);
  return PASSED_METHODS.filter((method) => wanted.includes(method));
}

function withLangfuse(read: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const { langfuse_public_key: name, langfuse_secret_key: secret, ...others } = read;
  if (name === undefined || secret === undefined) return read;
  return { ...others, authorization: `Basic ${Buffer.from(`${name}:${secret}`).toString("base64")}` };
}
