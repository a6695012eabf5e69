import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defaultMode, type Mode } from "../src/mode/mode.ts";
import { previewBits } from "../src/mode/preview.ts";
import { BLACK_VERSION, pythonEnvironment } from "./black.ts";
import type { Expected, Item, ItemSet } from "./item.ts";

/** A line of the scripts: a program, the members of Black's `Mode` that are set, and Black's answer. */
type Edited = Expected & {
  readonly source: string;
  /** The lines to format, 1-based, both ends included; absent for all. */
  readonly ranges?: readonly (readonly [number, number])[];
  readonly options: {
    readonly line_length?: number;
    readonly preview?: boolean;
    readonly unstable?: boolean;
    readonly is_pyi?: boolean;
    readonly string_normalization?: boolean;
    readonly magic_trailing_comma?: boolean;
  };
};

/** What is made of a folder's statements. */
export const editedKinds = {
  programs: { script: "edit_programs.py", arguments: [], name: "edited programs", extra: "" },
  /** Programs of several statements of which some lines are formatted. */
  ranges: {
    script: "edit_programs.py",
    arguments: ["ranges"],
    name: "edited programs, some lines of each",
    extra: "",
  },
  /** Notebooks of one cell, with magics among the statements. */
  cells: { script: "edit_cells.py", arguments: [], name: "edited cells", extra: "jupyter" },
} as const;

/** Statements of a folder's modules, edited at random, with answers from Black itself; the same seed makes the same ones. */
export function editedSet(
  kindName: keyof typeof editedKinds,
  folder: string,
  count: number,
  seed: number,
): ItemSet {
  const kind = editedKinds[kindName];
  const output = execFileSync(
    join(blackWith(kind.extra), "python"),
    [
      fileURLToPath(new URL(kind.script, import.meta.url)),
      folder,
      String(count),
      String(seed),
      ...kind.arguments,
    ],
    { maxBuffer: 1 << 30, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] },
  );
  return {
    name: `${count} ${kind.name}, seed ${seed}`,
    items: output
      .trimEnd()
      .split("\n")
      .map((line, index) => itemOf(JSON.parse(line), index, kindName === "cells")),
  };
}

/** The environment with Black and what one of its extras needs. */
function blackWith(extra: string): string {
  return extra === ""
    ? pythonEnvironment(`black-${BLACK_VERSION}`, [`black==${BLACK_VERSION}`])
    : pythonEnvironment(`black-${extra}-${BLACK_VERSION}`, [`black[${extra}]==${BLACK_VERSION}`]);
}

function itemOf(edited: Edited, index: number, isNotebook: boolean): Item {
  const { ranges = [] } = edited;
  return {
    name: `#${index + 1} ${JSON.stringify(edited.options)} ${JSON.stringify(ranges)}\n${edited.source}`,
    mode: { ...modeOf(edited.options), isIpynb: isNotebook },
    lineRanges: ranges,
    isNotebook,
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
