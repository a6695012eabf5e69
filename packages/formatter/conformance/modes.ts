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

/** Modes as Black names their members. */
const namedModes: Readonly<Record<string, BlackOptions>> = {
  stable: {},
  preview: { preview: true },
  unstable: { preview: true, unstable: true },
  l1: { line_length: 1 },
  l20: { line_length: 20 },
  l40: { line_length: 40 },
  l60: { line_length: 60 },
  l120: { line_length: 120 },
  l200: { line_length: 200 },
  S: { string_normalization: false },
  C: { magic_trailing_comma: false },
  pyi: { is_pyi: true },
  py37: { target_versions: ["py37"] },
  py314: { target_versions: ["py313", "py314"] },
};

/** The modes that a corpus is compared in. */
export const modeNames: readonly string[] = Object.keys(namedModes);

/** A mode by its name: one of `modeNames`, or `l<columns>`. */
export function blackOptionsFor(name: string): BlackOptions {
  const columns = /^l(\d+)$/.exec(name);
  const options = namedModes[name] ?? (columns === null ? undefined : { line_length: Number(columns[1]) });
  if (options === undefined)
    throw new Error(`unknown mode "${name}": use ${modeNames.join(", ")} or l<columns>`);
  return options;
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
