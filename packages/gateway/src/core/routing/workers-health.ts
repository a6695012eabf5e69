import { isDeepStrictEqual } from "node:util";
import { type Siblings, topics } from "../../platform/siblings/siblings.ts";
import { DeploymentHealth, type ForeignCalls, type HealthEvent } from "./health.ts";

/** Milliseconds between two messages about calls that go on. */
const TELL_EVERY = 200;

/** Minutes must be the same in all workers: milliseconds since the epoch, never running backwards. */
const now = (): number => performance.timeOrigin + performance.now();

/** What a worker tells the others: what it noticed, or the calls of deployments since it last told. */
type Told =
  | { readonly event: HealthEvent }
  | { readonly from: number; readonly calls: readonly (readonly [id: string, calls: ForeignCalls])[] };

/**
 * The health of deployments in one of several workers. Failures, probes and recoveries reach the others at once, so that
 * they count as if they had happened there; calls that run reach them five times a second.
 */
export function openWorkersHealth({ primary, number, tellOthers }: Siblings): DeploymentHealth {
  const health = new DeploymentHealth(now, (event) => tellOthers(topics.health, { event } satisfies Told));
  const foreign = new Map<number, Map<string, ForeignCalls>>();
  health.countForeign(foreign);
  primary.on(topics.health, (told: Told) => {
    if ("event" in told) return health.hear(told.event);
    const known = foreign.get(told.from) ?? new Map<string, ForeignCalls>();
    for (const [id, calls] of told.calls) known.set(id, calls);
    foreign.set(told.from, known);
  });
  // Its calls ended with it.
  primary.on(topics.left, (worker: number) => void foreign.delete(worker));
  const told = new Map<string, ForeignCalls>();
  setInterval(() => {
    const calls = [...health.ownCalls()].filter(([id, own]) => !isDeepStrictEqual(told.get(id), own));
    for (const [id, own] of calls) told.set(id, own);
    if (calls.length > 0) tellOthers(topics.health, { from: number, calls } satisfies Told);
  }, TELL_EVERY).unref();
  return health;
}
