import type { CommandLineOverrides } from "../platform/config/gateway-config.ts";
import { UsageError } from "./explain-error.ts";
import { type CommandHelp, checkedNumber, readArguments } from "./flags.ts";

const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"];

const MAX_WORKERS = 256;

/** The flags of `portico`, each with what it does; the one place to add one. */
export const serveFlags = {
  config: {
    value: "FILE",
    doc: "configuration in LiteLLM's format; without one the providers are simulated",
  },
  port: { value: "N", doc: "port to listen on (environment PORT; 4000)" },
  host: {
    value: "H",
    doc: "address to listen on (0.0.0.0, every network; 127.0.0.1, this machine, without --config)",
  },
  "data-dir": { value: "DIR", doc: "where keys and state are kept (PORTICO_DATA_DIR; ./portico-data)" },
  model: { value: "NAME", doc: "use this model for every Messages call, as provider/name" },
  "api-base": { value: "URL", doc: "use this provider address for every Messages call" },
  temperature: { value: "T", doc: "use this temperature for every Messages call" },
  "max-tokens": { value: "N", doc: "use this output limit for every Messages call" },
  "request-timeout": { value: "S", doc: "end a Messages call after this many seconds" },
  workers: { value: "N", doc: "processes that serve the address together (NUM_WORKERS; 1)" },
  "num-workers": { value: "N", doc: "the same, by LiteLLM's name" },
  "log-level": { value: "LEVEL", doc: `${LOG_LEVELS.join(", ")} (info)` },
  json: { doc: "log JSON, one object a line, also on a terminal" },
  version: { doc: "show the version" },
} as const;

/** What `portico` was asked to do. */
export interface ServeOptions {
  readonly configFile: string | undefined;
  readonly port: number;
  readonly host: string;
  readonly dataDirectory: string;
  readonly overrides: CommandLineOverrides;
  /** Logs JSON wherever the log goes; absent: where it goes to no terminal. */
  readonly json?: true;
  /** Processes that serve calls. */
  readonly workers: number;
  readonly logLevel: string;
  readonly version: boolean;
}

/** The help of `portico` itself. */
export const serveHelp: CommandHelp & { readonly flags: typeof serveFlags } = {
  usage: [
    "portico [serve] [flags]                        serve",
    "portico verify FILE [--strict]                 check a configuration and show what each model resolves to",
    "portico keys create|list|delete [flags]        manage keys without a running gateway",
    "portico batch run FILE --model NAME [flags]    run a file of requests",
    "portico top [flags]                            show what a running gateway does",
    "portico login|logout [URL]                     sign in to a gateway in the browser",
    "portico import litellm [DATABASE_URL] [flags]  take over keys, teams and spend from LiteLLM",
    "portico simulate [flags]                       run the provider simulator alone",
  ],
  about: "A gateway in front of AI model providers. `portico COMMAND --help` describes a command's flags.",
  flags: serveFlags,
};

/**
 * Reads the command line.
 * @returns nothing where help was asked for; it has been printed then
 * @throws UsageError naming the flag at fault
 */
export function parseServeOptions(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): ServeOptions | undefined {
  const read = readArguments(args, serveHelp);
  if (read === undefined) return undefined;
  const { values, positionals } = read;
  if (positionals.length > 0)
    throw new UsageError(
      `${positionals[0]} is neither a flag nor a command; a configuration goes behind --config`,
    );
  const number = (
    flag: keyof typeof values,
    least: number,
    most?: number,
    whole = false,
  ): number | undefined =>
    values[flag] === undefined
      ? undefined
      : checkedNumber(`--${flag}`, String(values[flag]), least, most, whole);
  const fromEnvironment = environment.PORT || undefined;
  return {
    configFile: values.config,
    port:
      number("port", 0, 65_535, true) ??
      (fromEnvironment === undefined ? 4000 : checkedNumber("PORT", fromEnvironment, 0, 65_535, true)),
    host: values.host ?? (values.config === undefined ? "127.0.0.1" : "0.0.0.0"),
    dataDirectory: dataDirectory(values["data-dir"], environment),
    overrides: dropAbsent({
      model: values.model,
      apiBase: checkedAddress("--api-base", values["api-base"]),
      temperature: number("temperature", 0, 2),
      maxTokens: number("max-tokens", 1, undefined, true),
      requestTimeout: number("request-timeout", 0.001),
    }),
    workers:
      number("workers", 1, MAX_WORKERS, true) ??
      number("num-workers", 1, MAX_WORKERS, true) ??
      (environment.NUM_WORKERS
        ? checkedNumber("NUM_WORKERS", environment.NUM_WORKERS, 1, MAX_WORKERS, true)
        : 1),
    logLevel: checkedLevel(values["log-level"] ?? "info"),
    version: values.version === true,
    ...(values.json === true ? { json: true as const } : {}),
  };
}

/** Where keys and state are kept: the flag's folder, the environment's, else one in the current folder. */
export function dataDirectory(
  given: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): string {
  return given ?? (environment.PORTICO_DATA_DIR || "portico-data");
}

function checkedAddress(flag: string, text: string | undefined): string | undefined {
  if (text === undefined || (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol))) return text;
  throw new UsageError(
    `${flag} must be an address that begins with http:// or https://, not ${text || "empty"}`,
  );
}

function checkedLevel(level: string): string {
  if (!LOG_LEVELS.includes(level))
    throw new UsageError(`--log-level must be one of ${LOG_LEVELS.join(", ")}`);
  return level;
}

function dropAbsent(
  overrides: { [Key in keyof CommandLineOverrides]: CommandLineOverrides[Key] | undefined },
) {
  return Object.fromEntries(
    Object.entries(overrides).filter(([, value]) => value !== undefined),
  ) as CommandLineOverrides;
}
