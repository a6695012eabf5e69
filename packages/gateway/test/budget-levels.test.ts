import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Fleet } from "./attack-budgets/fleet.ts";
import { attackLevels, tableOfLevels } from "./attack-budgets/levels.ts";
import { hasPostgres, hasRedis } from "./support/services.ts";

/**
 * Budgets of every level at once on three replicas, which are killed while Redis goes and comes. What is billed under a
 * budget never passes it by more than one call, and nobody is refused while some of it is left.
 *
 * `npm run attack:levels -w portico` runs 500 callers and prints the table.
 */
const callers = Number(process.env.LEVELS_CALLERS ?? 60);

describe.skipIf(!hasPostgres || !hasRedis)("Budgets of every level under kills and without Redis", () => {
  let fleet: Fleet;
  beforeAll(async () => {
    fleet = await Fleet.start(3);
  });
  afterAll(() => fleet?.close());

  it(`hold against ${callers} callers`, { timeout: 1_500_000 }, async () => {
    const report = await attackLevels(fleet, { callers, calls: Math.round(callers / 1.25) });
    if (process.env.LEVELS_CALLERS !== undefined) process.stdout.write(`${tableOfLevels(report)}\n`);
    const broken = report.levels.filter((level) => level.broken.length > 0);
    expect(broken, `${tableOfLevels(report)}\n${fleet.log()}`).toEqual([]);
    expect(report.kills, "so many kills while callers called").toBeGreaterThan(0);
  });
});
