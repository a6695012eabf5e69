import { readFileSync } from "node:fs";
import { join } from "node:path";
import { askBlack } from "./ask-black.ts";
import { listFiles } from "./corpus-sets.ts";
import type { ItemSet } from "./item.ts";
import { blackOptionsFor, modeFor, modeOf } from "./modes.ts";

/** Every Python file below a folder, with answers from Black itself. */
export async function folderSet(folder: string, modeName: string): Promise<ItemSet> {
  const paths = listFiles(folder).filter((path) => /\.pyi?$/.test(path));
  const answers = await askBlack(
    paths.map((path) => join(folder, path)),
    modeName,
    (path) => ({ ...blackOptionsFor(modeName), is_pyi: path.endsWith(".pyi") }),
  );
  return {
    name: `${folder} (${modeName})`,
    items: paths.map((path, index) => ({
      name: path,
      mode: modeFor(path, modeOf(blackOptionsFor(modeName))),
      lineRanges: [],
      isNotebook: false,
      load: () => ({ bytes: readFileSync(join(folder, path)), expected: answers[index]! }),
    })),
  };
}
