import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { expect } from "vitest";
import { randomNumbers } from "../../../../tools/random-numbers.ts";
import type { SpendRow } from "../../src/core/ledger/spend-tables.ts";
import type { Period } from "../../src/features/spend/period.ts";
import { type Group, sourceOf } from "../../src/features/spend/sum-sources.ts";
import type { Condition } from "../../src/features/spend/visible-rows.ts";
import type { Store } from "../../src/platform/store/schema.ts";

const DAY = 86_400_000;
/** The moment from which rows are made. */
export const FIRST = Date.parse("2026-01-01");

type Sums = Readonly<Record<string, readonly number[]>>;

const COUNTED = ["spend", "requests", "successes", "prompt_tokens", "cache_write_tokens"] as const;

const random = randomNumbers();
const oneOf = <T>(...values: readonly T[]): T => values[random(values.length)]!;

/** A row that began within some days from `FIRST` on. */
export function randomRow(days: number): SpendRow {
  const started_at = FIRST + random(days * DAY);
  const tags = oneOf(null, ["a"], ["a", 'b, "é"'], ["a", "a"], ["=c"]);
  return {
    id: randomUUID(),
    request_id: randomUUID(),
    key_hash: oneOf("key 1", "key 2", "key 3"),
    user_id: oneOf(null, "", "null", "user", "user 2", 'user", "team'),
    team_id: oneOf(null, "", "null", "team", 'te"am'),
    organization_id: oneOf(null, "", "null", "org"),
    end_user: oneOf(null, "", "null", "customer", "Customer", "customer ", "ü".repeat(500)),
    tags: tags && JSON.stringify(tags),
    session_id: oneOf(null, "session", 'ses"sion'),
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
  tags: (row) => row.tags,
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

async function reported(store: Store, { by, period, tags, where = [] }: Asked): Promise<Sums> {
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

/**
 * Every way in which reports add up, over days, half days and moments.
 * @param rows what was written, from `FIRST` on
 * @param periodOf what a report is to tell of in place of the period that is asked for
 */
export async function expectEqualSums(
  store: Store,
  rows: readonly SpendRow[],
  days: number,
  periodOf: (period: Period, by: readonly Group[], isNarrow: boolean) => Period = (period) => period,
): Promise<void> {
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
  // Whoever administers an organization and has a key, as `visibleRows` has it.
  const ofTenant = {
    where: [
      sql<boolean>`(spend_logs.key_hash = 'key 1' or spend_logs.organization_id = 'org'
        or (spend_logs.organization_id is null and spend_logs.team_id in ('team')))`,
    ],
    isFit: (row: SpendRow) =>
      row.key_hash === "key 1" ||
      row.organization_id === "org" ||
      (row.organization_id === null && row.team_id === "team"),
  };
  const asked: Omit<Asked, "period">[] = [
    { by: [] },
    { by: ["model"] },
    { by: ["day", "provider"] },
    { by: ["key"] },
    { by: ["day", "team"] },
    { by: ["day", "tags", "model"], ...ofUser },
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
    { by: ["customer"], ...ofUser },
    { by: ["day", "customer", "team", "key"], ...ofUser },
    { by: ["customer"], ...ofTenant },
  ];
  for (const each of asked)
    for (const period of periods) {
      const question = { ...each, period };
      const told = { by: each.by, period, isNarrow: each.where !== undefined };
      expect({ ...told, sums: await reported(store, question) }).toEqual({
        ...told,
        sums: addedUp(rows, {
          ...question,
          period: periodOf(period, each.by, each.where !== undefined),
        }),
      });
    }
}
