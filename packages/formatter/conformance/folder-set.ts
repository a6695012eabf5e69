import { readFileSync } from "node:fs";
import { join } from "node:path";
import { askBlack } from "./ask-black.ts";
import type { BlackOptions } from "./black-process.ts";
import { listFiles } from "./corpus-sets.ts";
import type { ItemSet } from "./item.ts";
import { blackOptionsFor, modeOf } from "./modes.ts";

/** Every module, stub and notebook below a folder, with answers from Black itself. */
export async function folderSet(folder: string, modeName: string): Promise<ItemSet> {
  const paths = listFiles(folder).filter((path) => /\.(?:pyi?|ipynb)$/.test(path));
  return await fileSet(folder, paths, modeName);
}

/** Some files below a folder, with answers from Black itself. */
export async function fileSet(folder: string, paths: readonly string[], modeName: string): Promise<ItemSet> {
  const options = blackOptionsFor(modeName);
  const optionsFor = (path: string): BlackOptions => {
    if (path.endsWith(".ipynb")) return { ...options, is_ipynb: true };
    return path.endsWith(".pyi") ? { ...options, is_pyi: true } : options;
  };
  const answers = await askBlack(
    paths.map((path) => join(folder, path)),
    modeName,
    optionsFor,
  );
  return {
    name: `${folder} (${modeName})`,
    items: paths.map((path, index) => ({
      name: path,
      mode: modeOf(optionsFor(path)),
      lineRanges: [],
      isNotebook: path.endsWith(".ipynb"),
      load: () => ({ bytes: readFileSync(join(folder, path)), expected: answers[index]! }),
    })),
  };
}
