import { cpSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { type Contestant, cachedContestants, emptyContestant, lookingContestant } from "./contestants.ts";
import { type Corpus, pythonFiles } from "./corpora.ts";
import { warmGoals } from "./goals.ts";
import { interleave } from "./interleave.ts";
import { measure } from "./measure.ts";
import type { Promised } from "./promises.ts";
import { table } from "./table.ts";

/** A run with a warm cache is over so soon that a few of them say little. */
const WARM_RUNS = 15;

/** A tree that is formatted, in the cache: sections of the page, and the goals' figures. */
export interface WarmRuns {
  readonly sections: readonly string[];
  readonly goals: readonly Promised[];
}

/** So many files a hook may name one by one. */
const NAMED_FILES = 1500;

/** Lets change times become old enough to be trusted, as they are in any tree that nobody is writing to. */
const settle = (): Promise<void> => setTimeout(4000);

/**
 * Runs over a tree that is formatted and in the cache: nothing has changed since, the same with files named one by one,
 * and then one file has changed each time.
 *
 * @param work a folder to copy the tree to.
 * @param runs at most so many of each kind.
 */
export async function warmRuns(corpus: Corpus, work: string, runs = WARM_RUNS): Promise<WarmRuns> {
  const turns = Math.min(runs, WARM_RUNS);
  const contestants = cachedContestants(work);
  try {
    for (const { target } of contestants) cpSync(corpus.folder, target!, { recursive: true });
    await settle();
    for (const { command, target } of contestants)
      for (const flags of [command.filter((flag) => flag !== "--check"), command, command]) {
        measure([...flags, target!]);
        await settle();
      }
    const unchanged = interleave([...contestants, emptyContestant()], corpus.folder, turns);
    const named = contestants.map((contestant) => namingFiles(contestant, NAMED_FILES));
    for (const { command, target } of named) measure([...command, target!]);
    const floors = [
      emptyContestant(),
      namingFiles({ ...lookingContestant(), target: contestants[1]!.target! }, NAMED_FILES),
    ];
    const unchangedNamed = interleave([...named, ...floors], corpus.folder, turns);
    const { path, text } = fileOfMiddleSize(contestants);
    const changed = interleave(
      [...contestants, emptyContestant()],
      corpus.folder,
      turns,
      ({ target }, run) => {
        if (target !== undefined) writeFileSync(join(target, path), `${text.trimEnd()}\n\n\n# Run ${run}\n`);
      },
    );
    const sections = [
      `Each program over its own copy of the tree, which it has formatted and has in its cache:\n\n${table(unchanged)}`,
      `The same with up to ${NAMED_FILES} files of it, named one by one:\n\n${table(unchangedNamed)}`,
      `The same when one file, of ${text.split("\n").length - 1} lines, has changed each time and is still well formatted:\n\n${table(changed)}`,
    ];
    return { sections, goals: warmGoals(corpus.name, { unchanged, unchangedNamed, changed }) };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** The contestant, run over the first files of its tree instead. */
function namingFiles({ name, command, target = "" }: Contestant, count: number): Contestant {
  const paths = pythonFiles(target)
    .slice(0, count)
    .map((path) => join(target, path));
  return { name, command: [...command, ...paths.slice(0, -1)], target: paths.at(-1)! };
}

/** A file that both programs have formatted to the same text, or left alone. */
function fileOfMiddleSize(contestants: readonly Contestant[]): { path: string; text: string } {
  const [tree = "", ...others] = contestants.map(({ target }) => target!);
  const bySize = pythonFiles(tree)
    .map((path) => ({ path, size: statSync(join(tree, path)).size }))
    .sort((a, b) => a.size - b.size);
  for (const { path } of bySize.slice(Math.floor(bySize.length / 2))) {
    const text = readFileSync(join(tree, path), "utf8");
    if (others.every((other) => readFileSync(join(other, path), "utf8") === text)) return { path, text };
  }
  throw new Error("the programs agree on no file");
}
