import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { writeCharts } from "../charts/main.ts";
import { blackContestants, emptyContestant, quickContestants } from "./contestants.ts";
import { corpora, largeCorpus, makeSample, sizeOf } from "./corpora.ts";
import { daemonLatency } from "./daemon-latency.ts";
import { interleave } from "./interleave.ts";
import { peakMemory } from "./memory.ts";
import { table } from "./table.ts";
import { warmRuns } from "./warm-runs.ts";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "5" },
    "black-runs": { type: "string", default: "1" },
    // Black on whole trees as well, which takes it a quarter of an hour.
    "whole-trees": { type: "boolean", default: false },
    // A tree of packages from PyPI as well, several times as large as the others together.
    large: { type: "boolean", default: false },
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
const sections: string[] = [];
const work = mkdtempSync(join(tmpdir(), "jetblack-bench-"));
try {
  for (const corpus of trees) {
    const { files, bytes } = sizeOf(corpus.folder);
    const cold = interleave(quickContestants(), corpus.folder, runs);
    if (values["whole-trees"])
      for (const timing of interleave(blackContestants(), corpus.folder, blackRuns)) cold.set(...timing);
    sections.push(
      `## ${corpus.name}\n\n${files} files, ${(bytes / 1e6).toFixed(1)} MB, checked without a cache.\n\n${table(cold)}`,
    );
    sections.push(...(await warmRuns(corpus, join(work, "warm"))));
  }
  const sample = join(work, "sample");
  makeSample(trees.slice(0, 2), SAMPLE, sample);
  const { files, bytes } = sizeOf(sample);
  const all = interleave([...quickContestants(), ...blackContestants()], sample, blackRuns);
  sections.push(
    `## Beside Black\n\nEvery ${SAMPLE}th file of both trees: ${files} files, ${(bytes / 1e6).toFixed(1)} MB, checked without a cache.\n\n${table(all)}`,
  );
  const small = join(work, "small.py");
  const smallSource = "import os\n\n\ndef main( ):\n    print( os.getcwd() )\n";
  writeFileSync(small, smallSource);
  const single = interleave(
    [...quickContestants().slice(0, 2), emptyContestant(), ...blackContestants().slice(0, 1)],
    small,
    Math.max(runs, 5),
  );
  sections.push(`## One file of five lines\n\n${table(single)}`);
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

/** The page's remarks, which people write. */
function notesOf(file: string): string {
  const text = existsSync(file) ? readFileSync(file, "utf8") : "";
  const start = text.indexOf("\n## Notes");
  return start === -1 ? "" : text.slice(start);
}

const machine = `${cpus()[0]?.model ?? "unknown processor"}, ${availableParallelism()} cores, Node.js ${process.versions.node}`;
writeFileSync(
  values.output,
  `# Speed\n\nMade by \`npm run bench:formatter\`: medians of runs that take turns. Machine: ${machine}. The ratios tell more than the seconds.\n\n${sections.join("\n\n")}\n${notesOf(values.output)}`,
);
writeCharts();
