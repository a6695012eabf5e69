import { defaultMode, type Mode } from "../src/mode/mode.ts";
import { previewBits } from "../src/mode/preview.ts";

/** The styles for which answers of Black are at hand, by the name of the folder that holds them. */
export const styles: Readonly<Record<string, Partial<Mode>>> = {
  expected: {},
  "expected-l79": { lineLength: 79 },
  "expected-S-C": { stringNormalization: false, magicTrailingComma: false },
  "expected-pyi": {},
  "expected-preview": { preview: previewBits(true, false, []) },
  "expected-unstable": { preview: previewBits(true, true, []) },
};

/** The mode of an oracle folder's name: `stable`, `preview`, `unstable` or `l<columns>`. */
export function modeOfOracle(name: string): Partial<Mode> {
  if (name === "stable") return {};
  if (name === "preview") return { preview: previewBits(true, false, []) };
  if (name === "unstable") return { preview: previewBits(true, true, []) };
  const columns = /^l(\d+)$/.exec(name);
  if (columns === null)
    throw new Error(`unknown mode "${name}": use stable, preview, unstable or l<columns>`);
  return { lineLength: Number(columns[1]) };
}

/** The mode for one path: stubs and notebooks are told by their endings. */
export function modeFor(path: string, style: Partial<Mode>): Mode {
  return { ...defaultMode, ...style, isPyi: path.endsWith(".pyi"), isIpynb: path.endsWith(".ipynb") };
}
