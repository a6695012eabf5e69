import type { ChildGateway } from "../../packages/gateway/test/support/gateway.ts";
import { statOf } from "../process-stat.ts";
import { median } from "../statistics.ts";
import { tellProgress } from "./fill.ts";

/** What calls cost with one store. */
export interface CallCost {
  readonly name: string;
  /** Microseconds of CPU of the gateway's process for a call: all of it, spend rows included. */
  readonly cpu: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p95: number;
}

const TURNS = 7;
const CALLS = 1500;
const AT_ONCE = 8;

/**
 * A call's overhead with a full store and with an empty one, in turns: what else runs on the machine disturbs both alike.
 * The model's answer is made in the gateway, so that nothing else is measured; of the turns the median counts.
 */
export async function callCosts(
  gateways: readonly { readonly name: string; readonly gateway: ChildGateway; readonly key: string }[],
): Promise<CallCost[]> {
  const turns = gateways.map(() => [] as Omit<CallCost, "name">[]);
  for (let turn = 0; turn <= TURNS; turn += 1) {
    tellProgress(`calls: turn ${turn} of ${TURNS}`);
    for (const [at, { gateway, key }] of gateways.entries()) {
      const cost = await turnOf(gateway, key);
      // The first turn warms up.
      if (turn > 0) turns[at]!.push(cost);
    }
  }
  return gateways.map(({ name }, at) => ({
    name,
    cpu: median(turns[at]!.map(({ cpu }) => cpu)),
    p50: median(turns[at]!.map(({ p50 }) => p50)),
    p95: median(turns[at]!.map(({ p95 }) => p95)),
  }));
}

async function turnOf(gateway: ChildGateway, key: string): Promise<Omit<CallCost, "name">> {
  const times: number[] = [];
  const before = cpuOf(gateway.process.pid!);
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
  const cpu = (cpuOf(gateway.process.pid!) - before) / CALLS;
  times.sort((left_, right) => left_ - right);
  return { cpu, p50: times[Math.floor(times.length / 2)]!, p95: times[Math.floor(times.length * 0.95)]! };
}

/** Microseconds of CPU that a process has used. */
export function cpuOf(pid: number): number {
  return statOf(pid)!.cpu * 1e6;
}
