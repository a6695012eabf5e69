import type { Mode } from "../mode/mode.ts";
import { type PreviewFeature, previewBits } from "../mode/preview.ts";
import type { TargetVersion } from "../mode/target-version.ts";

/** The Python package's `Mode`, as JSON. */
export interface RequestMode {
  readonly targetVersions: readonly TargetVersion[];
  readonly lineLength: number;
  readonly stringNormalization: boolean;
  readonly isPyi: boolean;
  readonly isIpynb: boolean;
  readonly magicTrailingComma: boolean;
  readonly pythonCellMagics: readonly string[];
  readonly preview: boolean;
  readonly unstable: boolean;
  readonly enabledFeatures: readonly PreviewFeature[];
}

/** The mode that the rules work with. A first line to be left alone is a matter of files, as in Black's functions. */
export function modeOfRequest(asked: RequestMode): Mode {
  const { targetVersions, lineLength, stringNormalization, isPyi, isIpynb, magicTrailingComma } = asked;
  return {
    targetVersions,
    lineLength,
    stringNormalization,
    isPyi,
    isIpynb,
    magicTrailingComma,
    skipSourceFirstLine: false,
    preview: previewBits(asked.preview, asked.unstable, asked.enabledFeatures),
  };
}
