import { pythonStr } from "../../util/python-repr.ts";
import {
  defaultInclude,
  findOption,
  type OptionDefinition,
  type OptionKey,
  optionTable,
} from "../options.ts";
import type { PreviewFeature } from "../preview.ts";
import type { TargetVersion } from "../target-version.ts";
import { convertValue, type OptionValue } from "./convert-value.ts";
import type { ConfigurationOrigin, Settings } from "./settings.ts";
import { UsageError } from "./usage-error.ts";

/** Raw values as the command line gives them: texts, in order of first appearance; flags as "true" or "false". */
export type RawArguments = ReadonlyMap<OptionKey, readonly string[]>;

/** Checks command line and configuration in click's order and merges them with the defaults. */
export function resolveSettings(
  given: RawArguments,
  sources: readonly string[],
  configuration: ConfigurationOrigin | undefined,
): Settings {
  const values = new Map<OptionKey, OptionValue | OptionValue[]>();
  for (const option of inProcessingOrder(given)) {
    const raw = given.get(option.key);
    if (raw !== undefined)
      values.set(
        option.key,
        option.isList ? raw.map((value) => convertValue(option, value)) : convertValue(option, raw.at(-1)),
      );
    else if (configuration !== undefined && Object.hasOwn(configuration.values, option.key))
      values.set(option.key, convertConfigured(option, configuration.values[option.key]));
  }
  return toSettings(values, sources, configuration);
}

/** Given options first, in order of appearance, then the others as the table has them. */
function inProcessingOrder(given: RawArguments): (OptionDefinition & { key: OptionKey })[] {
  const first = [...given.keys()].map((key) => findOption(key)!);
  return [...first, ...optionTable.filter((option) => !given.has(option.key))];
}

function convertConfigured(option: OptionDefinition, value: unknown): OptionValue | OptionValue[] {
  if (option.isList !== true) return convertValue(option, stringifyScalar(value));
  if (!Array.isArray(value))
    throw new UsageError(`Invalid value for ${listNames(option)}: Value must be an iterable.`);
  return value.map((member) =>
    convertValue(
      option,
      typeof member === "string" || option.kind === "choice" ? member : stringifyScalar(member),
    ),
  );
}

function listNames(option: OptionDefinition): string {
  return option.short === undefined ? `'--${option.key}'` : `'${option.short}' / '--${option.key}'`;
}

/** Scalars of the file are texts to the checks, as on the command line (Black does the same). */
function stringifyScalar(value: unknown): unknown {
  return typeof value === "object" && !(value instanceof Date) ? value : pythonStr(value);
}

function toSettings(
  values: ReadonlyMap<OptionKey, OptionValue | OptionValue[]>,
  sources: readonly string[],
  configuration: ConfigurationOrigin | undefined,
): Settings {
  const flag = (key: OptionKey): boolean => values.get(key) === true;
  const text = (key: OptionKey): string | undefined => values.get(key) as string | undefined;
  const pattern = (key: OptionKey): RegExp | undefined => values.get(key) as RegExp | undefined;
  const list = (key: OptionKey): string[] => (values.get(key) as string[] | undefined) ?? [];
  return {
    code: text("code"),
    lineLength: (values.get("line-length") as number | undefined) ?? 88,
    targetVersions: list("target-version") as TargetVersion[],
    pyi: flag("pyi"),
    ipynb: flag("ipynb"),
    pythonCellMagics: list("python-cell-magics"),
    skipSourceFirstLine: flag("skip-source-first-line"),
    skipStringNormalization: flag("skip-string-normalization"),
    skipMagicTrailingComma: flag("skip-magic-trailing-comma"),
    preview: flag("preview"),
    unstable: flag("unstable"),
    enabledFeatures: list("enable-unstable-feature") as PreviewFeature[],
    check: flag("check"),
    diff: flag("diff"),
    color: flag("color"),
    lineRanges: list("line-ranges"),
    fast: flag("fast"),
    requiredVersion: text("required-version"),
    exclude: pattern("exclude"),
    extendExclude: pattern("extend-exclude"),
    forceExclude: pattern("force-exclude"),
    include: pattern("include") ?? defaultInclude,
    stdinFilename: text("stdin-filename"),
    workers: values.get("workers") as number | undefined,
    quiet: flag("quiet"),
    verbose: flag("verbose"),
    report: (values.get("report") as Settings["report"] | undefined) ?? "text",
    cacheDir: text("cache-dir"),
    noCache: flag("no-cache"),
    sources,
    configuration,
  };
}
