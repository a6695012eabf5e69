import { convertValue } from "../mode/config/convert-value.ts";
import { findProjectRoot, type ProjectRoot } from "../mode/config/project-root.ts";
import { readConfiguration } from "../mode/config/read-configuration.ts";
import { RealPaths } from "../mode/config/real-paths.ts";
import { resolveSettings } from "../mode/config/resolve-settings.ts";
import type { ConfigurationOrigin, Settings } from "../mode/config/settings.ts";
import { statPath } from "../mode/config/stat-path.ts";
import { UsageError } from "../mode/config/usage-error.ts";
import { findOption } from "../mode/options.ts";
import { productVersion, styleVersion } from "../mode/versions.ts";
import { pythonRepr } from "../util/python-repr.ts";
import { type ParsedArguments, parseArguments } from "./arguments/parse-arguments.ts";
import { PROGRAM, renderHelp } from "./help.ts";

/** What the command line asks for: a text, or a run. */
export type Request = { readonly kind: "text"; readonly text: string } | RunRequest;

export interface RunRequest {
  readonly kind: "run";
  readonly settings: Settings;
  readonly root: ProjectRoot | undefined;
  /** Of the sources. */
  readonly realPaths: RealPaths;
}

/**
 * Reads command line and configuration.
 *
 * @throws {UsageError} when either is wrong.
 */
export function readSettings(args: readonly string[]): Request {
  const parsed = parseArguments(args);
  const realPaths = new RealPaths();
  const early = answerEagerly(parsed, realPaths);
  if (early.text !== undefined) return { kind: "text", text: early.text };
  const { given, sources } = parsed;
  const root = findProjectRoot(sources, given.get("stdin-filename")?.at(-1), realPaths);
  const configuration = given.has("config") ? early.configuration : readConfiguration(undefined, root);
  const settings = resolveSettings(given, sources, configuration);
  return { kind: "run", settings, root: settings.code === undefined ? root : undefined, realPaths };
}

/** What is known of a command line before most of its options are looked at. */
interface EarlyAnswer {
  /** Where nothing but a text is asked for. */
  readonly text?: string;
  /** What the file that `--config` names says. */
  readonly configuration?: ConfigurationOrigin | undefined;
}

/** Options that are looked at before all others, in the order given; then the paths. */
function answerEagerly({ given, sources }: ParsedArguments, realPaths: RealPaths): EarlyAnswer {
  let configuration: ConfigurationOrigin | undefined;
  for (const [key, values] of given) {
    if (key === "help") return { text: renderHelp() };
    if (key === "version") return { text: renderVersion() };
    if (key !== "config") continue;
    convertValue(findOption(key)!, values.at(-1));
    configuration = readConfiguration(values.at(-1), undefined);
  }
  for (const path of sources) checkPath(path, realPaths);
  return { configuration };
}

function renderVersion(): string {
  const { bun, node } = process.versions;
  const runtime = bun === undefined ? `Node.js ${node}` : `Bun ${bun}`;
  return `${PROGRAM}, ${productVersion} (style of Black ${styleVersion})\n${runtime}\n`;
}

function checkPath(path: string, realPaths: RealPaths): void {
  if (path === "-" || realPaths.isReadable(path)) return;
  const problem = statPath(path) === undefined ? "does not exist" : "is not readable";
  throw new UsageError(`Invalid value for 'SRC ...': Path ${pythonRepr(path)} ${problem}.`);
}
