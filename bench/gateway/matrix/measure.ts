import { setTimeout } from "node:timers/promises";
import { applyLoad, type LoadResult } from "../load.ts";
import { exactCpuSeconds } from "../processes.ts";
import { type Case, casesOf, requestOf } from "./cases.ts";
import { directTarget, type MatrixSubject, type Target } from "./matrix-subjects.ts";
import type { MatrixUpstream } from "./matrix-upstream.ts";

/** What one subject did with one case over so many connections. */
export interface Cell {
  /** Of the least disturbed turn; absent where it did not answer such calls. */
  readonly cpuMicroseconds: number | undefined;
  /** Milliseconds, of the least disturbed turn; `undefined` likewise. */
  readonly p99: number | undefined;
}

/** By case, subject (`direct` is the provider itself) and connections. */
export type Results = ReadonlyMap<Case, ReadonlyMap<string, ReadonlyMap<number, Cell>>>;

/** How long and how often. */
export interface MatrixOptions {
  readonly seconds: number;
  readonly rounds: number;
  readonly connections: readonly number[];
}

/** Subjects that are measured over one number of connections only. */
const AT_ONE = ["nginx", "bare-parse", "portkey", "litellm"];
export const USUAL_CONNECTIONS = 32;
/** Answers in a turn of which a figure is made. */
const FEWEST = 5;

/** Measures all cases, in each of them the subjects in turns. */
export async function measureMatrix(
  folder: string,
  upstream: MatrixUpstream,
  subjects: readonly MatrixSubject[],
  options: MatrixOptions,
  progress: (text: string) => void,
): Promise<Results> {
  const results = new Map<Case, Map<string, Map<number, Cell>>>();
  for (const each of casesOf(options.connections)) {
    const began = performance.now();
    const cells = new Map<string, Map<number, Cell>>([["direct", new Map()]]);
    for (const { name } of subjects) cells.set(name, new Map());
    results.set(each, cells);
    const load = (target: Target, connections: number, seconds: number): Promise<LoadResult> =>
      applyLoad(folder, target.url, target.headers, connections, seconds, requestOf(each, target.model));
    for (const subject of subjects)
      await load(subject.targetOf(each), usualOf(each), warmupOf(subject, options));
    for (const connections of each.connections) {
      const direct = await load(directTarget(upstream, each), connections, options.seconds);
      cells.get("direct")!.set(connections, { cpuMicroseconds: undefined, p99: direct.p99 });
      for (let round = 0; round < options.rounds; round += 1)
        for (const subject of subjects) {
          if (AT_ONE.includes(subject.name) && (connections !== usualOf(each) || round > 0)) continue;
          const cell = await turn(subject, () =>
            load(subject.targetOf(each), connections, secondsOf(subject, each, options)),
          );
          const own = cells.get(subject.name)!;
          own.set(connections, better(own.get(connections), cell));
        }
    }
    progress(
      `${each.format} from ${each.wire}, ${each.mode}, ${each.bytes}: ${((performance.now() - began) / 1000).toFixed(0)} s\n`,
    );
  }
  return results;
}

/** The connections over which also the slow subjects are measured. */
export function usualOf({ connections }: Case): number {
  return connections.includes(USUAL_CONNECTIONS) ? USUAL_CONNECTIONS : connections[0]!;
}

/** Python takes seconds for a few long requests, and gains nothing by more. */
function secondsOf({ name }: MatrixSubject, { bytes }: Case, { seconds }: MatrixOptions): number {
  return name === "litellm" && bytes > 100_000 ? seconds * 4 : seconds;
}

function warmupOf({ name }: MatrixSubject, { seconds }: MatrixOptions): number {
  return name === "litellm" || name === "nginx" ? 1 : seconds + 1;
}

async function turn({ pid, afterwards }: MatrixSubject, load: () => Promise<LoadResult>): Promise<Cell> {
  const before = exactCpuSeconds(pid);
  const { requests, failures, p99 } = await load();
  if (afterwards > 0) await setTimeout(afterwards);
  const spent = exactCpuSeconds(pid) - before;
  if (failures > 0 || requests < FEWEST) return { cpuMicroseconds: undefined, p99: undefined };
  return { cpuMicroseconds: (spent / requests) * 1e6, p99 };
}

function better(one: Cell | undefined, other: Cell): Cell {
  if (one === undefined) return other;
  const least = (left: number | undefined, right: number | undefined): number | undefined =>
    left === undefined || right === undefined ? (left ?? right) : Math.min(left, right);
  return {
    cpuMicroseconds: least(one.cpuMicroseconds, other.cpuMicroseconds),
    p99: least(one.p99, other.p99),
  };
}
