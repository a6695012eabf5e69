import { afterAll, beforeAll, expect, it } from "vitest";
import type { JsonObject } from "../src/contract/json.ts";
import { textOfRow } from "../src/core/ledger/journal/journaled-row.ts";
import { openSpendSink } from "../src/core/ledger/journal/spend-sink.ts";
import type { SpendRow } from "../src/core/ledger/spend-tables.ts";
import { sha256 } from "../src/util/sha256.ts";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";
import { describeOnEachStore } from "./support/stores.ts";

const DAY = 86_400_000;
/** The days of the rows. */
const FIRST = Date.parse("2026-01-01");
const PERIOD = "start_date=2026-01-01&end_date=2026-01-10";

interface Row {
  readonly request_id: string;
  readonly api_key: string;
  readonly user: string | null;
  readonly team_id: string | null;
  readonly organization_id: string | null;
  readonly end_user: string;
  readonly request_tags: readonly string[];
  readonly model: string;
  readonly custom_llm_provider: string;
  readonly status: string;
  readonly total_tokens: number;
  readonly spend: number;
  readonly startTime: string;
}

interface Metrics {
  readonly spend: number;
  readonly total_tokens: number;
  readonly api_requests: number;
  readonly failed_requests: number;
}

type Parts = Readonly<Record<string, { metrics: Metrics; metadata: JsonObject }>>;

interface Activity {
  readonly results: readonly {
    readonly date: string;
    readonly metrics: Metrics;
    readonly breakdown: { models: Parts; providers: Parts; api_keys: Parts; entities: Parts };
  }[];
  readonly metadata: Readonly<Record<string, number | boolean>>;
}

/** What rows spent by what they have in common. */
function spentBy(
  rows: readonly Row[],
  namesOf: (row: Row) => readonly (string | null)[],
): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const row of rows)
    for (const name of namesOf(row)) if (name !== null) sums[name] = (sums[name] ?? 0) + row.spend;
  return rounded(sums);
}

/** Sums of fractions depend on their order in the last digits. */
function rounded(sums: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(sums).map(([name, sum]) => [name, Number(sum.toFixed(9))]));
}

function byName(rows: readonly JsonObject[], name: string, amount: string): Record<string, number> {
  return rounded(Object.fromEntries(rows.map((row) => [String(row[name]), row[amount] as number])));
}

const spendOf = (parts: Parts) =>
  rounded(Object.fromEntries(Object.entries(parts).map(([name, { metrics }]) => [name, metrics.spend])));

const dayOf = (row: Row) => row.startTime.slice(0, 10);

describeOnEachStore(
  "Spend reports",
  (opener) => {
    let gateway: TestGateway;
    let all: readonly Row[];
    const keys: Record<string, string> = {};

    async function ask<T = JsonObject>(path: string, key?: string, body?: object): Promise<T> {
      const answer = await gateway.call(path, { ...(key && { key }), ...(body && { body }) });
      const text = await answer.text();
      expect([path, answer.status, text]).toEqual([path, 200, text]);
      return JSON.parse(text) as T;
    }

    async function newKey(name: string, fields: object): Promise<void> {
      keys[name] = (
        await ask<{ key: string }>("/key/generate", undefined, { key_alias: name, ...fields })
      ).key;
    }

    beforeAll(async () => {
      gateway = await startTestGateway(
        opener.url === undefined
          ? { dataDirectory: opener.folder! }
          : { environment: { DATABASE_URL: opener.url } },
      );
      for (const id of ["o1", "o2"])
        await ask("/organization/new", undefined, { organization_id: id, organization_alias: id });
      for (const user_id of ["lead", "chief", "member", "other"])
        await ask("/user/new", undefined, { user_id, user_role: "internal_user", auto_create_key: false });
      const member = { user_id: "chief", role: "org_admin" };
      await ask("/organization/member_add", undefined, { organization_id: "o1", member });
      const members_with_roles = [
        { user_id: "lead", role: "admin" },
        { user_id: "member", role: "user" },
      ];
      await ask("/team/new", undefined, {
        team_id: "t1",
        team_alias: "=First",
        organization_id: "o1",
        members_with_roles,
      });
      await ask("/team/new", undefined, { team_id: "t2", organization_id: "o1" });
      await ask("/team/new", undefined, { team_id: "t3", organization_id: "o2" });
      for (const user_id of ["lead", "chief", "member"]) await newKey(user_id, { user_id });
      await newKey("ofTeam", { team_id: "t1", user_id: "member" });
      await newKey("elsewhere", { team_id: "t3", user_id: "other" });
      await newKey("nobody", {});
      await newKey("viewer", { user_role: "proxy_admin_viewer" });
      await writeRows();
      all = (await ask<{ data: Row[] }>("/spend/logs?page_size=1000")).data;
      expect(all).toHaveLength(240);
    });
    afterAll(() => gateway?.close());

    /** Rows as the ledger writes them, over ten days. */
    async function writeRows(): Promise<void> {
      const owners = [
        { key: "ofTeam", user: "member", team: "t1", organization: "o1" },
        { key: "member", user: "member", team: null, organization: null },
        { key: "elsewhere", user: "other", team: "t3", organization: "o2" },
        { key: "nobody", user: null, team: "t2", organization: null },
        { key: "chief", user: "chief", team: null, organization: null },
      ];
      const rows = Array.from({ length: 240 }, (_, index): SpendRow => {
        const { key, user, team, organization } = owners[index % owners.length]!;
        const started_at = FIRST + Math.floor(index / 24) * DAY + (index % 24) * 3_600_000;
        const tags = [[], ["a"], ["a", 'b, "é"'], ["-c"]][index % 4]!;
        return {
          id: `row ${index}`,
          request_id: `call ${index}`,
          key_hash: sha256(keys[key]!),
          user_id: user,
          team_id: team,
          organization_id: organization,
          end_user: index % 3 === 0 ? null : `=customer ${index % 3}`,
          session_id: null,
          tags: tags.length === 0 ? null : JSON.stringify(tags),
          model: `model ${index % 7}`,
          model_id: null,
          provider: index % 2 === 0 ? "openai" : "anthropic",
          call_type: "acompletion",
          status: index % 6 === 0 ? "failure" : "success",
          prompt_tokens: index,
          completion_tokens: 2 * index,
          cache_read_tokens: 1,
          cache_write_tokens: 2,
          spend: index / 1000,
          started_at,
          ended_at: started_at + 1000,
        };
      });
      const store = await opener.open();
      const sink = await openSpendSink(store.location);
      await sink.write(rows.map((row) => textOfRow({ row, windowStart: undefined, scopes: [] })));
      await sink.close();
      await store.close();
    }

    it("add up what the log has, by key, team, model, provider, tag, customer and day", async () => {
      const total = all.reduce((sum, row) => sum + row.spend, 0);
      expect((await ask<{ spend: number }>(`/global/spend?${PERIOD}`)).spend).toBeCloseTo(total, 9);
      expect((await ask<{ spend: number }>("/global/spend?end_date=2025-12-31")).spend).toBe(0);
      const list = (path: string) => ask<JsonObject[]>(path);
      expect(byName(await list(`/global/spend/keys?${PERIOD}`), "api_key", "total_spend")).toEqual(
        spentBy(all, (row) => [row.api_key]),
      );
      const models = await list(`/global/spend/models?${PERIOD}&limit=3`);
      expect(Object.keys(spentBy(all, (row) => [row.model]))).toHaveLength(7);
      expect(spentBy(all, (row) => [row.model])).toMatchObject(byName(models, "model", "total_spend"));
      expect(models).toHaveLength(3);
      expect(byName(await list(`/global/spend/provider?${PERIOD}`), "provider", "spend")).toEqual(
        spentBy(all, (row) => [row.custom_llm_provider]),
      );
      expect(byName(await list(`/global/spend/logs?${PERIOD}`), "date", "spend")).toEqual(
        spentBy(all, (row) => [dayOf(row)]),
      );
      const ofTags = spentBy(all, (row) => row.request_tags);
      expect(byName(await list("/spend/tags"), "individual_request_tag", "total_spend")).toEqual(ofTags);
      const tags = await ask<{ spend_per_tag: JsonObject[] }>(`/global/spend/tags?${PERIOD}&tags=a,none`);
      expect(byName(tags.spend_per_tag, "name", "spend")).toEqual({ a: ofTags.a });
      const times = { startTime: "2026-01-01", endTime: "2026-01-31" };
      const customers = await ask<JsonObject[]>("/global/spend/end_users", undefined, times);
      expect(byName(customers, "end_user", "total_spend")).toEqual(spentBy(all, (row) => [row.end_user]));
      const teams = await ask<{ total_spend_per_team: JsonObject[] }>(`/global/spend/teams?${PERIOD}`);
      const nameOf = ({ team_id: id }: Row) => (id === null ? "Unassigned" : id === "t1" ? "=First" : id);
      expect(byName(teams.total_spend_per_team, "team_id", "total_spend")).toEqual(
        spentBy(all, (row) => [nameOf(row)]),
      );
    });

    it("hold to the period, days whole and moments in UTC, and refuse what they cannot read", async () => {
      const days = async (query: string) =>
        (await ask<{ date: string }[]>(`/global/spend/logs?${query}`)).map(({ date }) => date.slice(8));
      expect(await days("start_date=2026-01-02&end_date=2026-01-03")).toEqual(["02", "03"]);
      expect(await days("start_date=2026-01-02T23:00:00&end_date=2026-01-03T00:00:00Z")).toEqual(["02"]);
      expect(await days("start_date=2026-01-02 23:30:00&end_date=2026-01-03T00:00:00Z")).toEqual([]);
      for (const query of [
        "start_date=2026-02-31",
        "start_date=soon",
        "start_date=2026-01-02&end_date=2026-01-01",
      ])
        expect([query, (await gateway.call(`/global/spend/logs?${query}`)).status]).toEqual([query, 400]);
      const refused = [
        "/global/spend/keys?limit=0",
        "/global/spend/models?limit=-1",
        "/global/spend/models?limit=1;drop table spend_logs",
        "/global/spend/provider",
        "/global/spend/report?start_date=2026-01-01",
        `/global/spend/report?${PERIOD}&group_by=spend`,
        `/global/spend/report?${PERIOD}&format=xml`,
        `/team/daily/activity?${PERIOD}&page_size=0`,
        `/tag/daily/activity?${PERIOD}&tags=%00`,
      ];
      for (const path of refused) expect([path, (await gateway.call(path)).status]).toEqual([path, 400]);
      const quoted = encodeURIComponent(`'; drop table spend_logs; --`);
      expect(await ask(`/global/spend/report?${PERIOD}&team_id=${quoted}`)).toEqual([]);
      expect((await ask<Activity>(`/tag/daily/activity?${PERIOD}&tags=${quoted}`)).results).toEqual([]);
    });

    it("show each role what it may see, and no more", async () => {
      const ofMember = (row: Row) => row.user === "member";
      const visible: Record<string, (row: Row) => boolean> = {
        viewer: () => true,
        chief: (row) => row.organization_id === "o1" || row.team_id === "t2" || row.user === "chief",
        lead: (row) => row.team_id === "t1",
        member: ofMember,
        // A key of a team acts for its user within the team alone.
        ofTeam: (row) => ofMember(row) && row.team_id === "t1",
        nobody: (row) => row.api_key === sha256(keys.nobody!),
      };
      for (const [name, sees] of Object.entries(visible)) {
        const rows = all.filter(sees);
        const key = keys[name]!;
        expect(rows.length, name).toBeGreaterThan(0);
        const list = (path: string) => ask<JsonObject[]>(path, key);
        const { data } = await ask<{ data: Row[] }>("/spend/logs?page_size=1000", key);
        expect([name, data.map((row) => row.request_id)]).toEqual([name, rows.map((row) => row.request_id)]);
        expect([name, byName(await list(`/global/spend/logs?${PERIOD}`), "date", "spend")]).toEqual([
          name,
          spentBy(rows, (row) => [dayOf(row)]),
        ]);
        expect(byName(await list("/spend/tags"), "individual_request_tag", "total_spend")).toEqual(
          spentBy(rows, (row) => row.request_tags),
        );
        const { results } = await ask<Activity>(`/user/daily/activity?${PERIOD}&page_size=1000`, key);
        const ofKeys = results.flatMap(({ breakdown }) => Object.keys(breakdown.api_keys));
        expect(new Set(ofKeys)).toEqual(new Set(rows.map((row) => row.api_key)));
        const report = await list(`/global/spend/report?${PERIOD}&group_by=api_key`);
        expect(byName(report, "api_key", "total_cost")).toEqual(spentBy(rows, (row) => [row.api_key]));
      }
      const users = async (key?: string) =>
        (await ask<JsonObject[]>("/spend/users", key)).map(({ user_id }) => user_id).sort();
      expect(await users()).toEqual(["chief", "lead", "member", "other"]);
      expect(await users(keys.chief)).toEqual(["chief"]);
      expect(await users(keys.member)).toEqual(["member"]);
      expect((await gateway.call("/spend/users?user_id=other", { key: keys.member! })).status).toBe(404);
      const aliases = async (key: string) =>
        (await ask<JsonObject[]>("/spend/keys", key)).map((each) => each.key_alias).sort();
      expect(await aliases(keys.lead!)).toEqual(["lead", "ofTeam"]);
      expect(await aliases(keys.nobody!)).toEqual(["nobody"]);
    });

    it("say by day what teams, organizations, users, customers and tags used", async () => {
      const kinds: Record<string, (row: Row) => readonly (string | null)[]> = {
        user: (row) => [row.user],
        team: (row) => [row.team_id],
        organization: (row) => [row.organization_id],
        customer: (row) => [row.end_user || null],
        tag: (row) => row.request_tags,
      };
      for (const [kind, namesOf] of Object.entries(kinds)) {
        const rows = kind === "user" ? all : all.filter((row) => namesOf(row).some((name) => name !== null));
        const { results, metadata } = await ask<Activity>(`/${kind}/daily/activity?${PERIOD}&page_size=1000`);
        expect(results.map(({ date }) => date)).toEqual([...new Set(rows.map(dayOf))].sort().reverse());
        expect(metadata).toMatchObject({
          total_api_requests: rows.length,
          total_failed_requests: rows.filter(({ status }) => status === "failure").length,
          total_tokens: rows.reduce((sum, row) => sum + row.total_tokens, 0),
          page: 1,
          total_pages: 1,
          has_more: false,
        });
        for (const { date, metrics, breakdown } of results) {
          const own = rows.filter((row) => dayOf(row) === date);
          expect(metrics.api_requests).toBe(own.length);
          expect([kind, date, spendOf(breakdown.entities)]).toEqual([kind, date, spentBy(own, namesOf)]);
          expect(spendOf(breakdown.models)).toEqual(spentBy(own, (row) => [row.model]));
          expect(spendOf(breakdown.providers)).toEqual(spentBy(own, (row) => [row.custom_llm_provider]));
          expect(spendOf(breakdown.api_keys)).toEqual(spentBy(own, (row) => [row.api_key]));
        }
      }
      const paged = async (page: number) =>
        ask<Activity>(`/team/daily/activity?${PERIOD}&page_size=20&page=${page}&team_ids=t1`);
      const pages = await Promise.all([1, 2, 3, 4].map(paged));
      expect(pages.map(({ metadata }) => [metadata.total_pages, metadata.has_more])).toEqual([
        [3, true],
        [3, true],
        [3, false],
        [3, false],
      ]);
      expect(pages[3]!.results).toEqual([]);
      const dates = pages.flatMap(({ results }) => results.map(({ date }) => date));
      expect(dates).toEqual([...dates].sort().reverse());
      expect(new Set(dates).size).toBe(10);
      const counted = pages.map(({ metadata }) => Number(metadata.total_api_requests));
      expect(counted.slice(0, 2).every((count) => count >= 20)).toBe(true);
      expect(counted.reduce((sum, count) => sum + count, 0)).toBe(48);
      const spent = pages.reduce((sum, { metadata }) => sum + Number(metadata.total_spend), 0);
      const ofTeam = all.filter((row) => row.team_id === "t1").reduce((sum, row) => sum + row.spend, 0);
      expect(spent).toBeCloseTo(ofTeam, 9);
      expect(pages[0]!.results[0]!.breakdown.entities.t1!.metadata).toEqual({ alias: "=First" });
    });

    it("are tables as CSV, whose cells are no formulas", async () => {
      const path = `/global/spend/report?${PERIOD}`;
      for (const init of [{ path: `${path}&format=csv` }, { path, headers: { accept: "text/csv" } }]) {
        const answer = await gateway.call(init.path, init);
        expect(answer.headers.get("content-type")).toContain("text/csv");
        const lines = (await answer.text()).trimEnd().split("\r\n");
        expect(lines[0]).toBe(
          "day,team_id,team_name,model,api_key,spend,prompt_tokens,completion_tokens,total_tokens,requests",
        );
        const rows = lines.slice(1).map((line) => line.split(","));
        const requests = rows.reduce((sum, row) => sum + Number(row[9]), 0);
        expect(requests).toBe(all.length);
        expect(new Set(rows.map((row) => row[2]))).toEqual(
          new Set(["'=First", "t2", "t3", "Unassigned Team"]),
        );
      }
      const customers = await gateway.call(`${path}&group_by=customer&format=csv`);
      expect(await customers.text()).not.toMatch(/(?:^|[,"])[=+@-]/m);
      const json =
        await ask<{ group_by_day: string; teams: { team_id: string; total_spend: number }[] }[]>(path);
      expect(json.map(({ group_by_day }) => group_by_day.slice(0, 10))).toEqual(
        [...new Set(all.map(dayOf))].sort(),
      );
      const first = Object.fromEntries(
        json[0]!.teams.map(({ team_id, total_spend }) => [team_id, total_spend]),
      );
      expect(rounded(first)).toEqual(
        spentBy(
          all.filter((row) => dayOf(row) === "2026-01-01"),
          (row) => [String(row.team_id)],
        ),
      );
    });
  },
  "the suite",
);
