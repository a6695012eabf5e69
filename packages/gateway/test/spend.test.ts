import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type CallInit, startTestGateway, type TestGateway } from "./support/gateway.ts";
import { message, model, newKey, type Row, rowsOf, spendOf } from "./support/spend.ts";

describe("spend", () => {
  let folder: string;
  const running: TestGateway[] = [];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "portico-spend-"));
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((gateway) => gateway.close()));
    rmSync(folder, { recursive: true, force: true });
  });

  async function start(): Promise<TestGateway> {
    const gateway = await startTestGateway({ dataDirectory: folder });
    running.push(gateway);
    return gateway;
  }

  it("says for whom a call was made: organization, customer and tags", async () => {
    const gateway = await start();
    await gateway.call("/organization/new", { body: { organization_id: "o", organization_alias: "o" } });
    await gateway.call("/team/new", { body: { team_id: "t", organization_id: "o", tags: ["of team"] } });
    const key = await newKey(gateway, { team_id: "t", tags: ["of key"] });
    const metadata = { user_id: "customer \ud800 \u0000", tags: ["of request", "odd \u0000 \ud800", 7, ""] };
    await (await gateway.call("/v1/messages", { key, body: message("one", { metadata }) })).text();
    await (await gateway.call("/v1/messages", { body: message("two") })).text();
    const [own] = await rowsOf(gateway, `api_key=${key}`);
    expect(own).toMatchObject({
      organization_id: "o",
      end_user: "customer \ufffd \ufffd",
      request_tags: ["of key", "of team", "of request", "odd \ufffd \ufffd", "7"],
    });
    const rows = await rowsOf(gateway, "");
    expect(rows.find((row) => row.team_id === null)).toMatchObject({
      organization_id: null,
      end_user: "",
      request_tags: [],
    });
  });

  it("has one row a request, and a key's spend is their sum", async () => {
    const gateway = await start();
    await gateway.call("/team/new", { body: { team_id: "t" } });
    const key = await newKey(gateway, { user_id: "u", team_id: "t", metadata: {} });
    const calls: CallInit[] = [
      { key, body: message("one") },
      { key, body: message("two", { stream: true }) },
      { key, body: message("[[sim:fault status=400]] three") },
    ];
    const ids: string[] = [];
    for (const call of calls) {
      const response = await gateway.call("/v1/messages", call);
      await response.text();
      ids.push(response.headers.get("x-portico-call-id")!);
    }
    const rows = await rowsOf(gateway, `api_key=${key}`);
    expect(rows.map((row) => row.request_id).sort()).toEqual([...ids].sort());
    expect(rows.find((row) => row.request_id === ids[0])).toMatchObject({
      user: "u",
      team_id: "t",
      model,
      model_id: "simulated-claude",
      custom_llm_provider: "anthropic",
      call_type: "anthropic_messages",
      status: "success",
      cache_read_input_tokens: 0,
    });
    expect(rows.find((row) => row.request_id === ids[2])).toMatchObject({
      status: "failure",
      total_tokens: 0,
      spend: 0,
    });
    const sum = rows.reduce((total, row) => total + row.spend, 0);
    expect(sum).toBeGreaterThan(0);
    expect(await spendOf(gateway, key)).toBeCloseTo(sum, 12);
    expect(JSON.stringify(rows)).not.toContain(key);
  });

  it("pages and filters by key, user, team, model and time", async () => {
    const gateway = await start();
    await gateway.call("/team/new", { body: { team_id: "team" } });
    const key = await newKey(gateway, { user_id: "pager", team_id: "team" });
    for (const text of ["1", "2", "3"])
      await (await gateway.call("/v1/messages", { key, body: message(text) })).text();
    const page = await (await gateway.call("/spend/logs?user=pager&page_size=2")).json();
    expect(page).toMatchObject({ has_more: true, data: [{}, {}] });
    expect(await rowsOf(gateway, "user=pager&page_size=2&page=2")).toHaveLength(1);
    expect(await rowsOf(gateway, `team_id=team&model=${model}&start_date=2020-01-01`)).toHaveLength(3);
    expect(await rowsOf(gateway, "team_id=team&end_date=2020-01-01")).toEqual([]);
    for (const wrong of [
      "start_date=soon",
      "start=2026-02-30",
      "end_time=2026-13-01",
      "start_date=2026-02-02&end=2026-02-01",
    ])
      expect((await gateway.call(`/spend/logs?${wrong}`)).status, wrong).toBe(400);
  });

  it("tells sessions by every name that agents give them, each with its requests and what they cost", async () => {
    const gateway = await start();
    const [key, other] = [await newKey(gateway, { user_id: "coder" }), await newKey(gateway)];
    const account = "user_0a_account_1b_session_in-claude-code";
    const ways: [string, Record<string, string>, object][] = [
      ["in-portico", { "x-portico-session-id": "in-portico" }, {}],
      ["in-litellm", { "x-litellm-session-id": "in-litellm" }, {}],
      ["in-header", { "x-claude-code-session-id": "in-header" }, {}],
      ["in-codex", { session_id: "in-codex" }, {}],
      ["in-body", {}, { litellm_session_id: "in-body" }],
      ["in-metadata", {}, { metadata: { session_id: "in-metadata" } }],
      ["in-claude-code", {}, { metadata: { user_id: account } }],
      ["in-json", {}, { metadata: { user_id: JSON.stringify({ device_id: "x", session_id: "in-json" }) } }],
    ];
    for (const [, headers, more] of ways)
      for (const text of ["1", "2"]) {
        const answer = await gateway.call("/v1/messages", {
          key,
          headers,
          body: { ...message(text), ...more },
        });
        expect([await answer.text(), answer.status]).toMatchObject([{}, 200]);
      }
    const foreign = { key: other, headers: { "x-portico-session-id": "in-portico" }, body: message("x") };
    await (await gateway.call("/v1/messages", foreign)).text();
    await (await gateway.call("/v1/messages", { key, body: message("none") })).text();
    const seenBy = async (asking: string) => {
      const answer = await gateway.call("/spend/sessions", { method: "GET", key: asking });
      return ((await answer.json()) as { data: Row[] }).data;
    };
    const mine = await seenBy(key);
    expect(mine.map(({ session_id }) => session_id)).toEqual(ways.map(([name]) => name).reverse());
    for (const session of mine) {
      const turns = await rowsOf(gateway, `session_id=${session.session_id}&user_id=coder`);
      expect(session).toMatchObject({ requests: 2, failures: 0, user: "coder", models: [model] });
      expect(session.spend).toBeCloseTo(
        turns.reduce((sum, row) => sum + row.spend, 0),
        12,
      );
      expect(turns).toHaveLength(2);
    }
    expect(await seenBy(other)).toMatchObject([{ session_id: "in-portico", requests: 1 }]);
    // The same name of another key is another session.
    expect(await seenBy(gateway.masterKey)).toHaveLength(ways.length + 1);
    expect((await rowsOf(gateway, "session_id=nobody")).length).toBe(0);
  });

  it("finds a session by the name that was given, however long or odd", async () => {
    const gateway = await start();
    const key = await newKey(gateway);
    const names = [
      "L".repeat(10_000),
      "😀".repeat(300),
      "half \ud800",
      "=1+1",
      "%",
      "a_b",
      " ",
      "'; --",
      "__proto__",
    ];
    for (const name of names) {
      const body = { ...message("odd"), litellm_session_id: name };
      expect((await gateway.call("/v1/messages", { key, body })).status).toBe(200);
      expect([name, await rowsOf(gateway, `${new URLSearchParams({ session_id: name })}`)]).toMatchObject([
        name,
        [{ session_id: name.slice(0, 500).toWellFormed() }],
      ]);
    }
  });

  it("is shown to a key only as far as it is its own", async () => {
    const gateway = await start();
    const [mine, other] = [await newKey(gateway), await newKey(gateway)];
    for (const key of [mine, other])
      await (await gateway.call("/v1/messages", { key, body: message("x") })).text();
    const own = (await (await gateway.call("/spend/logs", { key: mine })).json()) as { data: Row[] };
    expect(own.data).toHaveLength(1);
    expect((await gateway.call(`/spend/logs?api_key=${mine}`, { key: mine })).status).toBe(200);
    expect((await gateway.call(`/spend/logs?api_key=${other}`, { key: mine })).status).toBe(403);
    // A foreign key is none to its caller.
    expect((await gateway.call(`/key/info?key=${other}`, { key: mine })).status).toBe(404);
  });

  it("ends a budget with 402, and counts what was spent before a restart", async () => {
    const first = await start();
    const key = await newKey(first, { max_budget: 0.00001 });
    expect((await first.call("/v1/messages", { key, body: message("spend") })).status).toBe(200);
    const refused = await first.call("/v1/messages", { key, body: message("more") });
    expect(refused.status).toBe(402);
    expect(await refused.json()).toMatchObject({
      type: "error",
      error: { type: "budget_exceeded", message: expect.stringContaining("budget") },
    });
    await running.pop()!.close();
    const second = await start();
    expect((await second.call("/v1/messages", { key, body: message("again") })).status).toBe(402);
  });

  it("refuses requests past a key's limit with 429 and retry-after in the caller's headers", async () => {
    const gateway = await start();
    const key = await newKey(gateway, { rpm_limit: 1 });
    const allowed = await gateway.call("/v1/messages", { key, body: message("1") });
    expect(allowed.headers.get("anthropic-ratelimit-requests-remaining")).toBe("0");
    const refused = await gateway.call("/v1/chat/completions", { key, body: message("2") });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(refused.headers.get("x-ratelimit-remaining-requests")).toBe("0");
  });

  it("accounts for a stream whose caller left", async () => {
    const gateway = await start();
    const key = await newKey(gateway);
    const leaving = new AbortController();
    const response = await gateway.call("/v1/messages", {
      key,
      body: message("[[sim:tokens 500]] [[sim:delay 20]]", { stream: true }),
      signal: leaving.signal,
    });
    await response.body!.getReader().read();
    leaving.abort();
    let rows: Row[] = [];
    while (rows.length === 0) rows = await rowsOf(gateway, `api_key=${key}`);
    expect(rows[0]).toMatchObject({ status: "aborted" });
    expect(rows[0]!.total_tokens).toBeGreaterThan(0);
    expect(rows[0]!.spend).toBeGreaterThan(0);
  });
});
