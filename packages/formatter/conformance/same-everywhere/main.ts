import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { corpusSets } from "../corpus-sets.ts";
import { findDataFolder, NO_DATA } from "../data-folder.ts";
import { asLatin1, type Source, ways } from "./ways.ts";

/**
 * `npm run same-everywhere -w jetblack [-- NAME]`: formats the corpus in every way that people do, compares each file's
 * bytes with Black's, and writes the table of `docs/formatter/conformance.md`. With a name only the ways that have it in theirs,
 * and no table.
 */
const root = resolve(import.meta.dirname, "../..");
const page = resolve(root, "../../docs/formatter/conformance.md");
const HEADING = "## The same everywhere";

const data = findDataFolder();
if (data === undefined) throw new Error(`The corpus ${NO_DATA}.`);
const sets = corpusSets(data).filter(({ name }) => name === "expected" || name === "notebooks");
const items = sets.flatMap(({ items }) => items);
const sources = items.map(({ name, load }): Source => {
  const { bytes } = load();
  return { name, bytes, text: new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes) };
});
const expected = items.map(({ name }) => readFileSync(join(data, "corpus/expected", name), "latin1"));
/** What is no UTF-8 has no text of its own: only what reads bytes can be asked. */
const isText = sources.map(({ bytes, text }) => Buffer.from(bytes).toString("latin1") === asLatin1(text));

execFileSync("npm", ["run", "--silent", "build"], { cwd: root, stdio: "pipe" });
const wanted = process.argv[2];
const rows: string[] = [];
for (const { name, format } of ways.filter(({ name }) => wanted === undefined || name.includes(wanted))) {
  const folder = mkdtempSync(join(tmpdir(), "jetblack-same-"));
  try {
    const outputs = await format(sources, folder);
    const asked = outputs.flatMap((output, index) =>
      output === undefined || (!isText[index] && !readsBytes(name)) ? [] : [{ output, index }],
    );
    const different = asked.filter(({ output, index }) => output !== expected[index]);
    rows.push(`| ${name} | ${asked.length} | ${asked.length - different.length} |`);
    process.stdout.write(`${rows.at(-1)}\n`);
    for (const { index } of different.slice(0, 5)) process.stdout.write(`  ${sources[index]!.name}\n`);
    if (different.length > 0) process.exitCode = 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
if (wanted === undefined) writeTable();

function readsBytes(name: string): boolean {
  return /command|executable/.test(name);
}

function writeTable(): void {
  const text = readFileSync(page, "utf8");
  const start = text.indexOf(HEADING);
  const end = text.indexOf("\n## ", start + 1);
  const table = [
    HEADING,
    "",
    "The corpus, default options, each file's bytes beside Black's, by `npm run same-everywhere -w jetblack`:",
    "",
    "| Way | Files | Identical |",
    "|---|---|---|",
    ...rows,
    "",
  ].join("\n");
  writeFileSync(page, text.slice(0, start) + table + text.slice(end));
}
