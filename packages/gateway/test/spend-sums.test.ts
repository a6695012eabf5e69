import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterEach, beforeEach, expect, it } from "vitest";
import { textOfRow } from "../src/core/ledger/journal/journaled-row.ts";
import { openSpendSink, type SpendSink } from "../src/core/ledger/journal/spend-sink.ts";
import { addBlocks, blocksUntil } from "../src/core/ledger/spend-blocks.ts";
import { moveSums, sumEarlierDay, summedFrom } from "../src/core/ledger/spend-sums.ts";
import type { SpendRow } from "../src/core/ledger/spend-tables.ts";
import type { Period } from "../src/features/spend/period.ts";
import { type Group, sourceOf } from "../src/features/spend/sum-sources.ts";
import type { Condition } from "../src/features/spend/visible-rows.ts";
import type { Store } from "../src/platform/store/schema.ts";
import { describeOnEachStore } from "./support/stores.ts";

const DAY = 86_400_000;
const FIRST = Date.parse("2026-01-01");
const DAYS = 4;

type Sums = Readonly<Record<string, readonly number[]>>;

const COUNTED = ["spend", "requests", "successes", "prompt_tokens", "cache_write_tokens"] as const;

const random = (count: number): number => Math.floor(Math.random() * count);
const oneOf = <T>(...values: readonly T[]): T => values[random(values.length)]!;

function randomRow(days: number): SpendRow {
  const started_at = FIRST + random(days * DAY);
  const tags = oneOf(null, ["a"], ["a", 'b, "é"'], ["a", "a"], ["=c"]);
  return {
    id: randomUUID(),
    request_id: randomUUID(),
    key_hash: oneOf("key 1", "key 2", "key 3"),
    user_id: oneOf(null, "", "user", "user 2"),
    team_id: oneOf(null, "team", 'te"am'),
    organization_id: oneOf(null, "org"),
    end_user: oneOf(null, "", "customer", "ü".repeat(500)),
    tags: tags && JSON.stringify(tags),
    model: oneOf(null, "model", `m${'"'.repeat(400)}`),
    model_id: null,
    provider: oneOf(null, "openai"),
    call_type: "acompletion",
    status: oneOf("success", "failure", "left"),
    prompt_tokens: random(1000),
    completion_tokens: random(1000),
    cache_read_tokens: random(1000),
    cache_write_tokens: random(1000),
    spend: random(1000) / 1000,
    started_at,
    ended_at: started_at + random(100_000),
  };
}

const groupOf: Readonly<Record<Group, (row: SpendRow, tag: string) => string | number | null>> = {
  day: (row) => Math.floor(row.started_at / DAY),
  key: (row) => row.key_hash,
  user: (row) => row.user_id,
  team: (row) => row.team_id,
  organization: (row) => row.organization_id,
  customer: (row) => row.end_user,
  tag: (_row, tag) => tag,
  model: (row) => row.model,
  provider: (row) => row.provider,
};

interface Asked {
  readonly by: readonly Group[];
  readonly period: Period;
  readonly tags?: readonly string[];
  readonly where?: readonly Condition[];
  readonly isFit?: (row: SpendRow) => boolean;
}

/** What the rows themselves add up to. */
function addedUp(rows: readonly SpendRow[], { by, period, tags, isFit = () => true }: Asked): Sums {
  // One sum over everything is there for nothing, too.
  const sums: Record<string, number[]> = by.length === 0 ? { "[]": COUNTED.map(() => 0) } : {};
  for (const row of rows.filter(isFit)) {
    if (row.started_at < period.start || row.started_at >= period.end) continue;
    const own = by.includes("tag") ? (JSON.parse(row.tags ?? "[]") as string[]) : [""];
    for (const tag of own.filter((each) => tags?.includes(each) ?? true)) {
      const name = JSON.stringify(by.map((group) => groupOf[group](row, tag)));
      const counts = {
        ...row,
        requests: row.status === "left" ? 0 : 1,
        successes: row.status === "success" ? 1 : 0,
      };
      sums[name] = COUNTED.map((column, at) => (sums[name]?.[at] ?? 0) + counts[column]);
    }
  }
  return rounded(sums);
}

function rounded(sums: Sums): Sums {
  return Object.fromEntries(
    Object.entries(sums).map(([name, each]) => [name, each.map((sum) => Number(sum.toFixed(6)))]),
  );
}

describeOnEachStore("Sums of the spend log", (opener) => {
  let store: Store;
  const sinks: SpendSink[] = [];

  beforeEach(async () => {
    store = await opener.open();
    for (let replica = 0; replica < 2; replica += 1) sinks.push(await openSpendSink(store.location));
  });
  afterEach(async () => {
    for (const sink of sinks.splice(0)) await sink.close();
    await store.close();
  });

  const write = (rows: readonly SpendRow[], replica = 0): Promise<void> =>
    sinks[replica]!.write(rows.map((row) => textOfRow({ row, windowStart: undefined, scopes: [] })));

  const rowsThere = async (): Promise<SpendRow[]> => store.db.selectFrom("spend_logs").selectAll().execute();

  async function reported({ by, period, tags, where = [] }: Asked): Promise<Sums> {
    const source = await sourceOf(store, { by, period, tags, where });
    const groups = by.map((_, at) => sql.ref(`group_${at}`));
    const sums = COUNTED.map((name) => sql`sum(${sql.ref(name)}) as ${sql.ref(name)}`);
    const { rows } = await sql<Record<string, string | number | null>>`
      select ${sql.join([...groups, ...sums])} from ${source} as counted
      ${by.length === 0 ? sql`` : sql`group by ${sql.join(groups)}`}`.execute(store.db);
    const groupValue = (group: Group, value: string | number | null | undefined) =>
      group === "day" ? Number(value) : (value ?? null);
    const named = rows.map((row) => [
      JSON.stringify(by.map((group, at) => groupValue(group, row[`group_${at}`]))),
      COUNTED.map((name) => Number(row[name])),
    ]);
    return rounded(Object.fromEntries(named));
  }

  /** Every way in which reports add up, over days, half days and moments. */
  async function expectEqual(days = DAYS): Promise<void> {
    const rows = await rowsThere();
    const moment = () => FIRST + random(days * DAY);
    const [one, other] = [moment(), moment()];
    const periods = [
      { start: 0, end: Date.parse("9999-12-31") },
      { start: FIRST + DAY, end: FIRST + (days - 1) * DAY },
      { start: FIRST + DAY / 2, end: FIRST + 2.5 * DAY },
      { start: Math.min(one, other), end: Math.max(one, other) + 1 },
    ];
    const ofUser = {
      where: [sql<boolean>`spend_logs.user_id = 'user'`],
      isFit: (row: SpendRow) => row.user_id === "user",
    };
    const asked: Omit<Asked, "period">[] = [
      { by: [] },
      { by: ["model"] },
      { by: ["day", "provider"] },
      { by: ["key"] },
      { by: ["day", "team"] },
      { by: ["customer"] },
      { by: ["team"] },
      { by: ["day", "key"] },
      { by: ["day", "customer"] },
      { by: ["tag"] },
      { by: ["day", "tag"], tags: ["a", "nobody's"] },
      { by: ["day", "organization", "model", "key"] },
      { by: ["day", "tag", "key"] },
      { by: ["user"], ...ofUser },
      { by: ["tag"], ...ofUser },
      { by: ["day", "model"], ...ofUser },
    ];
    for (const each of asked)
      for (const period of periods) {
        const question = { ...each, period };
        const told = { by: each.by, period, isNarrow: each.where !== undefined };
        expect({ ...told, sums: await reported(question) }).toEqual({
          ...told,
          sums: addedUp(rows, question),
        });
      }
  }

  /** As a store is of which no day is summed up but those to come. */
  async function forgetSums(): Promise<void> {
    for (const table of ["spend_days", "spend_tags", "spend_half_hours", "spend_groups"])
      await sql`delete from ${sql.table(table)}`.execute(store.db);
    const value = String(FIRST / DAY + DAYS);
    await store.db.updateTable("settings").set({ value }).where("name", "=", "spend_sums_from").execute();
  }

  const many = (count: number, days = DAYS): SpendRow[] =>
    Array.from({ length: count }, () => randomRow(days));

  const moved = async (from: string, to: string): Promise<void> => {
    await store.db.transaction().execute(async (within) => {
      await within.updateTable("spend_logs").set({ key_hash: to }).where("key_hash", "=", from).execute();
      await moveSums(store, within, from, to);
    });
  };

  it("equal the rows after writes, also when the same rows come again", async () => {
    expect(await summedFrom(store.db)).toBe(0);
    const rows = many(200);
    await write(rows);
    await write([...rows.slice(50), ...many(50)]);
    await write([...rows.slice(0, 3), ...rows.slice(0, 3)]);
    expect(await rowsThere()).toHaveLength(250);
    await expectEqual();
  });

  it("follow a key that is renewed, and one that later has its old text", async () => {
    await write(many(100));
    await moved("key 1", "key 4");
    await write(many(100));
    await expectEqual();
    await moved("key 1", "key 5");
    await write(many(50));
    await expectEqual();
    await moved("key 4", "key 1");
    await moved("key 1", "key 4");
    await expectEqual();
  });

  it("take in the days from before one by one, while rows come for these days", async () => {
    await write(many(150));
    await forgetSums();
    await expectEqual();
    for (let left = DAYS; left > 0; left -= 1) {
      await write(many(30));
      await Promise.all([sumEarlierDay(store), write(many(30), 0), write(many(30), 1)]);
      await expectEqual();
    }
    while (await sumEarlierDay(store));
    expect(await summedFrom(store.db)).toBe(0);
    await expectEqual();
  });

  it("add up blocks of days that are over, and rows that come late end these", async () => {
    const days = 37;
    const today = FIRST / DAY + days - 1;
    const now = today * DAY + 2 * 3_600_000;
    await write(many(150, days));
    expect(await blocksUntil(store.db)).toBe(0);
    while (await addBlocks(store, now));
    expect(await blocksUntil(store.db)).toBe(today);
    await expectEqual(days);
    const late = { ...randomRow(days), started_at: FIRST + 5 * DAY + 1 };
    await write([late]);
    expect(await blocksUntil(store.db)).toBe(FIRST / DAY + 5);
    await expectEqual(days);
    await addBlocks(store, now);
    expect(await blocksUntil(store.db)).toBe(FIRST / DAY + 6);
    await expectEqual(days);
    // Replicas write, and a key is renewed, while blocks are made.
    for (let round = 0; round < 3; round += 1)
      await Promise.all([addBlocks(store, now), write(many(20, days), 0), write(many(20, days), 1)]);
    await Promise.all([addBlocks(store, now), moved("key 1", "key 4")]);
    await expectEqual(days);
    while (await addBlocks(store, now));
    await moved("key 2", "key 1");
    await expectEqual(days);
    expect(await addBlocks(store, now)).toBe(false);
  });

  it("lose nothing where replicas write at once", async () => {
    for (let round = 0; round < 5; round += 1)
      await Promise.all([write(many(60), 0), write(many(60), 1), write(many(60), 0)]);
    expect(await rowsThere()).toHaveLength(900);
    await expectEqual();
  });
});
