import { defaultMode, type Mode } from "../mode/mode.ts";
import { Preview, type PreviewFeature, previewBits } from "../mode/preview.ts";
import { type TargetVersion, targetVersions } from "../mode/target-version.ts";
import { closeMatches } from "../util/difflib/close-matches.ts";
import type { LineRange } from "./ranges/line-range.ts";

/** How a source is to be formatted. What is left out has Black's default. */
export interface FormatOptions {
  /** Columns a line may have. Default 88. */
  readonly lineLength?: number;
  /** Python versions that the output has to run on. By default they are inferred from the source. */
  readonly targetVersions?: readonly TargetVersion[];
  /** Whether quotes and prefixes of strings are normalised. Default true. */
  readonly stringNormalization?: boolean;
  /** Whether a trailing comma keeps a collection split. Default true. */
  readonly magicTrailingComma?: boolean;
  /** Whether the source is a typing stub. Default false. */
  readonly isPyi?: boolean;
  /** Whether the first line is left alone. Default false. */
  readonly skipSourceFirstLine?: boolean;
  /** Style changes that may become part of the next major release. Default false. */
  readonly preview?: boolean;
  /** All style changes under trial. Default false. */
  readonly unstable?: boolean;
  /** Single style changes to add. */
  readonly enableUnstableFeatures?: readonly PreviewFeature[];
  /** Lines to format, 1-based with both ends included. By default all of them. */
  readonly lineRanges?: readonly LineRange[];
}

/** An option is unknown or has a value that it cannot have. The message names the option and what it accepts. */
export class OptionError extends TypeError {
  override readonly name = "OptionError";
}

/**
 * The options as the mode that the rules work with.
 * @throws {OptionError} for an unknown option, or a value out of range or unknown
 */
export function modeOf(options: FormatOptions): Mode {
  rejectUnknown(options);
  const lineLength = options.lineLength ?? defaultMode.lineLength;
  if (!Number.isSafeInteger(lineLength) || lineLength < 0) {
    throw new OptionError(`lineLength must be a whole number of columns, not ${String(lineLength)}`);
  }
  for (const version of options.targetVersions ?? []) {
    if (!targetVersions.includes(version)) {
      throw new OptionError(
        `targetVersions holds ${String(version)}; known are ${targetVersions.join(", ")}`,
      );
    }
  }
  const enabled = options.enableUnstableFeatures ?? [];
  for (const feature of enabled) {
    if (!Object.hasOwn(Preview, feature)) {
      throw new OptionError(
        `enableUnstableFeatures holds ${String(feature)}; known are ${Object.keys(Preview).join(", ")}`,
      );
    }
  }
  return {
    lineLength,
    targetVersions: options.targetVersions ?? defaultMode.targetVersions,
    stringNormalization: options.stringNormalization ?? defaultMode.stringNormalization,
    magicTrailingComma: options.magicTrailingComma ?? defaultMode.magicTrailingComma,
    isPyi: options.isPyi ?? defaultMode.isPyi,
    isIpynb: false,
    skipSourceFirstLine: options.skipSourceFirstLine ?? defaultMode.skipSourceFirstLine,
    preview: previewBits(options.preview ?? false, options.unstable ?? false, enabled),
  };
}

/** All options: JavaScript does not look for misspelt ones. */
const names: Readonly<Record<keyof FormatOptions, true>> = {
  lineLength: true,
  targetVersions: true,
  stringNormalization: true,
  magicTrailingComma: true,
  isPyi: true,
  skipSourceFirstLine: true,
  preview: true,
  unstable: true,
  enableUnstableFeatures: true,
  lineRanges: true,
};

function rejectUnknown(options: FormatOptions): void {
  for (const name of Object.keys(options)) {
    if (Object.hasOwn(names, name)) continue;
    const nearest = closeMatches(name, Object.keys(names))[0];
    const hint =
      nearest === undefined ? `known are ${Object.keys(names).join(", ")}` : `did you mean ${nearest}?`;
    throw new OptionError(`There is no option ${name}; ${hint}`);
  }
}

/**
 * The line ranges, checked.
 * @throws {OptionError} for a range that is none
 */
export function lineRangesOf(options: FormatOptions): readonly LineRange[] {
  const ranges = options.lineRanges ?? [];
  for (const [start, end] of ranges) {
    if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end) || start < 1 || start > end) {
      throw new OptionError(
        `lineRanges holds ${start}-${end}; a range is two line numbers, the smaller one first`,
      );
    }
  }
  return ranges;
}
