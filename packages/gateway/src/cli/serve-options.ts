import { parseArgs } from "node:util";
import type { CommandLineOverrides } from "../platform/config/gateway-config.ts";
import { nearestName } from "../util/nearest-name.ts";
import { UsageError } from "./usage-error.ts";

/** The flags of `portico`, each with what it does; the one place to add one. Underscores may stand for dashes. */
export const serveFlags = {
  config: {
    value: "FILE",
    doc: "configuration in LiteLLM's format; without one the providers are simulated",
  },
  port: { value: "N", doc: "port to listen on (environment PORT; 4000)" },
  host: { value: "H", doc: "address to listen on (0.0.0.0)" },
  "data-dir": { value: "DIR", doc: "where keys and state are kept (PORTICO_DATA_DIR; ./portico-data)" },
  model: { value: "NAME", doc: "the model of every messages call, as provider/name" },
  "api-base": { value: "URL", doc: "the provider's address for every messages call" },
  temperature: { value: "T", doc: "the temperature of every messages call" },
  "max-tokens": { value: "N", doc: "the output limit of every messages call" },
  "request-timeout": { value: "S", doc: "seconds a messages call may take" },
  "log-level": { value: "LEVEL", doc: "trace, debug, info, warn, error or silent (info)" },
  help: { value: undefined, doc: "show this text" },
  version: { value: undefined, doc: "show the version" },
} as const;

/** What `portico` was asked to do. */
export interface ServeOptions {
  readonly configFile: string | undefined;
  readonly port: number;
  readonly host: string;
  readonly dataDirectory: string;
  readonly overrides: CommandLineOverrides;
  readonly logLevel: string;
  readonly help: boolean;
  readonly version: boolean;
}

type FlagName = keyof typeof serveFlags;

/**
 * Reads the command line.
 * @throws UsageError naming the flag at fault
 */
export function parseServeOptions(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): ServeOptions {
  const values = readFlags(args);
  const number = (flag: FlagName, least: number, most = Number.MAX_SAFE_INTEGER): number | undefined =>
    values[flag] === undefined ? undefined : checkedNumber(`--${flag}`, String(values[flag]), least, most);
  const text = (flag: FlagName): string | undefined => values[flag] as string | undefined;
  const fromEnvironment = environment.PORT || undefined;
  return {
    configFile: text("config"),
    port:
      number("port", 0, 65_535) ??
      (fromEnvironment === undefined ? 4000 : checkedNumber("PORT", fromEnvironment, 0, 65_535)),
    host: text("host") ?? "0.0.0.0",
    dataDirectory: text("data-dir") ?? (environment.PORTICO_DATA_DIR || "portico-data"),
    overrides: dropAbsent({
      model: text("model"),
      apiBase: text("api-base"),
      temperature: number("temperature", 0, 2),
      maxTokens: number("max-tokens", 1),
      requestTimeout: number("request-timeout", 0.001),
    }),
    logLevel: checkedLevel(text("log-level") ?? "info"),
    help: values.help === true,
    version: values.version === true,
  };
}

function readFlags(args: readonly string[]): Partial<Record<FlagName, string | boolean>> {
  const options = Object.fromEntries(
    Object.entries(serveFlags).map(([name, { value }]) => [
      name,
      { type: value === undefined ? ("boolean" as const) : ("string" as const) },
    ]),
  );
  const dashed = args.map((arg) =>
    arg.startsWith("--") ? arg.replace(/^--[^=]+/, (name) => name.replaceAll("_", "-")) : arg,
  );
  for (const arg of dashed) {
    const name = /^--([^=]+)/.exec(arg)?.[1];
    if (name === undefined || name in serveFlags) continue;
    const nearest = nearestName(name, Object.keys(serveFlags));
    throw new UsageError(
      `unknown flag --${name}${nearest === undefined ? "" : `; did you mean --${nearest}?`}`,
    );
  }
  try {
    return parseArgs({ args: dashed, options, strict: true }).values as Partial<
      Record<FlagName, string | boolean>
    >;
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function checkedNumber(name: string, text: string, least: number, most: number): number {
  const number = Number(text);
  if (text.trim() === "" || !(number >= least && number <= most))
    throw new UsageError(
      `${name} must be a number from ${least}${most === Number.MAX_SAFE_INTEGER ? "" : ` to ${most}`}`,
    );
  return number;
}

function checkedLevel(level: string): string {
  const levels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"];
  if (!levels.includes(level)) throw new UsageError(`--log-level must be one of ${levels.join(", ")}`);
  return level;
}

function dropAbsent(
  overrides: { [Key in keyof CommandLineOverrides]: CommandLineOverrides[Key] | undefined },
) {
  return Object.fromEntries(
    Object.entries(overrides).filter(([, value]) => value !== undefined),
  ) as CommandLineOverrides;
}

/** The text of `portico --help`. */
export function usage(): string {
  const flags = Object.entries(serveFlags).map(([name, { value, doc }]) => {
    const left = `  --${name}${value === undefined ? "" : ` ${value}`}`;
    return `${left.padEnd(24)}${doc}`;
  });
  return [
    "Usage: portico [flags]              serve",
    "       portico verify CONFIG        check a configuration and show what each model resolves to",
    "       portico keys create|list|delete [flags]",
    "       portico batch run FILE --model NAME [--url URL] [--key KEY] [--output FILE]",
    "       portico simulate [flags]     run the provider simulator alone",
    "",
    "Flags:",
    ...flags,
    "",
  ].join("\n");
}
