import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { median } from "../statistics.ts";
import { quickContestants } from "./contestants.ts";
import type { Corpus } from "./corpora.ts";
import { interleave } from "./interleave.ts";
import { table } from "./table.ts";

const COPIES = 4;

/**
 * The tree several times in one run. What a further copy takes is what the program takes once it is warm; the rest of a run
 * over one is Node.js's start and V8, which interprets and compiles.
 *
 * @param work a folder to copy the tree to.
 * @returns a part of the page.
 */
export function warmingUp(corpus: Corpus, work: string, runs: number): string {
  try {
    for (let copy = 0; copy < COPIES; copy++)
      cpSync(corpus.folder, join(work, String(copy)), { recursive: true });
    const contestants = quickContestants().slice(0, 2);
    // In the same turns, since the two are told from their difference.
    const once = contestants.map(({ name, command }) => ({
      name: onceOf(name),
      command,
      target: corpus.folder,
    }));
    const timings = interleave([...contestants, ...once], work, runs);
    const cpuOf = (name: string): number => median(timings.get(name)!.map(({ cpu }) => cpu));
    const [ruff, ours] = contestants.map(({ name }) => {
      const first = cpuOf(onceOf(name));
      const further = (cpuOf(name) - first) / (COPIES - 1);
      return { first, further, start: first - further };
    });
    const shown = table(new Map(contestants.map(({ name }) => [name, timings.get(name)!])));
    const [seconds, further, start] = [ruff!.further, ours!.further, ours!.start].map((time) =>
      time.toFixed(3),
    );
    const floor = `With \`--fast\` on one thread Jetblack takes ${further} s of CPU for each copy after the first, and Ruff ${seconds}. The ${start} s that the first one takes beyond that are Node.js's start and V8, which interprets the program and compiles it while it runs: ${(ours!.start / ruff!.first).toFixed(2)} of what Ruff takes for all of one copy.`;
    return `${COPIES} copies of it in one run:\n\n${shown}\n\n${floor}`;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function onceOf(name: string): string {
  return `${name}, once`;
}
