import type { Job, WriteBack } from "../files/job.ts";
import { modeOfSettings } from "../mode/config/mode-of-settings.ts";
import type { Settings } from "../mode/config/settings.ts";
import type { LineRange } from "./line-ranges.ts";
import { areColorsAllowed } from "./style.ts";

/** The run's options as the files' handling needs them. */
export function jobOfSettings(settings: Settings, lineRanges: readonly LineRange[]): Job {
  const writeBack = writeBackOf(settings);
  return {
    mode: modeOfSettings(settings),
    pythonCellMagics: settings.pythonCellMagics,
    fast: settings.fast,
    writeBack,
    wantsRecord:
      !settings.noCache && (writeBack === "write" || writeBack === "check") && lineRanges.length === 0,
    wantsDiffText: settings.report === "json" && writeBack !== "write",
    lineRanges,
  };
}

function writeBackOf(settings: Settings): WriteBack {
  if (settings.diff) return settings.color && areColorsAllowed() ? "color-diff" : "diff";
  return settings.check ? "check" : "write";
}
