import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Attack, makeAttacks } from "./attack-budgets/attacks.ts";
import { Fleet } from "./attack-budgets/fleet.ts";
import { faults, type Report, storm, tableOf } from "./attack-budgets/storm.ts";
import { hasPostgres, hasRedis } from "./support/services.ts";

/**
 * Ways to spend more than a budget has, while processes are killed and Redis stops. The sum that is billed never passes
 * the budget by more than one call, and nobody is refused while some of it is left.
 *
 * `npm run attack:budgets -w portico` runs every attack under every fault and prints the table. ATTACKS and FAULTS choose
 * some by parts of their names, with semicolons between them.
 */
const isFull = process.env.ATTACK_CALLS !== undefined;
const attacksWanted = (process.env.ATTACKS ?? "").split(";");
/** The reduced form: one attack of each kind of share, at the same moment on one fleet. */
const REDUCED = [
  "chat, limited",
  "n answers",
  "callers leave streams",
  "background, at the provider",
  "batches, at the provider",
  "batches, translated",
  "batches of n answers, here",
];
const isReduced = !isFull && process.env.ATTACKS === undefined;
const faultsWanted = (process.env.FAULTS ?? (isFull ? "" : "kill -9, 3;Redis stops")).split(";");
const isWanted = (name: string, wanted: readonly string[]): boolean =>
  wanted.some((part) => name.includes(part));

const reports: Report[] = [];
afterAll(() => {
  if (isFull) process.stdout.write(`${tableOf(reports)}\n`);
});

const possible = faults.filter(({ name, replicas }) => {
  const hasServers = replicas === 1 || (hasPostgres && hasRedis);
  return hasServers && isWanted(name, faultsWanted);
});

/** Attacks that run at the same moment. */
function groupsOf(
  attacks: readonly Attack[],
): { readonly name: string; readonly attacks: readonly Attack[] }[] {
  if (isReduced)
    return [{ name: "all at once", attacks: attacks.filter(({ name }) => REDUCED.includes(name)) }];
  return attacks
    .filter(({ name }) => isWanted(name, attacksWanted))
    .map((attack) => ({ name: attack.name, attacks: [attack] }));
}

describe.each(possible)("A budget under the fault: $name", (fault) => {
  let fleet: Fleet;
  beforeAll(async () => {
    fleet = await Fleet.start(fault.replicas, fault.workers);
  });
  afterAll(() => fleet?.close());

  it.each(groupsOf(makeAttacks()))("holds against $name", { timeout: 900_000 }, async ({ attacks }) => {
    const found = await storm(fleet, attacks, fault);
    reports.push(...found);
    if (isFull) process.stderr.write(`${tableOf(found).split("\n").slice(2).join("\n")}\n`);
    const broken = found.filter((report) => report.broken.length > 0);
    expect(broken, `${tableOf(found)}\n${fleet.log()}`).toEqual([]);
  });
});
