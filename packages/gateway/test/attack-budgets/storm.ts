import { setTimeout as sleep } from "node:timers/promises";
import type { Attack, Outcome } from "./attacks.ts";
import type { Fleet } from "./fleet.ts";

/** What happens while an attack goes on. */
export interface Fault {
  readonly name: string;
  readonly replicas: number;
  /** Of each replica. */
  readonly workers?: number;
  /** Until `signal` aborts. */
  strike?(fleet: Fleet, signal: AbortSignal): Promise<void>;
}

/** How many calls ended in each way. */
type Outcomes = Readonly<Record<Outcome, number>>;

/** How an attack's callers fared. */
interface Spent {
  readonly outcomes: Outcomes;
  /** What the calls that failed said, each once. */
  readonly reasons: ReadonlySet<string>;
}

/** How an attack ended; amounts in US dollars. */
export interface Report {
  readonly attack: string;
  readonly fault: string;
  readonly budget: number;
  readonly billed: number;
  /** By how many of its calls the budget was passed. */
  readonly overshoot: number;
  /** Calls that the budget refused although some of it was left in the end. */
  readonly refusedEarly: number;
  readonly outcomes: Outcomes;
  /** What breaks the promise. */
  readonly broken: readonly string[];
}

/** Calls that a budget pays for. */
const CALLS = 20;
const CALLERS = 10;
/** Milliseconds after which callers give up, and for which what is billed must stand still. */
const PATIENCE = 240_000;
const STILL = 8000;
const CENT = 1e-9;

/** The fault strikes while attacks go on, each on a budget of its own; then what they were billed is compared with it. */
export async function storm(
  fleet: Fleet,
  attacks: readonly Attack[],
  fault: Fault,
): Promise<readonly Report[]> {
  const over = new AbortController();
  const keys = await Promise.all(attacks.map((attack) => fleet.newKey(CALLS * attack.cost)));
  const striking = fault.strike?.(fleet, over.signal);
  const spent = await Promise.all(attacks.map((attack, index) => spend(fleet, attack, keys[index]!)));
  over.abort();
  await striking;
  return Promise.all(
    attacks.map((attack, index) => judge(fleet, attack, fault, keys[index]!, spent[index]!)),
  );
}

/** Callers spend at the same moment until the budget refuses them. */
async function spend(fleet: Fleet, attack: Attack, key: string): Promise<Spent> {
  const outcomes: Record<Outcome, number> = { passed: 0, refused: 0, later: 0, failed: 0 };
  const reasons = new Set<string>();
  const deadline = performance.now() + PATIENCE;
  const call = async (caller: number): Promise<void> => {
    const { tries = Number.POSITIVE_INFINITY } = attack;
    for (let made = 0; made < tries && performance.now() < deadline; made += 1) {
      const outcome = await attack
        .send(await fleet.any(caller + made), key)
        .catch((error: Error): Outcome => {
          reasons.add(`${error.message} ${error.cause ?? ""}`.trim());
          return "failed";
        });
      outcomes[outcome] += 1;
      if (outcome === "refused") return;
      if (outcome !== "passed") await sleep(200);
    }
  };
  await Promise.all(Array.from({ length: attack.callers ?? CALLERS }, (_, caller) => call(caller)));
  return { outcomes, reasons };
}

async function judge(
  fleet: Fleet,
  attack: Attack,
  fault: Fault,
  key: string,
  { outcomes, reasons }: Spent,
): Promise<Report> {
  const budget = CALLS * attack.cost;
  const isOver = await waitUntil(async () => (await attack.isOver?.(await fleet.any(0))) ?? true);
  const billed = await settled(() => fleet.billed(key));
  const dearest = Math.max(attack.cost, await fleet.dearest(key));
  const overshoot = Math.max(0, (billed - budget) / dearest);
  const isLeft = billed < budget - CENT;
  const broken = [
    ...(overshoot > 1 + CENT ? [`${overshoot.toFixed(1)} calls over the budget`] : []),
    ...(attack.spendsAll && isLeft ? [`$${(budget - billed).toFixed(3)} could not be spent`] : []),
    ...(isOver ? [] : ["not over in time"]),
    ...(outcomes.failed > 0 && fault.strike === undefined
      ? [`${outcomes.failed} calls failed: ${[...reasons].slice(0, 3).join("; ")}`]
      : []),
  ];
  const refusedEarly = attack.spendsAll && isLeft ? outcomes.refused : 0;
  return {
    attack: attack.name,
    fault: fault.name,
    budget,
    billed,
    overshoot,
    refusedEarly,
    outcomes,
    broken,
  };
}

/** What is billed once it does not change any more. */
export async function settled(read: () => Promise<number>): Promise<number> {
  let billed = -1;
  for (let since = performance.now(); performance.now() - since < STILL; await sleep(500)) {
    const now = await read().catch(() => billed);
    if (now !== billed) since = performance.now();
    billed = now;
  }
  return billed;
}

async function waitUntil(condition: () => Promise<boolean>): Promise<boolean> {
  const deadline = performance.now() + PATIENCE;
  while (performance.now() < deadline) {
    if (await condition().catch(() => false)) return true;
    await sleep(500);
  }
  return false;
}

/** The faults: none, killed processes, a Redis that stops and comes back empty, and a PostgreSQL that crashes. */
export const faults: readonly Fault[] = [
  { name: "none, 1 process", replicas: 1 },
  { name: "none, 4 workers", replicas: 1, workers: 4 },
  { name: "none, 3 replicas", replicas: 3 },
  { name: "kill -9, 1 process", replicas: 1, strike: kills },
  { name: "kill -9, 4 workers", replicas: 1, workers: 4, strike: kills },
  { name: "kill -9, 3 replicas", replicas: 3, strike: kills },
  { name: "Redis stops, 3 replicas", replicas: 3, strike: withoutRedis },
  { name: "PostgreSQL stops, 3 replicas", replicas: 3, strike: withoutPostgres },
];

const MAX_KILLS = 3;

async function kills(fleet: Fleet, signal: AbortSignal): Promise<void> {
  for (let turn = 0; turn < MAX_KILLS; turn += 1) {
    await sleep(600, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    await fleet.killOne(turn);
  }
}

async function withoutRedis(fleet: Fleet, signal: AbortSignal): Promise<void> {
  await sleep(300);
  await fleet.stopRedis();
  await sleep(8000, undefined, { signal }).catch(() => undefined);
  await fleet.startRedisAgain();
}

async function withoutPostgres(fleet: Fleet, signal: AbortSignal): Promise<void> {
  await sleep(300);
  fleet.crashDatabase();
  await sleep(6000, undefined, { signal }).catch(() => undefined);
  fleet.startDatabaseAgain();
}

/** The reports as a table. */
export function tableOf(reports: readonly Report[]): string {
  const rows = reports.map(({ attack, fault, budget, billed, overshoot, refusedEarly, outcomes, broken }) =>
    [
      attack,
      fault,
      `$${billed.toFixed(3)} / $${budget.toFixed(2)}`,
      overshoot.toFixed(2),
      refusedEarly,
      `${outcomes.passed}/${outcomes.refused}/${outcomes.later}/${outcomes.failed}`,
      broken.join(", ") || "holds",
    ].join(" | "),
  );
  return [
    "| Attack | Fault | billed / budget | calls over | refused while some was left | passed/402/429/failed | |",
    "|---|---|---|---|---|---|---|",
    ...rows.map((row) => `| ${row} |`),
  ].join("\n");
}
