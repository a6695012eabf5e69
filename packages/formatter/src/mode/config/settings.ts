import type { PreviewFeature } from "../preview.ts";
import type { TargetVersion } from "../target-version.ts";

/** All options of one run after checks, precedence and defaults. */
export interface Settings {
  readonly code: string | undefined;
  readonly lineLength: number;
  readonly targetVersions: readonly TargetVersion[];
  readonly pyi: boolean;
  readonly ipynb: boolean;
  readonly pythonCellMagics: readonly string[];
  readonly skipSourceFirstLine: boolean;
  readonly skipStringNormalization: boolean;
  readonly skipMagicTrailingComma: boolean;
  readonly preview: boolean;
  readonly unstable: boolean;
  readonly enabledFeatures: readonly PreviewFeature[];
  readonly check: boolean;
  readonly diff: boolean;
  readonly color: boolean;
  readonly lineRanges: readonly string[];
  readonly fast: boolean;
  readonly requiredVersion: string | undefined;
  /** `undefined`: the built-in exclusions and ignore files apply. */
  readonly exclude: RegExp | undefined;
  readonly extendExclude: RegExp | undefined;
  readonly forceExclude: RegExp | undefined;
  readonly include: RegExp;
  readonly stdinFilename: string | undefined;
  readonly workers: number | undefined;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly report: "text" | "json" | "github";
  readonly cacheDir: string | undefined;
  readonly noCache: boolean;
  /** Paths to format; `-` is standard input. */
  readonly sources: readonly string[];
  readonly configuration: ConfigurationOrigin | undefined;
}

/** The configuration file in use. */
export interface ConfigurationOrigin {
  readonly path: string;
  readonly origin: "command line" | "project root" | "user level";
  /** The table as it stands, inferred target versions included; for `--verbose`. */
  readonly values: Readonly<Record<string, unknown>>;
}
