import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openPostgresStore, openSqliteStore } from "../src/platform/store/open-store.ts";
import { runBatchChaos } from "./support/batch-chaos.ts";
import type { ChaosReport } from "./support/chaos-report.ts";
import { startPostgres, type TestPostgres } from "./support/postgres.ts";
import { hasPostgres } from "./support/services.ts";

/** `npm run chaos:batches -w portico` runs 2,000 rows with 50 kills. */
const rows = Number(process.env.CHAOS_ROWS ?? 200);
const kills = Number(process.env.CHAOS_KILLS ?? 2);
const isFull = process.env.CHAOS_ROWS !== undefined;
/** Only for a run that is lost: one that stands still says so earlier, and what happened until then. */
const timeout = 600_000 + kills * 30_000;

let folder = "";
let postgres: TestPostgres;
beforeAll(async () => {
  if (hasPostgres) postgres = await startPostgres();
});
afterAll(() => postgres?.stop());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "portico-chaos-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function expectExactlyOnce(report: ChaosReport): void {
  expect(report.status).toBe("completed");
  expect(report.counts).toEqual({ total: rows, completed: rows, failed: 0 });
  expect(report.written.size).toBe(rows);
  expect([...report.written].filter(([, times]) => times !== 1)).toEqual([]);
  expect(report.sentAfterCheckpoint).toEqual([]);
  if (isFull) expect(report.sentAfterAnswer).toEqual([]);
  expect(report.answeredAgain).toBeLessThanOrEqual(report.inFlight);
  expect(report.billed.size).toBe(rows);
  const billedAgain = [...report.billed.values()].reduce((sum, times) => sum + times - 1, 0);
  expect(billedAgain).toBeLessThanOrEqual(report.inFlight);
  expect(report.countsFell).toBe(false);
  expect(report.kills).toBeGreaterThanOrEqual(isFull ? kills : 1);
  if (isFull)
    process.stderr.write(
      `${report.kills} kills, ${report.inFlight} rows in flight, ${report.answeredAgain} sent again, ${report.sentAfterAnswer.length} of them long answered, ${billedAgain} billed again\n`,
    );
}

describe("A batch whose processes are killed by SIGKILL has every row exactly once", () => {
  it("in one process on the embedded store", { timeout }, async ({ signal }) => {
    const report = await runBatchChaos({
      rows,
      kills,
      latencyMs: 600,
      dataDirectories: [folder],
      databaseUrl: undefined,
      openStore: () => openSqliteStore(folder),
      signal,
    });
    expectExactlyOnce(report);
  });

  it.skipIf(!hasPostgres)("in two replicas on PostgreSQL", { timeout }, async ({ signal }) => {
    const databaseUrl = await postgres.createDatabase();
    const report = await runBatchChaos({
      rows,
      kills,
      latencyMs: isFull ? 2500 : 600,
      dataDirectories: [join(folder, "a"), join(folder, "b")],
      databaseUrl,
      openStore: () => openPostgresStore(databaseUrl, pino({ level: "silent" })),
      signal,
    });
    expectExactlyOnce(report);
  });
});
