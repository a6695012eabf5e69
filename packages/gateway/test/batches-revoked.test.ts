import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Simulator, startSimulator } from "portico-simulator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MASTER_KEY, startTestGateway, type TestGateway } from "./support/gateway.ts";
import { until } from "./support/until.ts";

/** A batch goes on for hours after its key was given out; what is taken away holds for its next row. */
type Json = Record<string, unknown>;

const ROWS = 150;
const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
const message = { role: "assistant", content: "hello" };
const answer = JSON.stringify({
  ...{ id: "c", object: "chat.completion", created: 1, model: "m", usage },
  choices: [{ index: 0, message, finish_reason: "stop" }],
});

type Ways = Readonly<
  Record<string, readonly [path: string, body: (key: string, id: string) => Json, method?: string]>
>;

/** Ways in which a key comes to call no more. */
const waysToLose: Ways = {
  "its key is deleted": ["/key/delete", (key) => ({ keys: [key] })],
  "its key is blocked": ["/key/block", (key) => ({ key })],
  "its user is blocked": ["/user/update", (_, user_id) => ({ user_id, blocked: true })],
  "its user is deleted": ["/user/delete", (_, id) => ({ user_ids: [id] })],
  "its user leaves the team": ["/team/member_delete", (_, id) => ({ team_id: id, user_id: id })],
  "its team is blocked": ["/team/block", (_, team_id) => ({ team_id })],
  "its team is deleted": ["/team/delete", (_, id) => ({ team_ids: [id] })],
  "its organization is blocked": [
    "/organization/update",
    (_, organization_id) => ({ organization_id, blocked: true }),
    "PATCH",
  ],
};

describe("A batch that runs here", () => {
  /** Rows that wait at the provider for its answer; absent where it answers at once. */
  let held: ServerResponse[] | undefined;
  let asked = 0;
  const provider = createServer((request, response) => {
    request.resume().on("end", () => {
      asked += 1;
      response.setHeader("content-type", "application/json");
      if (held === undefined) response.end(answer);
      else held.push(response);
    });
  });
  let gateway: TestGateway;
  beforeAll(async () => {
    await new Promise<void>((listening) => provider.listen(0, "127.0.0.1", listening));
    const { port } = provider.address() as AddressInfo;
    const params = `{model: hosted_vllm/m, api_key: k, api_base: "http://127.0.0.1:${port}/v1"}`;
    gateway = await startTestGateway({
      config: `model_list: [{model_name: m, litellm_params: ${params}}]\ngeneral_settings: {master_key: ${MASTER_KEY}}\n`,
    });
  });
  afterAll(async () => {
    await gateway?.close();
    provider.close();
  });

  async function ask(
    path: string,
    body?: object,
    init: { key?: string; method?: string } = {},
  ): Promise<Json> {
    const response = await gateway.call(path, { ...init, ...(body && { body }) });
    const text = await response.text();
    expect([path, response.status, text]).toEqual([path, 200, text]);
    return JSON.parse(text) as Json;
  }

  const ways: Ways = {
    ...waysToLose,
    "its key has no such model any more": ["/key/update", (key) => ({ key, models: ["other"] })],
  };

  /** Has a batch begin, changes something while its first rows wait, and answers when it is over. */
  async function changedMeanwhile(key: string, change: () => Promise<unknown>): Promise<Json> {
    const form = new FormData();
    const row = { method: "POST", url: "/v1/chat/completions" };
    const asking = { model: "m", messages: [{ role: "user", content: "hi" }] };
    const lines = Array.from({ length: ROWS }, (_, at) =>
      JSON.stringify({ ...row, custom_id: `row-${at}`, body: asking }),
    );
    form.set("purpose", "batch");
    form.set("file", new Blob([lines.join("\n")]), "rows.jsonl");
    held = [];
    asked = 0;
    const file = await ask("/v1/files", form, { key });
    const created = { input_file_id: file.id, endpoint: row.url, completion_window: "24h" };
    const batch = await ask("/v1/batches", created, { key });
    await until(() => held!.length > 0);
    await change();
    const waiting = held;
    held = undefined;
    for (const response of waiting) response.end(answer);
    return until(
      () => ask(`/v1/batches/${batch.id as string}`),
      ({ status }) => status === "completed",
    );
  }

  it.each(Object.keys(ways))("runs no further row when %s", async (way) => {
    const [path, body, method] = ways[way]!;
    const id = `revoked: ${way}`;
    await ask("/organization/new", { organization_id: id, organization_alias: id });
    await ask("/user/new", { user_id: id, auto_create_key: false });
    const members_with_roles = [{ user_id: id, role: "user" }];
    await ask("/team/new", { team_id: id, organization_id: id, members_with_roles });
    const key = (await ask("/key/generate", { team_id: id, user_id: id })).key as string;
    const ended = await changedMeanwhile(key, () =>
      ask(path, body(key, id), method === undefined ? {} : { method }),
    );
    // Rows that were on their way when it happened end as they began.
    const { completed, failed } = ended.request_counts as Record<string, number>;
    expect([completed, completed! + failed!]).toEqual([asked, ROWS]);
    expect(failed).toBeGreaterThan(0);
    const errors = await gateway.call(`/v1/files/${ended.error_file_id as string}/content`);
    const statuses = (await errors.text())
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as { response: { status_code: number } }).response.status_code);
    expect(statuses).toHaveLength(failed!);
    for (const status of statuses) expect([401, 403]).toContain(status);
  });

  it("goes on when its key is renewed, once and again, and stays the key's", async () => {
    const first = (await ask("/key/generate", {})).key as string;
    const renewed = async (key: string) => (await ask("/key/regenerate", { key })).key as string;
    let last = first;
    const ended = await changedMeanwhile(first, async () => {
      last = await renewed(await renewed(first));
    });
    expect(ended.request_counts).toEqual({ total: ROWS, completed: ROWS, failed: 0 });
    const shown = await ask(`/v1/batches/${ended.id as string}`, undefined, { key: last });
    expect(shown.request_counts).toEqual(ended.request_counts);
    await ask(`/v1/files/${ended.output_file_id as string}`, undefined, { key: last });
    await ask(`/v1/files/${ended.input_file_id as string}`, undefined, { key: last });
    expect((await gateway.call("/v1/models", { key: first })).status).toBe(401);
    // Somebody else who gets the old text has nothing of it.
    await ask("/key/generate", { key: first });
    const foreign = await gateway.call(`/v1/batches/${ended.id as string}`, { key: first });
    expect(foreign.status).toBe(404);
    expect((await ask("/v1/files", undefined, { key: first })).data).toEqual([]);
    expect((await ask("/v1/files", undefined, { key: last })).data).not.toEqual([]);
    // Nor is it that one again when it is renewed, nor when the old text comes back.
    const other = await renewed(first);
    expect((await ask("/v1/files", undefined, { key: other })).data).toEqual([]);
    await ask("/key/regenerate", { key: last, new_key: first });
    expect((await ask("/v1/files", undefined, { key: first })).data).not.toEqual([]);
  });
});

describe("A batch that a provider runs", () => {
  let simulator: Simulator;
  let gateway: TestGateway;
  beforeAll(async () => {
    simulator = await startSimulator();
    const settings = { batchRunningMs: 600_000 };
    await fetch(`${simulator.url}/_admin/settings`, { method: "POST", body: JSON.stringify(settings) });
    gateway = await startTestGateway({
      config: `model_list:
  - {model_name: gpt, litellm_params: {model: openai/gpt-4o, api_key: k, api_base: "${simulator.url}/openai/v1"}}
  - {model_name: claude, litellm_params: {model: anthropic/claude-sonnet-4, api_key: k, api_base: "${simulator.url}/anthropic"}}
  - {model_name: gemini, litellm_params: {model: gemini/gemini-2.5-flash, api_key: k, api_base: "${simulator.url}/google/v1beta"}}
general_settings: {master_key: ${MASTER_KEY}}
`,
    });
  });
  afterAll(async () => {
    await gateway?.close();
    await simulator?.close();
  });

  const ask = async (
    path: string,
    body?: object,
    init: { key?: string; method?: string } = {},
  ): Promise<Json> => {
    const response = await gateway.call(path, { ...init, ...(body && { body }) });
    return { ...((await response.json()) as Json), code: response.status };
  };

  async function begun(model: string, key: string): Promise<string> {
    const form = new FormData();
    const body = { model, max_tokens: 64, messages: [{ role: "user", content: "hi" }] };
    const line = { custom_id: "row", method: "POST", url: "/v1/chat/completions", body };
    form.set("purpose", "batch");
    form.set("model", model);
    form.set("file", new Blob([JSON.stringify(line)]), "rows.jsonl");
    const { id } = await ask("/v1/files", form, { key });
    const created = {
      input_file_id: id,
      endpoint: line.url,
      completion_window: "24h",
      execution: "provider",
    };
    const batch = await ask("/v1/batches", created, { key });
    expect(batch.code).toBe(200);
    return batch.id as string;
  }
  const statusOf = async (id: string) => (await ask(`/v1/batches/${id}`)).status;
  /** Cancellations that providers were asked for. */
  const cancelled = async (): Promise<number> => {
    const { requests } = (await (await fetch(`${simulator.url}/_admin/requests`)).json()) as {
      requests: { method: string; path: string }[];
    };
    return requests.filter(({ method, path }) => method === "POST" && /[/:]cancel$/.test(path)).length;
  };

  const models = ["gpt", "claude", "gemini"];

  it.each(Object.keys(waysToLose))("is cancelled there when %s", { timeout: 60_000 }, async (way) => {
    const [path, body, method] = waysToLose[way]!;
    const id = `lost: ${way}`;
    await ask("/organization/new", { organization_id: id, organization_alias: id });
    await ask("/user/new", { user_id: id, auto_create_key: false });
    const members_with_roles = [{ user_id: id, role: "user" }];
    await ask("/team/new", { team_id: id, organization_id: id, members_with_roles });
    const key = (await ask("/key/generate", { team_id: id, user_id: id })).key as string;
    const batches = await Promise.all(models.map((model) => begun(model, key)));
    for (const batch of batches) await until(async () => (await statusOf(batch)) === "in_progress");
    const before = await cancelled();
    expect((await ask(path, body(key, id), method === undefined ? {} : { method })).code).toBe(200);
    for (const batch of batches)
      await until(async () => ["cancelling", "cancelled"].includes(String(await statusOf(batch))));
    await until(async () => (await cancelled()) >= before + models.length);
  });

  it("goes on when its key is renewed", async () => {
    const first = (await ask("/key/generate", {})).key as string;
    const batches = await Promise.all(models.map((model) => begun(model, first)));
    await ask("/key/regenerate", { key: first });
    const before = await cancelled();
    // The others are looked at meanwhile: one of another key is cancelled.
    const other = (await ask("/key/generate", {})).key as string;
    const ended = await begun("gpt", other);
    await ask("/key/delete", { keys: [other] });
    await until(async () => ["cancelling", "cancelled"].includes(String(await statusOf(ended))));
    expect(await Promise.all(batches.map(statusOf))).toEqual(models.map(() => "in_progress"));
    expect(await cancelled()).toBe(before + 1);
  });
});
