import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { blackContestants, type Contestant, cachedContestants, quickContestants } from "./contestants.ts";
import { corpora, makeSample, sizeOf } from "./corpora.ts";
import { measure, median, type Timing } from "./measure.ts";

const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "5" },
    "black-runs": { type: "string", default: "1" },
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
    for (const { name, command } of contestants) timings.get(name)!.push(measure([...command, target]));
  return timings;
}

/** One row for each program; the ratio is to the first. */
function table(timings: ReadonlyMap<string, readonly Timing[]>, reference: number): string {
  const rows = [...timings].map(([name, list]) => {
    const cpu = median(list.map((timing) => timing.cpu));
    const wall = median(list.map((timing) => timing.wall));
    return `| ${name} | ${list.length} | ${cpu.toFixed(2)} | ${wall.toFixed(2)} | ${(cpu / reference).toFixed(1)} |`;
  });
  return ["| program | runs | CPU s | wall s | CPU, Ruff = 1 |", "|---|---|---|---|---|", ...rows].join("\n");
}

/** The median CPU seconds of the first program, which the others are compared with. */
function referenceOf(timings: ReadonlyMap<string, readonly Timing[]>): number {
  const [first = []] = timings.values();
  return median(first.map((timing) => timing.cpu));
}

/** One file in so many is what Black is measured on. */
const SAMPLE = 25;

const trees = corpora();
const sections: string[] = [];
const work = mkdtempSync(join(tmpdir(), "jetblack-bench-"));
try {
  for (const corpus of trees) {
    const { files, bytes } = sizeOf(corpus.folder);
    const cold = interleave(quickContestants(), corpus.folder, runs);
    const reference = referenceOf(cold);
    sections.push(
      `## ${corpus.name}\n\n${files} files, ${(bytes / 1e6).toFixed(1)} MB, checked without a cache.\n\n${table(cold, reference)}`,
    );
    const copy = join(work, "tree");
    cpSync(corpus.folder, copy, { recursive: true });
    const cached = cachedContestants(join(work, "cache"));
    for (const { command } of cached) measure([...command.filter((flag) => flag !== "--check"), copy]);
    const warm = interleave(cached, copy, runs);
    sections.push(`With a warm cache, all files formatted:\n\n${table(warm, referenceOf(warm))}`);
    rmSync(copy, { recursive: true });
  }
  const sample = join(work, "sample");
  makeSample(trees, SAMPLE, sample);
  const { files, bytes } = sizeOf(sample);
  const all = interleave([...quickContestants(), ...blackContestants()], sample, blackRuns);
  sections.push(
    `## Beside Black\n\nEvery ${SAMPLE}th file of both trees: ${files} files, ${(bytes / 1e6).toFixed(1)} MB, checked without a cache.\n\n${table(all, referenceOf(all))}`,
  );
  const small = join(work, "small.py");
  writeFileSync(small, "import os\n\n\ndef main( ):\n    print( os.getcwd() )\n");
  const single = interleave(
    [...quickContestants().slice(0, 2), ...blackContestants().slice(0, 1)],
    small,
    Math.max(runs, 5),
  );
  sections.push(`## One file of five lines\n\n${table(single, referenceOf(single))}`);
} finally {
  rmSync(work, { recursive: true });
}

const machine = `${cpus()[0]?.model ?? "unknown processor"}, ${availableParallelism()} cores, Node.js ${process.versions.node}`;
writeFileSync(
  values.output,
  `# Speed\n\nMade by \`npm run bench:formatter\`: medians of runs that take turns. Machine: ${machine}. The ratios tell more than the seconds.\n\n${sections.join("\n\n")}\n`,
);
