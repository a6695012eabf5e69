import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { decodeSource } from "../src/files/decode.ts";
import type { Item, ItemSet } from "./item.ts";
import { modeFor, styles } from "./modes.ts";

/** The real files of the data folder, one set for each style with answers, notebooks apart. */
export function corpusSets(dataFolder: string): ItemSet[] {
  const corpus = join(dataFolder, "corpus");
  if (!existsSync(corpus)) return [];
  const sets: ItemSet[] = [];
  for (const style of Object.keys(styles)) {
    const folder = join(corpus, style);
    if (!existsSync(folder)) continue;
    const items = listFiles(folder).map((path) => toItem(join(corpus, "files"), folder, path, style));
    sets.push({ name: style, items: items.filter((item) => !item.isNotebook) });
    const notebooks = items.filter((item) => item.isNotebook);
    if (notebooks.length > 0) sets.push({ name: "notebooks", items: notebooks });
  }
  return sets;
}

/** Paths of all files below a folder, relative to it, sorted. */
export function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort();
}

function toItem(sources: string, answers: string, path: string, style: string): Item {
  return {
    name: path,
    mode: modeFor(path, styles[style]!),
    lineRanges: [],
    isNotebook: path.endsWith(".ipynb"),
    load: () => ({
      bytes: readFileSync(join(sources, path)),
      expected: { text: decodeSource(readFileSync(join(answers, path))).contents },
    }),
  };
}
