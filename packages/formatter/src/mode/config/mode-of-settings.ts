import type { Mode } from "../mode.ts";
import { previewBits } from "../preview.ts";
import { targetVersions } from "../target-version.ts";
import type { Settings } from "./settings.ts";

/** The formatting mode that the options ask for, before a file's name has its say. */
export function modeOfSettings(settings: Settings): Mode {
  return {
    lineLength: settings.lineLength,
    targetVersions: targetVersions.filter((version) => settings.targetVersions.includes(version)),
    stringNormalization: !settings.skipStringNormalization,
    magicTrailingComma: !settings.skipMagicTrailingComma,
    isPyi: settings.pyi,
    isIpynb: settings.ipynb,
    skipSourceFirstLine: settings.skipSourceFirstLine,
    preview: previewBits(settings.preview, settings.unstable, settings.enabledFeatures),
  };
}
