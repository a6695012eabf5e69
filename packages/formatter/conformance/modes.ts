import { defaultMode, type Mode } from "../src/mode/mode.ts";
import { type PreviewFeature, previewBits } from "../src/mode/preview.ts";
import type { TargetVersion } from "../src/mode/target-version.ts";
import type { BlackOptions } from "./black-process.ts";

/** The styles for which answers of Black are at hand, by the name of the folder that holds them. */
export const styles: Readonly<Record<string, Partial<Mode>>> = {
  expected: {},
  "expected-l79": { lineLength: 79 },
  "expected-S-C": { stringNormalization: false, magicTrailingComma: false },
  "expected-pyi": {},
  "expected-preview": { preview: previewBits(true, false, []) },
  "expected-unstable": { preview: previewBits(true, true, []) },
};

/** A mode by its name: `stable`, `preview`, `unstable` or `l<columns>`, as Black names its members. */
export function blackOptionsFor(name: string): BlackOptions {
  if (name === "stable") return {};
  if (name === "preview") return { preview: true };
  if (name === "unstable") return { preview: true, unstable: true };
  const columns = /^l(\d+)$/.exec(name);
  if (columns === null)
    throw new Error(`unknown mode "${name}": use stable, preview, unstable or l<columns>`);
  return { line_length: Number(columns[1]) };
}

/** The product's mode for Black's. */
export function modeOf(options: BlackOptions): Mode {
  return {
    lineLength: options.line_length ?? defaultMode.lineLength,
    targetVersions: (options.target_versions ?? []) as TargetVersion[],
    stringNormalization: options.string_normalization ?? true,
    magicTrailingComma: options.magic_trailing_comma ?? true,
    isPyi: options.is_pyi ?? false,
    isIpynb: options.is_ipynb ?? false,
    skipSourceFirstLine: options.skip_source_first_line ?? false,
    preview: previewBits(
      options.preview ?? false,
      options.unstable ?? false,
      (options.enabled_features ?? []) as PreviewFeature[],
    ),
  };
}

/** The mode for one path: stubs and notebooks are told by their endings. */
export function modeFor(path: string, style: Partial<Mode>): Mode {
  return { ...defaultMode, ...style, isPyi: path.endsWith(".pyi"), isIpynb: path.endsWith(".ipynb") };
}
