import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import OpenAI from "openai";
import { startSimulator } from "portico-simulator";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { compileCache } from "../../../tools/bundles.ts";
import { requestId } from "../src/features/batches/run/row-result.ts";
import { finalStatuses } from "../src/features/batches/store.ts";
import { MASTER_KEY, porticoProgram, startTestGateway, type TestGateway } from "./support/gateway.ts";
import { until } from "./support/until.ts";

type Simulator = Awaited<ReturnType<typeof startSimulator>>;
type Batch = OpenAI.Batch;
type Line = {
  custom_id: string;
  response: { status_code: number; body: Record<string, unknown> } | null;
  error: { code: string } | null;
};

let simulator: Simulator;
let gateway: TestGateway;

beforeAll(async () => {
  simulator = await startSimulator();
  gateway = await startTestGateway({
    config: `
model_list:
  - {model_name: local, model_info: {id: local-1}, litellm_params: {model: hosted_vllm/llama, api_key: k, api_base: "${simulator.url}/compat/v1", input_cost_per_token: 0.001, output_cost_per_token: 0.002}}
  - {model_name: claude, litellm_params: {model: anthropic/claude-sonnet-4, api_key: k, api_base: "${simulator.url}/anthropic"}}
  - {model_name: native, litellm_params: {model: openai/gpt-4o, api_key: k, api_base: "${simulator.url}/openai/v1", input_cost_per_token: 0.001, output_cost_per_token: 0.002}}
  - {model_name: slow, litellm_params: {model: hosted_vllm/llama, api_key: k, api_base: "${simulator.url}/compat/v1", rpm: 8}}
keys:
  - {key: sk-blue-0123456789, team_id: blue}
  - {key: sk-poor-0123456789, max_budget: 0.0000001, models: [local]}
  - {key: sk-narrow-0123456789, models: [claude, native]}
router_settings: {num_retries: 0, disable_cooldowns: true}
gateway_settings: {allow_private_networks: true}
general_settings: {master_key: "${MASTER_KEY}"}
`,
  });
});
afterAll(async () => {
  await gateway?.close();
  await simulator?.close();
});
beforeEach(() => simulator.reset());

interface Row {
  readonly text?: string;
  readonly body?: object;
}

function file(rows: readonly Row[], url: string, model: string): string {
  return rows
    .map(({ text = "hello", body }, index) =>
      JSON.stringify({
        custom_id: `row-${index}`,
        method: "POST",
        url,
        body: { model, max_tokens: 64, messages: [{ role: "user", content: text }], ...body },
      }),
    )
    .join("\n");
}

interface Setup {
  readonly url?: string;
  readonly model?: string;
  readonly key?: string;
  readonly create?: object;
  readonly unified?: boolean;
}

async function start(rows: readonly Row[], setup: Setup = {}): Promise<Batch> {
  const { url = "/v1/chat/completions", model = "local", key = "sk-blue-0123456789", unified = true } = setup;
  const form = new FormData();
  form.append("purpose", "batch");
  if (unified) form.append("model", model);
  form.append("file", new File([file(rows, url, model)], "rows.jsonl"));
  const headers = { authorization: `Bearer ${key}` };
  const uploaded = await fetch(`${gateway.url}/v1/files`, { method: "POST", body: form, headers });
  expect(uploaded.status).toBe(200);
  const { id } = (await uploaded.json()) as { id: string };
  const body = { input_file_id: id, endpoint: url, completion_window: "24h", ...setup.create };
  const response = await gateway.call("/v1/batches", { body, key });
  expect(response.status).toBe(200);
  return (await response.json()) as Batch;
}

async function retrieve(id: string, wait = 0): Promise<Batch> {
  return (await (await gateway.call(`/v1/batches/${id}?wait=${wait}`)).json()) as Batch;
}

/** The batch once it is over. */
function finished(id: string): Promise<Batch> {
  return until(
    () => retrieve(id, 30),
    ({ status }) => finalStatuses.some((final) => final === status),
  );
}

async function lines(id: string | null | undefined): Promise<Line[]> {
  if (!id) return [];
  const text = await (await gateway.call(`/v1/files/${id}/content`)).text();
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
}

/** The spend rows of these requests, as soon as there are as many. */
async function spendOf(
  requests: readonly string[],
  callType: string,
): Promise<readonly Record<string, unknown>[]> {
  return until(
    async () => {
      const page = (await (await gateway.call("/spend/logs?limit=1000")).json()) as {
        data: Record<string, unknown>[];
      };
      return page.data.filter(
        (row) =>
          row.call_type === callType && row.status === "success" && requests.includes(String(row.request_id)),
      );
    },
    (rows) => rows.length >= requests.length,
  );
}

describe("A batch that the gateway runs", () => {
  it.each([
    ["/v1/chat/completions", "local", "choices"],
    ["/v1/chat/completions", "claude", "choices"],
    ["/v1/messages", "local", "content"],
    ["/v1/messages", "claude", "content"],
    ["/v1/responses", "local", "output"],
  ])("answers %s for %s in that format", async (url, model, member) => {
    const input =
      url === "/v1/responses" ? { input: "hello", messages: undefined, max_tokens: undefined } : {};
    const batch = await start([{ body: input }, { body: input }], {
      url,
      model,
      create: { execution: "gateway" },
    });
    const done = await finished(batch.id);
    expect(done).toMatchObject({
      status: "completed",
      request_counts: { total: 2, completed: 2, failed: 0 },
    });
    for (const line of await lines(done.output_file_id)) {
      expect(line.response).toMatchObject({ status_code: 200 });
      expect(line.response!.body).toHaveProperty(member);
    }
  });

  it("answers embeddings", async () => {
    const batch = await start([{ body: { input: "hello", messages: undefined } }], { url: "/v1/embeddings" });
    const done = await finished(batch.id);
    const [line] = await lines(done.output_file_id);
    expect(line!.response!.body).toHaveProperty("data.0.embedding");
  });

  it("runs a file without target models by the models that its rows name", async () => {
    const batch = await start([{}, { body: { model: "claude" } }], {
      unified: false,
      create: { execution: "gateway" },
    });
    expect(await finished(batch.id)).toMatchObject({
      status: "completed",
      request_counts: { completed: 2 },
    });
    const asked = simulator.received().map(({ path }) => path.split("/")[1]);
    expect(asked.filter((name) => name !== "openai").sort()).toEqual(["anthropic", "compat"]);
  });

  it("writes rows with a status other than 2xx to the error file only, after the retries that make sense", async () => {
    simulator.setFault({ method: "POST", path: "/compat", fault: "status=503", times: 1 });
    const batch = await start([{ text: "fine" }, { text: "[[sim:fault status=400;message=no]]" }]);
    const done = await finished(batch.id);
    expect(done).toMatchObject({
      status: "completed",
      request_counts: { total: 2, completed: 1, failed: 1 },
    });
    expect((await lines(done.output_file_id)).map(({ custom_id }) => custom_id)).toEqual(["row-0"]);
    const [failed, ...more] = await lines(done.error_file_id);
    expect(more).toEqual([]);
    expect(failed).toMatchObject({ custom_id: "row-1", error: null, response: { status_code: 400 } });
  });

  it("waits for a deployment's limit instead of failing, and accounts each row once", async () => {
    const batch = await start(
      Array.from({ length: 6 }, () => ({})),
      { model: "slow" },
    );
    const done = await finished(batch.id);
    expect(done).toMatchObject({ status: "completed", request_counts: { completed: 6, failed: 0 } });
    const rows = await spendOf(
      [1, 2, 3, 4, 5, 6].map((line) => requestId(batch.id, line)),
      "abatch_row",
    );
    expect(rows).toHaveLength(6);
    expect(new Set(rows.map((row) => row.team_id))).toEqual(new Set(["blue"]));
  });

  it("fails rows past the key's budget and rows whose model the key may not call", async () => {
    const poor = await start(
      Array.from({ length: 4 }, () => ({ text: "[[sim:latency 200]]" })),
      { key: "sk-poor-0123456789" },
    );
    const done = await finished(poor.id);
    expect(done.status).toBe("completed");
    const statuses = (await lines(done.error_file_id)).map((line) => line.response!.status_code);
    expect(statuses.length).toBeGreaterThan(0);
    expect(new Set(statuses)).toEqual(new Set([402]));
    const narrow = await start([{}], {
      key: "sk-narrow-0123456789",
      unified: false,
      create: { execution: "gateway" },
    });
    const refused = await finished(narrow.id);
    expect((await lines(refused.error_file_id))[0]!.response!.status_code).toBe(403);
  });

  it("stops when it is cancelled, and names every row once", async () => {
    const batch = await start(Array.from({ length: 80 }, () => ({ text: "[[sim:latency 1000]]" })));
    while ((await retrieve(batch.id)).status !== "in_progress");
    await until(() => simulator.received().length > 0);
    const cancelled = await gateway.call(`/v1/batches/${batch.id}/cancel`, { method: "POST" });
    expect(await cancelled.json()).toMatchObject({ status: "cancelling" });
    const done = await finished(batch.id);
    expect(done.status).toBe("cancelled");
    const all = [...(await lines(done.output_file_id)), ...(await lines(done.error_file_id))];
    expect(all).toHaveLength(80);
    expect(new Set(all.map(({ custom_id }) => custom_id)).size).toBe(80);
    expect(all.some(({ error }) => error?.code === "batch_cancelled")).toBe(true);
    expect(simulator.received().length).toBeLessThan(80);
  });

  it("expires when its window is over; rows without an answer say so", async () => {
    const batch = await start(
      Array.from({ length: 3 }, (_, index) => ({ text: index === 0 ? "quick" : "[[sim:latency 60000]]" })),
      { create: { completion_window: "6s" } },
    );
    const done = await finished(batch.id);
    expect(done).toMatchObject({ status: "expired", request_counts: { total: 3, completed: 1, failed: 2 } });
    const errors = await lines(done.error_file_id);
    expect(errors.map(({ error }) => error?.code)).toEqual(["batch_expired", "batch_expired"]);
    expect(await lines(done.output_file_id)).toHaveLength(1);
  });

  it("refuses what it cannot run by name", async () => {
    const form = new FormData();
    form.append("purpose", "batch");
    form.append(
      "file",
      new File([file([{}, { body: { model: "nobody" } }], "/v1/chat/completions", "local")], "a.jsonl"),
    );
    const headers = { authorization: `Bearer ${MASTER_KEY}` };
    const uploaded = await fetch(`${gateway.url}/v1/files`, { method: "POST", body: form, headers });
    const { id } = (await uploaded.json()) as { id: string };
    const create = (more: object): Promise<Response> =>
      gateway.call("/v1/batches", {
        body: {
          input_file_id: id,
          endpoint: "/v1/chat/completions",
          completion_window: "24h",
          execution: "gateway",
          ...more,
        },
      });
    for (const [more, words] of [
      [{}, "Line 2 names the unknown model 'nobody'"],
      [{ endpoint: "/v1/embeddings" }, "not for /v1/embeddings"],
      [{ endpoint: "/v1/images" }, "/v1/chat/completions"],
      [{ completion_window: "soon" }, "completion_window"],
    ] as const) {
      const response = await create(more);
      expect(response.status).toBe(400);
      expect(((await response.json()) as { error: { message: string } }).error.message).toContain(words);
    }
    expect((await create({ input_file_id: "file-forged" })).status).toBeGreaterThanOrEqual(400);
  });

  it("keeps the input of a running batch from being deleted", async () => {
    const batch = await start([{ text: "[[sim:latency 1500]]" }]);
    const remove = (): Promise<Response> =>
      gateway.call(`/v1/files/${batch.input_file_id}`, { method: "DELETE" });
    expect((await remove()).status).toBe(409);
    await finished(batch.id);
    expect((await remove()).status).toBe(200);
  });
});

describe("A batch at a provider", () => {
  it("is accounted once when it is over", async () => {
    const batch = await start([{}, {}], { model: "native" });
    const done = await finished(batch.id);
    expect(done.status).toBe("completed");
    const rows = await spendOf([batch.id], "abatch_cost");
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ custom_llm_provider: "openai", team_id: "blue", status: "success" });
    expect(rows[0]!.total_tokens).toBe(done.usage!.total_tokens);
    expect(rows[0]!.spend).toBeGreaterThan(0);
  });

  it("is run by the gateway where the provider turns out to have no batches", async () => {
    simulator.setFault({ method: "POST", path: "/openai/v1/batches", fault: "status=404", times: 1 });
    const batch = await start([{}], { model: "native" });
    expect(await finished(batch.id)).toMatchObject({ status: "completed" });
    simulator.setFault({
      method: "POST",
      path: "/anthropic/v1/messages/batches",
      fault: "status=404",
      times: 1,
    });
    const other = await start([{}], { model: "claude" });
    expect(await finished(other.id)).toMatchObject({
      status: "completed",
      request_counts: { completed: 1 },
    });
  });

  it("with another wire format can be cancelled", async () => {
    await fetch(`${simulator.url}/_admin/settings`, {
      method: "POST",
      body: JSON.stringify({ batchRunningMs: 3000 }),
    });
    const batch = await start([{}, {}], { model: "claude" });
    while ((await retrieve(batch.id)).status !== "in_progress");
    // The gateway knows the provider's id from the moment that it asks for it.
    await until(() => simulator.received().some(({ path }) => path.includes("/messages/batches/")));
    const cancelled = await gateway.call(`/v1/batches/${batch.id}/cancel`, { method: "POST" });
    expect(await cancelled.json()).toMatchObject({ status: "cancelling" });
    expect((await finished(batch.id)).status).toBe("cancelled");
    expect(simulator.received().some(({ path }) => path.endsWith("/cancel"))).toBe(true);
  });
});

describe("The end of a batch", () => {
  it("is told to a webhook that the official client verifies, again after a failure", async () => {
    const receiver = await startReceiver([500, 200]);
    const { secret } = (await (
      await gateway.call("/v1/webhook_secret", { key: "sk-blue-0123456789" })
    ).json()) as { secret: string };
    const batch = await start([{}], { create: { webhook_url: receiver.url } });
    await finished(batch.id);
    const [first, second] = await receiver.received(2);
    expect(second!.headers["webhook-id"]).toBe(first!.headers["webhook-id"]);
    const openai = new OpenAI({ apiKey: "k", webhookSecret: secret });
    const event = await openai.webhooks.unwrap(second!.body, second!.headers as Record<string, string>);
    expect(event).toMatchObject({ type: "batch.completed", data: { id: batch.id } });
    await receiver.close();
  });

  it("ends a stream of progress events", async () => {
    const batch = await start([{ text: "[[sim:latency 400]]" }, {}]);
    for (const [path, headers] of [
      [`/v1/batches/${batch.id}/events`, {}],
      [`/v1/batches/${batch.id}`, { accept: "text/event-stream" }],
    ] as const) {
      const response = await gateway.call(path, { headers });
      expect(response.headers.get("content-type")).toContain("text/event-stream");
      const text = await response.text();
      expect(text).toMatch(/event: batch\.completed\ndata: {.*"completed":2.*}\n\n$/);
    }
  });

  it("is waited for by `portico batch run`, which shows the progress and writes the results", async () => {
    const folder = mkdtempSync(join(tmpdir(), "portico-batch-"));
    const input = join(folder, "rows.jsonl");
    const output = join(folder, "results.jsonl");
    writeFileSync(input, file([{}, {}, {}], "/v1/chat/completions", "local"));
    const run = ["batch", "run", input, "--model", "local", "--url", gateway.url, "--output", output];
    const child = spawn(process.execPath, [...(await porticoProgram()), ...run], {
      env: { PATH: process.env.PATH, ...compileCache(), PORTICO_API_KEY: MASTER_KEY },
    });
    let progress = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      progress += text;
    });
    expect(await new Promise((resolve) => child.once("close", resolve))).toBe(0);
    expect(progress).toMatch(/\[#+\] 100 % {2}3\/3 {2}completed/);
    expect(readFileSync(output, "utf8").trim().split("\n")).toHaveLength(3);
    rmSync(folder, { recursive: true, force: true });
  });
});

interface Hit {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

async function startReceiver(statuses: number[]) {
  const hits: Hit[] = [];
  const server: Server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (text) => {
      body += text;
    });
    request.on("end", () => {
      hits.push({ headers: request.headers, body });
      response.writeHead(statuses.shift() ?? 200).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received: async (count: number): Promise<Hit[]> => {
      await until(() => hits.length >= count);
      return hits;
    },
    close: async () => {
      // Connections that the gateway keeps for its next call would hold the server open.
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
