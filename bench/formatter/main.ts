// `npm run bench:formatter`: Jetblack beside Ruff and Black, in turns, in docs/formatter/benchmarks.md.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { writeCharts } from "../charts/main.ts";
import { blackContestants, emptyContestant, quickContestants } from "./contestants.ts";
import { type Corpus, corpora, largeCorpus, makeSample, sizeOf, unformattedCorpus } from "./corpora.ts";
import { daemonLatency } from "./daemon-latency.ts";
import { coldGoals, smallFileGoals } from "./goals.ts";
import { interleave } from "./interleave.ts";
import { peakMemory } from "./memory.ts";
import { type Promised, promiseTable } from "./promises.ts";
import { table } from "./table.ts";
import { warmRuns } from "./warm-runs.ts";
import { warmingUp } from "./warming-up.ts";

const { values } = parseArgs({
  options: {
    // Of each program over each tree; runs that take less time are three times as many.
    runs: { type: "string", default: "5" },
    "black-runs": { type: "string", default: "1" },
    // Black on whole trees as well, which takes it a quarter of an hour.
    "whole-trees": { type: "boolean", default: false },
    // A tree of packages from PyPI as well, several times as large as the others together.
    large: { type: "boolean", default: false },
    // 10,000 files as well, none of which is formatted.
    unformatted: { type: "boolean", default: false },
    output: {
      type: "string",
      default: fileURLToPath(new URL("../../docs/formatter/benchmarks.md", import.meta.url)),
    },
  },
});
const runs = Number(values.runs);
const blackRuns = Number(values["black-runs"]);

/** One file in so many is what Black is measured on. */
const SAMPLE = 25;

const trees = values.large ? [...corpora(), largeCorpus()] : corpora();
const load = loadavg()[0]!.toFixed(1);
const sections: string[] = [];
const goals: Promised[] = [];
const work = mkdtempSync(join(tmpdir(), "jetblack-bench-"));
try {
  for (const corpus of trees) {
    const cold = interleave(quickContestants(), corpus.folder, runs);
    if (values["whole-trees"])
      for (const timing of interleave(blackContestants(), corpus.folder, blackRuns)) cold.set(...timing);
    sections.push(`## ${corpus.name}\n\n${describe(corpus)}, checked without a cache.\n\n${table(cold)}`);
    if (corpus === trees[0]) sections.push(warmingUp(corpus, join(work, "copies"), runs));
    const warm = await warmRuns(corpus, join(work, "warm"), 3 * runs);
    sections.push(...warm.sections);
    goals.push(...coldGoals(corpus.name, cold), ...warm.goals);
  }
  if (values.unformatted) {
    const corpus = unformattedCorpus();
    const cold = interleave(quickContestants(), corpus.folder, runs);
    sections.push(
      `## ${corpus.name}\n\nFrom packages of PyPI, those that Black would change: ${describe(corpus)}, checked without a cache.\n\n${table(cold)}`,
    );
    goals.push(...coldGoals(corpus.name, cold));
  }
  const sample = { name: "sample", folder: join(work, "sample") };
  makeSample(trees.slice(0, 2), SAMPLE, sample.folder);
  const all = interleave([...quickContestants(), ...blackContestants()], sample.folder, blackRuns);
  sections.push(
    `## Beside Black\n\nEvery ${SAMPLE}th file of both trees: ${describe(sample)}, checked without a cache.\n\n${table(all)}`,
  );
  const small = join(work, "small.py");
  const smallSource = "import os\n\n\ndef main( ):\n    print( os.getcwd() )\n";
  writeFileSync(small, smallSource);
  const single = interleave(
    [
      ...quickContestants().filter(({ name }) => !name.endsWith("2 threads")),
      emptyContestant(),
      ...blackContestants().slice(0, 1),
    ],
    small,
    3 * runs,
  );
  sections.push(`## One file of five lines\n\n${table(single, "ms")}`);
  goals.push(...smallFileGoals(single));
  sections.push(
    `## Memory\n\nThe largest process of one run without a cache:\n\n${peakMemory(trees.slice(0, 2), work, values["whole-trees"])}`,
  );
  const module = readFileSync(join(trees[1]!.folder, "bisect.py"), "utf8");
  const sources = new Map([
    ["five lines", smallSource],
    [`bisect.py, ${module.split("\n").length - 1} lines`, module],
  ]);
  sections.push(
    `## A daemon's answers\n\nOne request at a time over a connection that is kept, safety check on:\n\n${await daemonLatency(sources)}`,
  );
} finally {
  rmSync(work, { recursive: true });
}

function describe({ folder }: Corpus): string {
  const { files, bytes } = sizeOf(folder);
  return `${files} files, ${(bytes / 1e6).toFixed(1)} MB`;
}

/** The page's remarks, which people write. */
function notesOf(file: string): string {
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  const start = text.indexOf("\n## Notes");
  return start === -1 ? "" : text.slice(start);
}

const machine = `${cpus()[0]?.model ?? "unknown processor"}, ${availableParallelism()} cores, Node.js ${process.versions.node}, load average ${load} before the command began`;
writeFileSync(
  values.output,
  `# Speed

Made by \`npm run bench:formatter\`: medians of runs that take turns. Machine: ${machine}. The ratios tell more than the seconds.

## Goals

${promiseTable(goals)}

${sections.join("\n\n")}
${notesOf(values.output)}`,
);
writeCharts();
