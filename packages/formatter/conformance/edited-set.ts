import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defaultMode, type Mode } from "../src/mode/mode.ts";
import { previewBits } from "../src/mode/preview.ts";
import { BLACK_VERSION, pythonEnvironment } from "./black.ts";
import type { Expected, Item, ItemSet } from "./item.ts";

/** A line of `edit_programs.py`: a program, the members of Black's `Mode` that are set, and Black's answer. */
type Edited = Expected & {
  readonly source: string;
  readonly options: {
    readonly line_length?: number;
    readonly preview?: boolean;
    readonly unstable?: boolean;
    readonly is_pyi?: boolean;
    readonly string_normalization?: boolean;
    readonly magic_trailing_comma?: boolean;
  };
};

/** Statements of a folder's modules, edited at random, with answers from Black itself; the same seed makes the same ones. */
export function editedSet(folder: string, count: number, seed: number): ItemSet {
  const python = join(pythonEnvironment(`black-${BLACK_VERSION}`, [`black==${BLACK_VERSION}`]), "python");
  const script = fileURLToPath(new URL("edit_programs.py", import.meta.url));
  const output = execFileSync(python, [script, folder, String(count), String(seed)], {
    maxBuffer: 1 << 30,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  return {
    name: `${count} edited programs, seed ${seed}`,
    items: output
      .trimEnd()
      .split("\n")
      .map((line, index) => itemOf(JSON.parse(line), index)),
  };
}

function itemOf(edited: Edited, index: number): Item {
  return {
    name: `#${index + 1} ${JSON.stringify(edited.options)}\n${edited.source}`,
    mode: modeOf(edited.options),
    lineRanges: [],
    isNotebook: false,
    load: () => ({ bytes: Buffer.from(edited.source), expected: edited }),
  };
}

function modeOf(options: Edited["options"]): Mode {
  return {
    ...defaultMode,
    lineLength: options.line_length ?? defaultMode.lineLength,
    isPyi: options.is_pyi ?? false,
    stringNormalization: options.string_normalization ?? true,
    magicTrailingComma: options.magic_trailing_comma ?? true,
    preview: previewBits(options.preview ?? false, options.unstable ?? false, []),
  };
}
