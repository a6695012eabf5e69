import { afterEach, beforeEach, expect, it } from "vitest";
import { textOfRow } from "../src/core/ledger/journal/journaled-row.ts";
import { openSpendSink } from "../src/core/ledger/journal/spend-sink.ts";
import type { SpendRow } from "../src/core/ledger/spend-tables.ts";
import { sha256 } from "../src/util/sha256.ts";
import { operationsOf } from "./rules/operations.ts";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";
import { describeOnEachStore } from "./support/stores.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** Reports about those who are there, by their own tables. */
const OF_THE_LIVING = ["/spend/keys", "/spend/users"];
/** What a report tells of a key beside its hash, and of whoever has another name than an id: it goes with them. */
const NAMES = ["key_alias", "key_name", "metadata"];

describeOnEachStore("Spend", (opener) => {
  let gateway: TestGateway;

  beforeEach(async () => {
    gateway = await startTestGateway(
      opener.url === undefined
        ? { dataDirectory: opener.folder! }
        : { environment: { DATABASE_URL: opener.url } },
    );
  });
  afterEach(() => gateway.close());

  async function ask(path: string, body?: object): Promise<unknown> {
    const answer = await gateway.call(path, body === undefined ? {} : { body });
    const text = await answer.text();
    expect([path, answer.status, text]).toEqual([path, 200, text]);
    return JSON.parse(text);
  }

  async function write(rows: readonly Partial<SpendRow>[]): Promise<void> {
    const store = await opener.open();
    const sink = await openSpendSink(store.location);
    const whole = rows.map((row, at): SpendRow => {
      const started_at = row.started_at ?? Date.parse("2026-03-01") + at * 7 * HOUR;
      return {
        ...{ id: `row ${at}`, request_id: `call ${at}`, key_hash: "key", user_id: null, team_id: null },
        ...{ model: `m${at % 3}`, model_id: null, provider: "openai", call_type: "acompletion" },
        ...{ status: "success", prompt_tokens: at, completion_tokens: 2, cache_read_tokens: 0 },
        ...{ cache_write_tokens: 0, spend: 2 ** -(at % 20), organization_id: null, end_user: null },
        ...{ tags: '["tag"]', session_id: null, started_at, ended_at: started_at + 1000 },
        ...row,
      };
    });
    await sink.write(whole.map((row) => textOfRow({ row, windowStart: undefined, scopes: [] })));
    await sink.close();
    await store.close();
  }

  it("of keys, teams, users, organizations, customers and tags that are deleted stays in every report", async () => {
    await ask("/organization/new", { organization_id: "org", organization_alias: "org" });
    await ask("/team/new", { team_id: "team", organization_id: "org" });
    await ask("/user/new", { user_id: "user", auto_create_key: false });
    await ask("/customer/new", { user_id: "customer" });
    await ask("/tag/new", { name: "tag" });
    const made = (await ask("/key/generate", { team_id: "team", user_id: "user" })) as { key: string };
    const owners = { key_hash: sha256(made.key), user_id: "user", team_id: "team" };
    await write(
      Array.from({ length: 40 }, (_, at) => ({
        ...owners,
        organization_id: "org",
        end_user: at % 2 ? "customer" : null,
      })),
    );
    const period = "start_date=2026-03-01&end_date=2026-03-31";
    const paths = (await operationsOf(gateway))
      .filter(({ method, path }) => method === "GET" && /\/spend|\/daily\/activity$/.test(path))
      .map(({ path }) => path)
      .filter((path) => !OF_THE_LIVING.includes(path));
    expect(paths.length).toBeGreaterThan(10);
    const groupings = ["team", "customer", "organization", "api_key"];
    const asked = [
      ...paths.map((path) => `${path}?${period}`),
      ...groupings.map((by) => `/global/spend/report?${period}&group_by=${by}`),
      `/global/spend/report?${period}&team_id=team&internal_user_id=user&customer_id=customer`,
    ];
    const report = async () => {
      const told = await Promise.all(asked.map(async (path) => [path, await ask(path)]));
      const customers = await ask("/global/spend/end_users", { startTime: "2026-03-01" });
      const text = JSON.stringify([...told, customers], (name, value) =>
        NAMES.includes(name) && !Array.isArray(value) && value?.total_spend === undefined ? undefined : value,
      );
      return JSON.parse(text) as unknown;
    };
    const before = await report();
    expect(JSON.stringify(before)).toContain(owners.key_hash);
    await ask("/key/delete", { keys: [made.key] });
    await ask("/team/delete", { team_ids: ["team"] });
    await ask("/user/delete", { user_ids: ["user"] });
    await ask("/customer/delete", { user_ids: ["customer"] });
    await ask("/tag/delete", { name: "tag" });
    const left = await gateway.call("/organization/delete", {
      method: "DELETE",
      body: { organization_ids: ["org"] },
    });
    expect(left.status).toBe(200);
    expect(await report()).toEqual(before);
  });

  /** Days in zones whose clocks change, and in those of half and quarter hours; each from its first to its last moment. */
  const days = [
    { zone: "Berlin, 23 hours", from: "2026-03-29T00:00:00+01:00", to: "2026-03-30T00:00:00+02:00" },
    { zone: "Berlin, 25 hours", from: "2026-10-25T00:00:00+02:00", to: "2026-10-26T00:00:00+01:00" },
    { zone: "New York, 23 hours", from: "2026-03-08T00:00:00-05:00", to: "2026-03-09T00:00:00-04:00" },
    { zone: "Lord Howe, 24.5 hours", from: "2026-04-05T00:00:00+11:00", to: "2026-04-06T00:00:00+10:30" },
    { zone: "Kathmandu", from: "2026-06-01T00:00:00+05:45", to: "2026-06-02T00:00:00+05:45" },
  ];

  it("of a day in a time zone is that of its hours, also where its clocks change", async () => {
    const spans = days.map(({ from, to }) => [Date.parse(from), Date.parse(to)] as const);
    const starts = spans.flatMap(([from, to]) => {
      const quarters = Array.from(
        { length: (to - from) / (HOUR / 4) + 8 },
        (_, at) => from - HOUR + at * (HOUR / 4),
      );
      return [...quarters, from - 1, to - 1];
    });
    await write(starts.map((started_at) => ({ started_at, spend: 1 })));
    const within = (from: number, to: number) => starts.filter((at) => at >= from && at < to).length;
    for (const [at, { zone, from, to }] of days.entries()) {
      const [start, end] = spans[at]!;
      const query = (first: string, last: string) =>
        `start_date=${encodeURIComponent(first)}&end_date=${encodeURIComponent(last)}`;
      const spent = async (path: string): Promise<number> => {
        const told = (await ask(path)) as { spend: number } | { total_spend: number; spend?: number }[];
        return Array.isArray(told)
          ? told.reduce((sum, row) => sum + (row.spend ?? row.total_spend), 0)
          : told.spend;
      };
      for (const report of [
        "/global/spend",
        "/global/spend/keys",
        "/global/spend/models",
        "/global/spend/logs",
      ])
        expect([zone, report, await spent(`${report}?${query(from, to)}`)]).toEqual([
          zone,
          report,
          within(start, end),
        ]);
      // The hours before and behind add up with it: none is in two days or in none.
      const before = new Date(start - DAY).toISOString();
      const behind = new Date(end + DAY).toISOString();
      const parts = await Promise.all(
        [query(before, from), query(from, to), query(to, behind)].map((each) =>
          spent(`/global/spend?${each}`),
        ),
      );
      expect(parts.reduce((sum, part) => sum + part)).toBe(within(start - DAY, end + DAY));
    }
  });
});
