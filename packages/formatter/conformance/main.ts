import { parseArgs } from "node:util";
import { caseSets } from "./case-sets.ts";
import { corpusSets } from "./corpus-sets.ts";
import { findDataFolder } from "./data-folder.ts";
import { folderSet } from "./folder-set.ts";
import type { ItemSet } from "./item.ts";
import { renderResult } from "./report.ts";
import { runSet } from "./run-set.ts";

const HELP = `Compares the formatter with Black, byte for byte.

  --set NAME      only this set (repeatable); without it, all sets of the data folder
  --dir FOLDER    compare a folder's files with Black from PyPI (needs Python; answers are kept)
  --mode MODE     with --dir: stable (default), preview, unstable, l<columns>, S, C, pyi, py37 or py314
  --fast          without the safety check on each output
  --only SUBSTR   only items whose name holds this
  --show N        examples to print for each group (default 0)
  --groups N      groups to print for each set (default 12)
  --list          print the names of all items that differ
`;

const { values } = parseArgs({
  options: {
    set: { type: "string", multiple: true },
    dir: { type: "string" },
    mode: { type: "string", default: "stable" },
    fast: { type: "boolean", default: false },
    only: { type: "string", default: "" },
    show: { type: "string", default: "0" },
    groups: { type: "string", default: "12" },
    list: { type: "boolean", default: false },
    help: { type: "boolean", short: "h", default: false },
  },
});

async function chooseSets(): Promise<ItemSet[]> {
  if (values.dir !== undefined) return [await folderSet(values.dir, values.mode)];
  const data = findDataFolder();
  if (data === undefined) throw new Error("no data: set JETBLACK_DATA, or use --dir");
  const sets = [...caseSets(data), ...corpusSets(data)];
  if (values.set === undefined) return sets;
  const chosen = sets.filter((set) => values.set!.includes(set.name));
  if (chosen.length === 0)
    throw new Error(`no such set; there are: ${sets.map((set) => set.name).join(", ")}`);
  return chosen;
}

if (values.help) process.stdout.write(HELP);
else {
  for (const set of await chooseSets()) {
    const result = runSet(set, values.only, !values.fast);
    process.stdout.write(
      `${renderResult(result, { groups: Number(values.groups), examples: Number(values.show) })}\n`,
    );
    if (values.list) for (const { item } of result.others) process.stdout.write(`${item.name}\n`);
    if (result.others.length > 0) process.exitCode = 1;
  }
}
