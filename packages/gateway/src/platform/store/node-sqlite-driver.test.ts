import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Kysely, sql } from "kysely";
import { afterEach, expect, it } from "vitest";
import { NodeSqliteDialect } from "./node-sqlite-dialect.ts";

const folder = mkdtempSync(join(tmpdir(), "portico-driver-"));
const db = new Kysely<object>({ dialect: new NodeSqliteDialect(join(folder, "x.sqlite")) });
afterEach(async () => {
  await db.destroy();
  rmSync(folder, { recursive: true, force: true });
});

/** Takes about as long as it has rows. */
const counted = (to: number) =>
  sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${to}) select count(*) from n`;

it("gives others their turn between statements that take long, alone or together", async () => {
  let turns = 0;
  let goesOn = true;
  const count = (): void => {
    turns += 1;
    if (goesOn) setImmediate(count);
  };
  setImmediate(count);
  const during = async (work: () => Promise<unknown>): Promise<number> => {
    const before = turns;
    await work();
    return turns - before;
  };
  const LARGE = 300_000;
  const large = await during(() =>
    db.transaction().execute(async (transaction) => {
      for (let at = 0; at < 4; at += 1) await counted(LARGE).execute(transaction);
    }),
  );
  const small = await during(async () => {
    for (let at = 0; at < LARGE / 300; at += 1) await counted(400).execute(db);
  });
  goesOn = false;
  expect(large).toBeGreaterThanOrEqual(4);
  expect(small).toBeGreaterThanOrEqual(4);
});
