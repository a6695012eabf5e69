import type { TargetVersion } from "./target-version.ts";

/** How one source is to be formatted: what reaches the layout rules (Black: `mode.py` Mode). */
export interface Mode {
  /** Columns a line may have; Black's default is 88. */
  readonly lineLength: number;
  /** Versions that the output must run on; empty means: infer them from the source. */
  readonly targetVersions: readonly TargetVersion[];
  readonly stringNormalization: boolean;
  readonly magicTrailingComma: boolean;
  /** The source is a typing stub. */
  readonly isPyi: boolean;
  /** The source is a notebook cell. */
  readonly isIpynb: boolean;
  readonly skipSourceFirstLine: boolean;
  /** Enabled preview features as bits of `Preview`. */
  readonly preview: number;
}

/** Black's defaults. */
export const defaultMode: Mode = {
  lineLength: 88,
  targetVersions: [],
  stringNormalization: true,
  magicTrailingComma: true,
  isPyi: false,
  isIpynb: false,
  skipSourceFirstLine: false,
  preview: 0,
};

/** Whether a preview feature is on (Black: `Preview.x in mode`). */
export function hasPreview(mode: Mode, feature: number): boolean {
  return (mode.preview & feature) !== 0;
}
