import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ChildGateway, spawnTestGateway } from "./support/gateway.ts";
import { until } from "./support/until.ts";

/** Hosts that take a batch, and later answer 404 for it: at each moment. */

interface Batch {
  readonly id: string;
  readonly status: string;
  readonly input_file_id: string;
  readonly output_file_id: string | null;
  readonly error_file_id: string | null;
  readonly request_counts: object;
  readonly errors: { readonly data: readonly { readonly code: string; readonly message: string }[] } | null;
}

/** What a host says of its batch, of its output file and of its error file, at each look from the first. */
interface Host {
  readonly looks: readonly (404 | "in_progress" | "completed")[];
  readonly files?: readonly ("output" | "errors")[];
  /** Files without a content. */
  readonly lost?: readonly ("output" | "errors")[];
}

const hosts: Readonly<Record<string, Host>> = {
  first: { looks: [404] },
  later: { looks: ["in_progress", "in_progress", 404] },
  results: { looks: ["completed"], files: ["output"], lost: ["output"] },
  errors: { looks: ["completed"], files: ["output", "errors"], lost: ["errors"] },
  passing: { looks: ["in_progress", 404, 404, "in_progress"] },
  insisted: { looks: [404] },
  cancelled: { looks: ["in_progress", 404] },
  uncancellable: { looks: ["in_progress"] },
  killed: { looks: [404] },
};
const TEXTS = ["one", "two", "three"];

let upstream: Server;
let folder = "";
let gateway: ChildGateway;
/** Looks at the batch of each host, rows that it was asked for as calls, and batches that it took. */
const looks = new Map<string, number>();
const calls = new Map<string, string[]>();
const taken = new Map<string, number>();

beforeAll(async () => {
  upstream = createServer((request, response) => void answer(request, response)).listen(0, "127.0.0.1");
  await once(upstream, "listening");
  folder = mkdtempSync(join(tmpdir(), "portico-taken-over-"));
  gateway = await start();
});
afterAll(async () => {
  await gateway?.close();
  upstream?.closeAllConnections();
  upstream?.close();
  rmSync(folder, { recursive: true, force: true });
});

function start(): Promise<ChildGateway> {
  const { port } = upstream.address() as AddressInfo;
  const models = Object.keys(hosts).map(
    (name) =>
      `  - {model_name: ${name}, litellm_params: {model: openai/gpt-4o, api_key: k, api_base: "http://127.0.0.1:${port}/${name}/v1", input_cost_per_token: 0.001, output_cost_per_token: 0.001}}`,
  );
  return spawnTestGateway({
    dataDirectory: join(folder, "data"),
    config: `model_list:\n${models.join("\n")}\nrouter_settings: {num_retries: 0}\n`,
  });
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(request);
  const [, name = "", , resource, id, part] = (request.url ?? "").split("?")[0]!.split("/");
  const host = hosts[name]!;
  const send = (status: number, value: unknown): void => {
    response.writeHead(status, { "content-type": "application/json" });
    response.end(typeof value === "string" ? value : JSON.stringify(value));
  };
  const missing = (): void => send(404, { detail: "Not Found" });
  const batch = (status: string): object => ({
    id: `batch_at_${name}`,
    object: "batch",
    endpoint: "/v1/chat/completions",
    status,
    created_at: Math.floor(Date.now() / 1000),
    request_counts: { total: 3, completed: 0, failed: 0 },
    output_file_id: host.files?.includes("output") === true ? `file-output-${name}` : null,
    error_file_id: host.files?.includes("errors") === true ? `file-errors-${name}` : null,
  });
  const usage = { prompt_tokens: 2, completion_tokens: 1, total_tokens: 3 };
  const completion = { id: "c", object: "chat.completion", model: "gpt-4o", usage };
  const message = { role: "assistant", content: "y" };
  const whole = { ...completion, choices: [{ index: 0, message, finish_reason: "stop" }] };
  if (resource === "chat") {
    const said = (JSON.parse(body) as { messages: { content: string }[] }).messages[0]!.content;
    calls.set(name, [...(calls.get(name) ?? []), said]);
    return send(200, whole);
  }
  if (resource === "files" && part === "content") {
    const which = id!.includes("output") ? "output" : "errors";
    if (host.lost?.includes(which) === true) return missing();
    const row = { status_code: 200, request_id: "r", body: whole };
    return send(200, `${JSON.stringify({ id: "r", custom_id: "row-0", response: row, error: null })}\n`);
  }
  if (resource === "files")
    return send(200, { id: `file-at-${name}`, object: "file", purpose: "batch", bytes: 1, filename: "r" });
  if (resource === "batches" && request.method === "POST" && id === undefined) {
    taken.set(name, (taken.get(name) ?? 0) + 1);
    return send(200, batch("validating"));
  }
  if (resource !== "batches" || id === undefined || part === "cancel") return missing();
  const seen = looks.get(name) ?? 0;
  looks.set(name, seen + 1);
  const says = host.looks[Math.min(seen, host.looks.length - 1)]!;
  return says === 404 ? missing() : send(200, batch(says));
}

/** A batch of three rows at a host; its key has a budget that holds it once. */
async function create(name: string, more: object = {}): Promise<{ batch: Batch; key: string }> {
  const made = await gateway.call("/key/generate", {
    body: { max_budget: 100, key_alias: `key of ${name}` },
  });
  const { key } = (await made.json()) as { key: string };
  const lines = TEXTS.map((content, index) =>
    JSON.stringify({
      custom_id: `row-${index}`,
      method: "POST",
      url: "/v1/chat/completions",
      body: { model: name, max_tokens: 5, messages: [{ role: "user", content }] },
    }),
  );
  const form = new FormData();
  form.append("purpose", "batch");
  form.append("target_model_names", name);
  form.append("file", new File([lines.join("\n")], "rows.jsonl"));
  const headers = { authorization: `Bearer ${key}` };
  const uploaded = await fetch(`${gateway.url}/v1/files`, { method: "POST", body: form, headers });
  const { id } = (await uploaded.json()) as { id: string };
  const body = { input_file_id: id, endpoint: "/v1/chat/completions", completion_window: "24h", ...more };
  const created = await gateway.call("/v1/batches", { body, key });
  const answered = await created.text();
  expect(created.status, answered).toBe(200);
  expect(taken.get(name)).toBe(1);
  return { batch: JSON.parse(answered) as Batch, key };
}

async function look(id: string, key: string, query = ""): Promise<Batch> {
  const response = await gateway.call(`/v1/batches/${id}${query}`, { key });
  const said = await response.text();
  expect(response.status, said).toBe(200);
  return JSON.parse(said) as Batch;
}

function ended(id: string, key: string): Promise<Batch> {
  return until(
    () => look(id, key),
    ({ status }) => ["completed", "failed", "expired", "cancelled"].includes(status),
  );
}

async function answeredRows(file: string, key: string): Promise<string[]> {
  const content = await (await gateway.call(`/v1/files/${file}/content`, { key })).text();
  return content
    .trim()
    .split("\n")
    .map((line) => (JSON.parse(line) as { custom_id: string }).custom_id);
}

interface Spent {
  readonly request_id: string;
  readonly call_type: string;
  readonly spend: number;
}

async function spent(name: string): Promise<Spent[]> {
  const page = await gateway.call(`/spend/logs?limit=500&model=${name}`);
  const { data } = (await page.json()) as { data: (Spent & { api_key_alias?: string; model?: string })[] };
  return data.filter(({ call_type, model }) => call_type.startsWith("abatch") && model === name);
}

/** Nothing of the key's budget is held any more: a call that needs all but what was spent is let through. */
async function expectFree(key: string, name: string): Promise<void> {
  const messages = [{ role: "user", content: "rest" }];
  const body = { model: name, max_tokens: 99_000, messages };
  await until(
    async () => (await gateway.call("/v1/chat/completions", { body, key })).status,
    (status) => status === 200,
  );
}

it.concurrent.each(["first", "later", "results"])(
  "A batch whose host answers 404 (%s) is run by the gateway under its id, each row once",
  async (name) => {
    const { batch, key } = await create(name);
    const done = await ended(batch.id, key);
    expect(done).toMatchObject({
      id: batch.id,
      status: "completed",
      input_file_id: batch.input_file_id,
      errors: null,
      request_counts: { total: 3, completed: 3, failed: 0 },
    });
    expect((await answeredRows(done.output_file_id!, key)).sort()).toEqual(["row-0", "row-1", "row-2"]);
    expect(calls.get(name)?.toSorted()).toEqual(TEXTS.toSorted());
    const rows = await until(
      () => spent(name),
      ({ length }) => length >= 3,
    );
    expect(rows.map(({ call_type }) => call_type)).toEqual(["abatch_row", "abatch_row", "abatch_row"]);
    await expectFree(key, name);
  },
);

it.concurrent("A batch of which only some results are there keeps these, and the gateway runs the other rows", async () => {
  const { batch, key } = await create("errors");
  const done = await ended(batch.id, key);
  expect(done).toMatchObject({ status: "completed", request_counts: { total: 3, completed: 3, failed: 0 } });
  expect((await answeredRows(done.output_file_id!, key)).sort()).toEqual(["row-0", "row-1", "row-2"]);
  expect(calls.get("errors")?.toSorted()).toEqual(["three", "two"]);
  const ofBatch = async (): Promise<Spent[]> => {
    const page = await gateway.call(`/spend/logs?request_id=${encodeURIComponent(batch.id)}`);
    const { data } = (await page.json()) as { data: Spent[] };
    return data.filter(({ request_id }) => request_id === batch.id);
  };
  const cost = await until(ofBatch, ({ length }) => length > 0);
  expect(cost).toMatchObject([{ call_type: "abatch_cost" }]);
  await expectFree(key, "errors");
});

it.concurrent("A batch says what is missing while the gateway looks again, and goes on where it turns up", async () => {
  const { batch, key } = await create("passing");
  const missing = await until(
    () => look(batch.id, key),
    ({ errors }) => errors !== null && errors !== undefined,
  );
  expect(missing).toMatchObject({ id: batch.id, status: "in_progress" });
  expect(missing.errors!.data[0]).toMatchObject({ code: "batch_missing" });
  expect(missing.errors!.data[0]!.message).toMatch(/openai answered 404 .* the gateway runs its rows itself/);
  await until(() => looks.get("passing")! > 6);
  expect(await look(batch.id, key)).toMatchObject({ status: "in_progress", id: batch.id });
  expect(calls.get("passing")).toBeUndefined();
});

it.concurrent("A batch that only its provider may run fails, and says why", async () => {
  const { batch, key } = await create("insisted", { execution: "provider" });
  const done = await ended(batch.id, key);
  expect(done).toMatchObject({ status: "failed", errors: { data: [{ code: "batch_lost" }] } });
  expect(calls.get("insisted")).toBeUndefined();
  await expectFree(key, "insisted");
});

it.concurrent("A batch that its owner cancels while its host does not have it ends as cancelled", async () => {
  const { batch, key } = await create("cancelled");
  await until(() => (looks.get("cancelled") ?? 0) >= 2);
  const cancelled = await gateway.call(`/v1/batches/${batch.id}/cancel`, { method: "POST", key });
  expect(cancelled.status).toBe(200);
  expect(((await cancelled.json()) as Batch).status).toBe("cancelling");
  expect(await ended(batch.id, key)).toMatchObject({ status: "cancelled" });
  expect(calls.get("cancelled")).toBeUndefined();
  await expectFree(key, "cancelled");
});

it.concurrent("A host that has the batch and no way to cancel it says so", async () => {
  const { batch, key } = await create("uncancellable");
  expect((await gateway.call(`/v1/batches/${batch.id}/cancel`, { method: "POST", key })).status).toBe(404);
  expect((await look(batch.id, key)).status).toBe("in_progress");
});

it("A batch that its host loses while portico is stopped before the first look goes on, and is in the list once", async () => {
  const { batch, key } = await create("killed");
  gateway.process.kill("SIGKILL");
  await gateway.close();
  gateway = await start();
  const done = await ended(batch.id, key);
  expect(done).toMatchObject({ status: "completed", request_counts: { total: 3, completed: 3, failed: 0 } });
  expect(calls.get("killed")?.toSorted()).toEqual(TEXTS.toSorted());
  const page = await gateway.call("/v1/batches?target_model_names=killed", { key });
  const { data } = (await page.json()) as { data: Batch[] };
  expect(data.map(({ id }) => id)).toEqual([batch.id]);
});
