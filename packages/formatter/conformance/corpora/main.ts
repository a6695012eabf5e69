import { join } from "node:path";
import { parseArgs } from "node:util";
import { cacheFolder } from "../black.ts";
import { listFiles } from "../corpus-sets.ts";
import { fileSet } from "../folder-set.ts";
import { modeNames } from "../modes.ts";
import { renderResult, type SetResult } from "../report.ts";
import { runSet } from "../run-set.ts";
import { corpora } from "./corpora.ts";
import { corpusFolder } from "./corpus-folder.ts";

const HELP = `Compares with Black, in each mode, the modules and stubs of packages that nothing was developed against (the table in
corpora/corpora.ts), by both command lines' own path. Downloads and Black's answers are kept, so that a further run is cheap.

  --cache DIR     where downloads are kept (default: the conformance commands' cache folder)
  --corpus NAME   only this corpus (repeatable)
  --mode MODE     only this mode (repeatable): ${modeNames.join(", ")}
  --every N       only every Nth file (default 1)
  --offset K      from the Kth file on (default 0)
  --seconds N     when to stop
  --show N        examples to print for each group of differences (default 1)
`;

const { values } = parseArgs({
  options: {
    cache: { type: "string", default: join(cacheFolder(), "corpora") },
    corpus: { type: "string", multiple: true, default: corpora.map(({ name }) => name) },
    mode: { type: "string", multiple: true, default: [...modeNames] },
    every: { type: "string", default: "1" },
    offset: { type: "string", default: "0" },
    seconds: { type: "string", default: "Infinity" },
    show: { type: "string", default: "1" },
    help: { type: "boolean", short: "h", default: false },
  },
});

/** Files that Black is asked about before the time is looked at. */
const SLICE = 40;

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

function merged(left: SetResult | undefined, right: SetResult): SetResult {
  if (left === undefined) return right;
  const known = { ...left.known };
  for (const [name, count] of Object.entries(right.known)) known[name] = (known[name] ?? 0) + count;
  return {
    name: left.name,
    total: left.total + right.total,
    identical: left.identical + right.identical,
    known,
    others: [...left.others, ...right.others],
  };
}

async function main(): Promise<void> {
  const end = Date.now() + Number(values.seconds) * 1000;
  const rows: string[] = [];
  for (const corpus of corpora.filter(({ name }) => values.corpus.includes(name))) {
    const folder = corpusFolder(corpus, values.cache);
    const paths = listFiles(folder)
      .filter((path) => /\.pyi?$/.test(path) && !path.startsWith("site-packages/"))
      .filter((_, index) => index % Number(values.every) === Number(values.offset));
    for (const mode of values.mode) {
      let result: SetResult | undefined;
      for (let at = 0; at < paths.length && Date.now() < end; at += SLICE) {
        const set = await fileSet(folder, paths.slice(at, at + SLICE), mode);
        result = merged(result, runSet({ ...set, name: `${corpus.name} (${mode})` }));
      }
      if (result === undefined) continue;
      print(renderResult(result, { groups: 12, examples: Number(values.show) }));
      const known = Object.values(result.known).reduce((sum, count) => sum + count, 0);
      rows.push(`| ${corpus.name} | ${mode} | ${result.total} | ${result.identical} | ${known} |`);
      if (result.others.length > 0) process.exitCode = 1;
    }
  }
  print(["| Corpus | Mode | Files | Identical | Documented |", "|---|---|---|---|---|", ...rows].join("\n"));
}

if (values.help) process.stdout.write(HELP);
else await main();
