import { parseArgs } from "node:util";
import { caseSets } from "./case-sets.ts";
import { corpusSets } from "./corpus-sets.ts";
import { findDataFolder } from "./data-folder.ts";
import { editedKinds, editedSet } from "./edited-set.ts";
import { folderSet } from "./folder-set.ts";
import type { ItemSet } from "./item.ts";
import { oracleSet } from "./oracle-set.ts";
import { productFormatter } from "./product-formatter.ts";
import { renderResult } from "./report.ts";
import { runSet } from "./run-set.ts";

const HELP = `Compares the formatter with Black, byte for byte.

  --set NAME      only this set (repeatable); without it, all sets of the data folder
  --dir FOLDER    compare a folder's files with Black from PyPI (needs Python; answers are kept)
  --edited N      with --dir: N statements of its modules, edited at random, instead of the files
  --of KIND       with --edited: programs (default), ranges (some lines are formatted) or cells (of notebooks)
  --seed N        with --edited: which edits (default 1)
  --mode MODE     with --dir: stable (default), preview, unstable or l<columns>
  --oracle DIR    compare with ready answers: DIR/results.tsv and DIR/files
  --root DIR      with --oracle: the folder that holds the sources
  --safe          with the safety check on each output
  --only SUBSTR   only items whose name holds this
  --show N        examples to print for each group (default 0)
  --groups N      groups to print for each set (default 12)
  --list          print the names of all items that differ
`;

const { values } = parseArgs({
  options: {
    set: { type: "string", multiple: true },
    dir: { type: "string" },
    edited: { type: "string" },
    of: { type: "string", default: "programs" },
    seed: { type: "string", default: "1" },
    mode: { type: "string", default: "stable" },
    oracle: { type: "string" },
    root: { type: "string" },
    safe: { type: "boolean", default: false },
    only: { type: "string", default: "" },
    show: { type: "string", default: "0" },
    groups: { type: "string", default: "12" },
    list: { type: "boolean", default: false },
    help: { type: "boolean", short: "h", default: false },
  },
});

function chooseSets(): ItemSet[] {
  if (values.dir !== undefined && values.edited !== undefined)
    return [editedSet(kindOf(values.of), values.dir, Number(values.edited), Number(values.seed))];
  if (values.dir !== undefined) return [folderSet(values.dir, values.mode)];
  if (values.oracle !== undefined) {
    if (values.root === undefined) throw new Error("--oracle needs --root DIR, the folder with the sources");
    return [oracleSet(values.oracle, values.root)];
  }
  const data = findDataFolder();
  if (data === undefined) throw new Error("no data: set JETBLACK_DATA, or use --dir or --oracle");
  const sets = [...caseSets(data), ...corpusSets(data)];
  if (values.set === undefined) return sets;
  const chosen = sets.filter((set) => values.set!.includes(set.name));
  if (chosen.length === 0)
    throw new Error(`no such set; there are: ${sets.map((set) => set.name).join(", ")}`);
  return chosen;
}

function kindOf(name: string): keyof typeof editedKinds {
  if (Object.hasOwn(editedKinds, name)) return name as keyof typeof editedKinds;
  throw new Error(`no such kind; there are: ${Object.keys(editedKinds).join(", ")}`);
}

if (values.help) process.stdout.write(HELP);
else {
  for (const set of chooseSets()) {
    const result = runSet(set, productFormatter, values.only, values.safe);
    process.stdout.write(
      `${renderResult(result, { groups: Number(values.groups), examples: Number(values.show) })}\n`,
    );
    if (values.list) for (const { item } of result.others) process.stdout.write(`${item.name}\n`);
    if (result.others.length > 0) process.exitCode = 1;
  }
}
