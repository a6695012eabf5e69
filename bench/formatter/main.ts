import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import {
  blackContestants,
  type Contestant,
  cachedContestants,
  emptyContestant,
  quickContestants,
} from "./contestants.ts";
import { corpora, makeSample, sizeOf } from "./corpora.ts";
import { measure, median, type Timing } from "./measure.ts";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "5" },
    "black-runs": { type: "string", default: "1" },
    // Black on whole trees as well, which takes it a quarter of an hour.
    "whole-trees": { type: "boolean", default: false },
    output: {
      type: "string",
      default: fileURLToPath(new URL("../../docs/formatter/benchmarks.md", import.meta.url)),
    },
  },
});
const runs = Number(values.runs);
const blackRuns = Number(values["black-runs"]);

/** Takes turns, so that whatever else the machine does hits everyone alike. */
function interleave(
  contestants: readonly Contestant[],
  target: string,
  count: number,
): Map<string, Timing[]> {
  const timings = new Map<string, Timing[]>(contestants.map(({ name }) => [name, []]));
  for (let run = 0; run < count; run++)
    for (const { name, command, target: own = target } of contestants)
      timings.get(name)!.push(measure([...command, own]));
  return timings;
}

/** One row for each program; the ratios are to the first. */
function table(timings: ReadonlyMap<string, readonly Timing[]>): string {
  const medians = [...timings].map(([name, list]) => ({
    name,
    count: list.length,
    cpu: median(list.map((timing) => timing.cpu)),
    wall: median(list.map((timing) => timing.wall)),
  }));
  const [reference] = medians;
  const rows = medians.map(({ name, count, cpu, wall }) => {
    const ratios = [cpu / reference!.cpu, wall / reference!.wall].map((ratio) => ratio.toFixed(1));
    return `| ${name} | ${count} | ${cpu.toFixed(3)} | ${wall.toFixed(3)} | ${ratios.join(" | ")} |`;
  });
  const head = "| program | runs | CPU s | wall s | CPU, Ruff = 1 | wall, Ruff = 1 |";
  return [head, "|---|---|---|---|---|---|", ...rows].join("\n");
}

/** One file in so many is what Black is measured on. */
const SAMPLE = 25;

/** A run with a warm cache is over so soon that a few of them say little. */
const WARM_RUNS = 15;

/** Lets change times become old enough to be trusted, as they are in any tree that nobody is writing to. */
const settle = (): Promise<void> => setTimeout(4000);

const trees = corpora();
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
    const warmed = join(work, "warm");
    const cached = cachedContestants(warmed);
    for (const { target } of cached) cpSync(corpus.folder, target!, { recursive: true });
    await settle();
    for (const { command, target } of cached)
      for (const flags of [command.filter((flag) => flag !== "--check"), command, command]) {
        measure([...flags, target!]);
        await settle();
      }
    const warm = interleave([...cached, emptyContestant()], corpus.folder, Math.max(runs, WARM_RUNS));
    sections.push(
      `Each program over its own copy of the tree, which it has formatted and has in its cache:\n\n${table(warm)}`,
    );
    rmSync(warmed, { recursive: true });
  }
  const sample = join(work, "sample");
  makeSample(trees.slice(0, 2), SAMPLE, sample);
  const { files, bytes } = sizeOf(sample);
  const all = interleave([...quickContestants(), ...blackContestants()], sample, blackRuns);
  sections.push(
    `## Beside Black\n\nEvery ${SAMPLE}th file of both trees: ${files} files, ${(bytes / 1e6).toFixed(1)} MB, checked without a cache.\n\n${table(all)}`,
  );
  const small = join(work, "small.py");
  writeFileSync(small, "import os\n\n\ndef main( ):\n    print( os.getcwd() )\n");
  const single = interleave(
    [...quickContestants().slice(0, 2), emptyContestant(), ...blackContestants().slice(0, 1)],
    small,
    Math.max(runs, 5),
  );
  sections.push(`## One file of five lines\n\n${table(single)}`);
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
