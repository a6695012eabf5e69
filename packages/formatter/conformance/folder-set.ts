import { readFileSync } from "node:fs";
import { join } from "node:path";
import { askBlack } from "./black.ts";
import { listFiles } from "./corpus-sets.ts";
import type { ItemSet } from "./item.ts";
import { modeFor, modeOfOracle } from "./modes.ts";

/** Every Python file below a folder, with answers from Black itself. */
export function folderSet(folder: string, modeName: string): ItemSet {
  const paths = listFiles(folder).filter((path) => /\.pyi?$/.test(path));
  const answers = askBlack(
    paths.map((path) => join(folder, path)),
    modeName,
  );
  return {
    name: `${folder} (${modeName})`,
    items: paths.map((path, index) => ({
      name: path,
      mode: modeFor(path, modeOfOracle(modeName)),
      lineRanges: [],
      isNotebook: false,
      load: () => ({ bytes: readFileSync(join(folder, path)), expected: answers[index]! }),
    })),
  };
}
