import type { ChildGateway } from "../../packages/gateway/test/support/gateway.ts";
import { statOf } from "../process-stat.ts";
import { median } from "../statistics.ts";
import { tellProgress } from "./fill.ts";

/** What calls cost with one store. */
export interface CallCost {
  readonly name: string;
  /** Microseconds of CPU for a call, of the gateway's process and the database's: all of it, spend rows included. */
  readonly cpu: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p95: number;
}

/** Calls with both stores, and what those with the first one cost more. */
export interface ComparedCalls {
  readonly costs: readonly CallCost[];
  readonly turns: number;
  /** Microseconds of CPU: the mean of the turns' differences, and how far it may be off in 19 of 20 cases. */
  readonly difference: number;
  readonly within: number;
}

const CALLS = 1000;
const AT_ONCE = 8;
const WARM_UP = 4;
const LEAST_TURNS = 9;
const MOST_TURNS = 24;
/** A difference is known well enough when it may be off by this share of what a call costs. */
const FINE = 0.02;

/** A gateway that calls are made at. */
export interface CallSubject {
  readonly name: string;
  readonly gateway: ChildGateway;
  readonly key: string;
}

/**
 * A call's overhead with a full store and with an empty one, in turns: what else runs on the machine disturbs both alike.
 * There are more turns until the difference is told from noise, or is known to be next to nothing. The model's answer is made
 * in the gateway, so that nothing else is measured.
 */
export async function callCosts(
  subjects: readonly [CallSubject, CallSubject],
  databaseCpu: () => number = () => 0,
): Promise<ComparedCalls> {
  const turns = subjects.map(() => [] as Omit<CallCost, "name">[]);
  for (let turn = 0; turn < WARM_UP; turn += 1)
    for (const { gateway, key } of subjects) await turnOf(gateway, key, databaseCpu);
  const cpuOfTurns = (at: number): number[] => turns[at]!.map(({ cpu }) => cpu);
  const told = () => meanDifference(cpuOfTurns(0), cpuOfTurns(1));
  for (let turn = 0; turn < MOST_TURNS; turn += 1) {
    tellProgress(`calls: turn ${turn + 1} of at most ${MOST_TURNS}`);
    // Whoever comes first is another one each time.
    for (const at of turn % 2 === 0 ? [0, 1] : [1, 0])
      turns[at]!.push(await turnOf(subjects[at]!.gateway, subjects[at]!.key, databaseCpu));
    const { difference, within } = told();
    const isKnown = Math.abs(difference) > within || within < FINE * median(cpuOfTurns(1));
    if (turn + 1 >= LEAST_TURNS && isKnown) break;
  }
  const costs = subjects.map(({ name }, at) => ({
    name,
    cpu: median(cpuOfTurns(at)),
    p50: median(turns[at]!.map(({ p50 }) => p50)),
    p95: median(turns[at]!.map(({ p95 }) => p95)),
  }));
  return { costs, turns: turns[0]!.length, ...told() };
}

/** The mean of differences of pairs, and twice its standard error. */
function meanDifference(ones: readonly number[], others: readonly number[]) {
  const differences = ones.map((one, at) => one - others[at]!);
  const mean = (numbers: readonly number[]) => numbers.reduce((sum, each) => sum + each, 0) / numbers.length;
  const difference = mean(differences);
  const variance = mean(differences.map((each) => (each - difference) ** 2));
  return { difference, within: 2 * Math.sqrt(variance / Math.max(1, differences.length - 1)) };
}

async function turnOf(
  gateway: ChildGateway,
  key: string,
  databaseCpu: () => number,
): Promise<Omit<CallCost, "name">> {
  const times: number[] = [];
  const used = () => cpuOf(gateway.process.pid!) + databaseCpu();
  const before = used();
  let left = CALLS;
  const one = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const began = performance.now();
      const answer = await gateway.call("/v1/chat/completions", {
        key,
        body: { model: "model-0", messages: [{ role: "user", content: "hello" }] },
      });
      await answer.arrayBuffer();
      if (answer.status !== 200) throw new Error(`a call was answered with ${answer.status}`);
      times.push(performance.now() - began);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, one));
  // With the rows of its calls in the database.
  await gateway.call("/spend/logs?page_size=1");
  const cpu = (used() - before) / CALLS;
  times.sort((left_, right) => left_ - right);
  return { cpu, p50: times[Math.floor(times.length / 2)]!, p95: times[Math.floor(times.length * 0.95)]! };
}

/** Microseconds of CPU that a process has used. */
export function cpuOf(pid: number): number {
  return statOf(pid)!.cpu * 1e6;
}
