import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { decodeSource } from "../src/files/decode.ts";
import type { Expected, Item, ItemSet } from "./item.ts";
import { modeFor, modeOfOracle } from "./modes.ts";

/**
 * Ready answers of Black for the tree `root`: `folder/results.tsv` (path, then `changed`, `unchanged` or
 * `error "message"`, then seconds) and `folder/files/<path>` for what changed. The folder's name is the mode.
 */
export function oracleSet(folder: string, root: string): ItemSet {
  const style = modeOfOracle(basename(folder));
  const items: Item[] = [];
  for (const row of readFileSync(join(folder, "results.tsv"), "utf8").split("\n")) {
    const [path, status] = row.split("\t");
    if (path === undefined || status === undefined) continue;
    items.push({
      name: path,
      mode: modeFor(path, style),
      lineRanges: [],
      isNotebook: path.endsWith(".ipynb"),
      load: () => loadAnswer(folder, root, path, status),
    });
  }
  return { name: `oracle-${basename(folder)}`, items };
}

function loadAnswer(
  folder: string,
  root: string,
  path: string,
  status: string,
): { bytes: Uint8Array; expected: Expected } {
  const bytes = readFileSync(join(root, path));
  if (status.startsWith("error")) return { bytes, expected: { error: status.slice("error ".length) } };
  const answer = status === "unchanged" ? bytes : readFileSync(join(folder, "files", path));
  return { bytes, expected: { text: decodeSource(answer).contents } };
}
