import OpenAI, { toFile } from "openai";
import type { Simulator } from "portico-simulator";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { finalStatuses } from "../src/features/batches/store.ts";
import type { TestGateway } from "./support/gateway.ts";
import {
  BLUE_KEY,
  clientOf,
  RED_KEY,
  type Resources,
  startResources,
  TEAM_KEYS,
} from "./support/resources.ts";
import { until } from "./support/until.ts";

type Batch = OpenAI.Batch;

let resources: Resources;
let simulator: Simulator;
let gateway: TestGateway;
let balanced: TestGateway;
let routerless: TestGateway;

beforeAll(async () => {
  resources = await startResources();
  ({ simulator } = resources);
  const models = `
model_list:
  - {model_name: gpt, litellm_params: {model: openai/gpt-4o, api_key: routed-key, api_base: "${simulator.url}/openai/v1"}}
  - {model_name: azure-gpt, model_info: {id: azure-1}, litellm_params: {model: azure/gpt-4o, api_key: k, api_base: "${simulator.url}/azure"}}
  - {model_name: claude, litellm_params: {model: anthropic/claude-sonnet-4, api_key: k, api_base: "${simulator.url}/anthropic"}}
  - {model_name: gemini, litellm_params: {model: gemini/gemini-2.5-flash, api_key: k, api_base: "${simulator.url}/google/v1beta"}}
  - {model_name: local, litellm_params: {model: hosted_vllm/llama, api_key: k, api_base: "${simulator.url}/compat/v1"}}
`;
  gateway = await resources.start(models + TEAM_KEYS);
  balanced = await resources.start(
    `${models}${TEAM_KEYS}\ngateway_settings: {enable_loadbalancing_on_batch_endpoints: true}\n`,
  );
  routerless = await resources.start(`model_list: []\n${TEAM_KEYS}`);
});
afterAll(() => resources?.close());
beforeEach(() => simulator.reset());

function client(apiKey = BLUE_KEY, prefix = "/v1", at = gateway): OpenAI {
  return clientOf(at, apiKey, prefix);
}

function rows(count: number, model = "gpt", url = "/v1/chat/completions"): string {
  return Array.from({ length: count }, (_, index) =>
    JSON.stringify({
      custom_id: `row ${index}`,
      method: "POST",
      url,
      body: { model, max_tokens: 100, messages: [{ role: "user", content: `hello ${index}` }] },
    }),
  ).join("\n");
}

async function upload(
  text: string,
  fields: Record<string, string> = {},
  at = gateway,
  key = BLUE_KEY,
): Promise<string> {
  const form = new FormData();
  form.append("purpose", "batch");
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append("file", new File([text], "rows.jsonl"));
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch(`${at.url}/v1/files`, { method: "POST", body: form, headers });
  expect(response.status).toBe(200);
  return ((await response.json()) as { id: string }).id;
}

function createBody(input_file_id: string, more: object = {}): object {
  return { input_file_id, endpoint: "/v1/chat/completions", completion_window: "24h", ...more };
}

async function create(
  input: string,
  more: object = {},
  path = "/v1/batches",
  at = gateway,
): Promise<Response> {
  return at.call(path, { body: createBody(input, more), key: BLUE_KEY });
}

function ended(id: string, at = gateway): Promise<Batch> {
  return until(
    async () => {
      const response = await at.call(`/v1/batches/${encodeURIComponent(id)}?wait=30`, { key: BLUE_KEY });
      expect(response.status).toBe(200);
      return (await response.json()) as Batch;
    },
    ({ status }) => finalStatuses.some((final) => final === status),
  );
}

async function linesOf(file: string | null | undefined): Promise<Record<string, unknown>[]> {
  const text = await (await client().files.content(file!)).text();
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** Providers that got a request whose method and path match. */
function asked(wanted: RegExp): string[] {
  return simulator
    .received()
    .filter(({ method, path }) => wanted.test(`${method} ${path}`))
    .map((request) => request.path.split("/")[1]!);
}

const creation = /^POST .*\/batches$/;
const listing = /^GET .*\/batches$/;

function unified(names: string): string {
  const text = `litellm_proxy:application/octet-stream;unified_id,c4843482-b176-4901-8292-7523fd0f2c6e;target_model_names,${names}`;
  return Buffer.from(text).toString("base64url");
}

describe("Batches create", () => {
  it("rule 1: the provider is the path's, else the body's, else the default; the selector is not forwarded", async () => {
    const input = "file-123";
    await create(input, { custom_llm_provider: "openai" }, "/azure/v1/batches");
    await create(input, { custom_llm_provider: "azure" });
    await create(input);
    await create(input, {}, "/batches");
    expect(asked(creation)).toEqual(["azure", "azure", "openai", "openai"]);
    for (const request of simulator.received().filter(({ method }) => method === "POST")) {
      expect(JSON.stringify(request.body)).not.toContain("custom_llm_provider");
      expect(request.body).toMatchObject({ input_file_id: input });
    }
  });

  it("rule 2: with load balancing a model that the router knows goes through it", async () => {
    const input = await upload(rows(1), {}, balanced);
    await create(input, { model: "azure-gpt" }, "/v1/batches", balanced);
    expect(asked(creation)).toEqual(["azure"]);
    await create(input, { model: "nobody" }, "/v1/batches", balanced);
    expect(asked(creation)).toEqual(["azure", "openai"]);
  });

  it("rule 2: without the setting the model in the body chooses nothing", async () => {
    await create(await upload(rows(1)), { model: "azure-gpt" });
    expect(asked(creation)).toEqual(["openai"]);
  });

  it("rule 3: a unified file must be for one model; its id is echoed", async () => {
    const input = await upload(rows(2), { target_model_names: "gpt" });
    const response = await create(input);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ object: "batch", input_file_id: input });
    const request = simulator.received().find(({ path }) => path.endsWith("/batches"));
    expect(request!.headers.authorization).toBe("Bearer routed-key");
    const two = await create(await upload(rows(1), { target_model_names: "gpt,claude" }));
    expect(two.status).toBe(400);
    expect(await two.json()).toMatchObject({
      error: { message: "Expected 1 model, got 2", code: "400" },
      detail: { error: "Expected 1 model, got 2" },
    });
  });

  it("rule 3: LiteLLM's unified ids count their models too", async () => {
    for (const [names, count] of [
      ["gpt,claude", 2],
      ["", 0],
    ] as const) {
      const response = await create(unified(names));
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({ detail: { error: `Expected 1 model, got ${count}` } });
    }
    await create(unified("azure-gpt"));
    expect(asked(creation)).toEqual(["azure"]);
  });

  it("rule 3: each request gets the model's name at the provider", async () => {
    const batch = (await (await create(await upload(rows(2), { model: "gpt" }))).json()) as Batch;
    const { output_file_id } = await ended(batch.id);
    const lines = await linesOf(output_file_id);
    expect(lines.map((line) => line.custom_id)).toEqual(["row 0", "row 1"]);
    expect(JSON.stringify(lines[0])).toContain('"model":"gpt-4o"');
  });

  it("rule 4: without a router the answer is 500 with the error as detail", async () => {
    const response = await create(unified("gpt"), {}, "/v1/batches", routerless);
    expect(response.status).toBe(500);
    const body = (await response.json()) as { detail: { error: string } };
    expect(body.detail.error).toContain("router is not initialised");
  });

  it("rule 5: everything else goes to the provider directly", async () => {
    const response = await create(await upload(rows(1), {}, routerless), {}, "/v1/batches", routerless);
    expect(response.status).toBe(200);
    const request = simulator.received().find(({ path }) => path.endsWith("/batches"));
    expect(request!.headers.authorization).toBe("Bearer sk-direct-openai");
  });

  it.each([
    [{ input_file_id: undefined }, "input_file_id"],
    [{ endpoint: 7 }, "endpoint"],
    [{ completion_window: "" }, "completion_window"],
    [{ execution: "elsewhere" }, "execution"],
    [{ metadata: [] }, "metadata"],
    [{ webhook_url: "ftp://x" }, "webhook_url"],
    [{ output_expires_after: { seconds: 1 } }, "output_expires_after.seconds"],
  ])("refuses %j by the field's name", async (more, param) => {
    const response = await create("file-1", more);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { param } });
  });
});

describe("Batches retrieve", () => {
  it("rule 1: a unified id goes to the router; without one the answer is 500", async () => {
    const id = Buffer.from("litellm_proxy;model_id:azure-1;llm_batch_id:batch_abc").toString("base64url");
    await gateway.call(`/v1/batches/${id}`, { key: BLUE_KEY });
    expect(asked(/batches\/batch_abc$/)).toEqual(["azure"]);
    const response = await routerless.call(`/v1/batches/${id}`, { key: BLUE_KEY });
    expect(response.status).toBe(500);
    expect(await response.json()).toHaveProperty("detail.error");
  });

  it("rule 1: with load balancing the router finds the batch of an id that says nothing", async () => {
    const azure = await balanced.call("/azure/v1/batches", {
      body: createBody(await upload(rows(1), { custom_llm_provider: "azure" }, balanced)),
      key: BLUE_KEY,
    });
    expect(azure.status).toBe(200);
    const [request] = simulator.received().filter(({ path }) => path.endsWith("/batches"));
    expect(request!.path).toContain("azure");
    const direct = await fetch(`${simulator.url}/azure/openai/batches?api-version=2024-10-21`, {
      headers: { "api-key": "k" },
    });
    const [raw] = ((await direct.json()) as { data: { id: string }[] }).data;
    expect((await balanced.call(`/v1/batches/${raw!.id}`)).status).toBe(200);
  });

  it("rule 1: an account that cannot say whether it has a batch does not make it one that nobody has", async () => {
    expect((await balanced.call("/v1/batches/batch_of_nobody")).status).toBe(404);
    for (const path of ["/openai", "/azure"]) {
      simulator.setFault({ method: "GET", path, fault: "status=503", times: "forever" });
      expect([path, (await balanced.call("/v1/batches/batch_of_nobody")).status]).toEqual([path, 503]);
      await simulator.reset();
    }
  });

  it("rule 2: the provider is the path's, the header's, the query's, else the default", async () => {
    const headers = { "custom-llm-provider": "azure" };
    await gateway.call("/openai/v1/batches/b1", { headers });
    await gateway.call("/v1/batches/b1?custom_llm_provider=openai", { headers });
    await gateway.call("/batches/b1?custom_llm_provider=azure");
    await gateway.call("/v1/batches/b1");
    expect(asked(/batches\/b1$/)).toEqual(["openai", "azure", "azure", "openai"]);
  });

  it.each(["a/b/c", "a%2Fb%2Fc"])("takes ids with slashes: %s", async (id) => {
    await gateway.call(`/v1/batches/${id}`);
    await gateway.call(`/azure/v1/batches/${id}`);
    await gateway.call(`/v1/batches/${id}/cancel`, { method: "POST" });
    const paths = simulator.received().flatMap(({ path }) => (path.includes("a%2Fb") ? [path] : []));
    expect(paths[0]).toMatch(/\/openai\/v1\/batches\/a%2Fb%2Fc$/);
    expect(paths[1]).toMatch(/\/azure\/.*batches\/a%2Fb%2Fc$/);
    expect(paths[2]).toMatch(/\/batches\/a%2Fb%2Fc\/cancel$/);
  });
});

describe("Batches list", () => {
  it("rule 1: without a router the answer is 500", async () => {
    const response = await routerless.call("/v1/batches", { key: BLUE_KEY });
    expect(response.status).toBe(500);
    expect(await response.json()).toHaveProperty("detail.error");
  });

  it("rule 2: the first of target_model_names is the model, from the query or the body", async () => {
    await gateway.call("/v1/batches?target_model_names=azure-gpt,gpt&limit=7&after=batch_x");
    expect(asked(listing)).toEqual(["azure"]);
    const query = new URLSearchParams(
      simulator.received().find(({ path }) => path.endsWith("/batches"))!.query,
    );
    expect([query.get("limit"), query.get("after")]).toEqual(["7", "batch_x"]);
  });

  it("rule 3: the provider is the path's, the header's, the query's, else the default", async () => {
    const headers = { "custom-llm-provider": "azure" };
    await gateway.call("/openai/v1/batches", { headers });
    await gateway.call("/v1/batches?custom_llm_provider=openai", { headers });
    await gateway.call("/batches?custom_llm_provider=azure");
    await gateway.call("/v1/batches");
    expect(asked(listing)).toEqual(["openai", "azure", "azure", "openai"]);
  });

  it.each(["limit=-1", "limit=1000", "limit=abc"])("refuses %s by name", async (query) => {
    const response = await gateway.call(`/v1/batches?${query}`);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { param: "limit" } });
  });

  it("pages through the provider's and the gateway's own batches without loss or repetition", async () => {
    const key = RED_KEY;
    const input = await upload(rows(1), { target_model_names: "gpt" }, gateway, key);
    const made = new Set<string>();
    for (const execution of ["provider", "gateway", "gateway", "provider", "gateway"]) {
      const response = await gateway.call("/v1/batches", { body: createBody(input, { execution }), key });
      made.add(((await response.json()) as Batch).id);
    }
    for (const limit of [1, 2, 5]) {
      const seen: string[] = [];
      const query = { target_model_names: "gpt" };
      for await (const batch of client(key).batches.list({ limit }, { query })) seen.push(batch.id);
      expect(seen).toHaveLength(made.size);
      expect(new Set(seen)).toEqual(made);
    }
  });

  it("refuses a cursor of another list", async () => {
    const batch = (await (await create(await upload(rows(1)))).json()) as Batch;
    const response = await gateway.call(`/v1/batches?custom_llm_provider=azure&after=${batch.id}`, {
      key: BLUE_KEY,
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { param: "after" } });
  });
});

describe("Batches cancel", () => {
  it("the provider is the path's, else the body's, else the default", async () => {
    const cancel = (path: string, body: object): Promise<Response> =>
      gateway.call(`${path}/b1/cancel`, { method: "POST", body });
    await cancel("/openai/v1/batches", { custom_llm_provider: "azure" });
    await cancel("/v1/batches", { custom_llm_provider: "azure" });
    await cancel("/batches", {});
    expect(asked(/cancel$/)).toEqual(["openai", "azure", "openai"]);
    expect(JSON.stringify(simulator.received())).not.toContain("custom_llm_provider");
  });
});

describe.each([
  ["run by the provider", "gpt", {}],
  ["run by the gateway", "local", {}],
  ["run by the gateway because the caller wants it", "gpt", { execution: "gateway" }],
  ["run by Anthropic", "claude", {}],
  ["run by Gemini", "gemini", {}],
])("A batch %s", (_, model, more) => {
  it("is created, polled, listed and downloaded by the official client", async () => {
    const openai = client();
    const file = await openai.files.create(
      { file: await toFile(Buffer.from(rows(5, model)), "rows.jsonl"), purpose: "batch" },
      { query: { target_model_names: model } },
    );
    const input = await upload(rows(5, model), { target_model_names: model });
    expect(file.id).not.toBe(input);
    const batch = await openai.batches.create({
      input_file_id: input,
      endpoint: "/v1/chat/completions",
      completion_window: "24h",
      metadata: { purpose: "test" },
      ...more,
    });
    expect(batch).toMatchObject({ object: "batch", status: "validating", input_file_id: input });
    expect(batch.id.length).toBeLessThanOrEqual(64);
    const done = await ended(batch.id);
    expect(done).toMatchObject({
      id: batch.id,
      status: "completed",
      input_file_id: input,
      request_counts: { total: 5, completed: 5, failed: 0 },
      metadata: { purpose: "test" },
    });
    expect(done.usage!.total_tokens).toBeGreaterThan(0);
    expect(await openai.batches.retrieve(batch.id)).toEqual(done);
    const lines = await linesOf(done.output_file_id);
    expect(lines.map((line) => line.custom_id).sort()).toEqual([0, 1, 2, 3, 4].map((n) => `row ${n}`));
    for (const line of lines) {
      expect(line).toMatchObject({ error: null, response: { status_code: 200 } });
      expect(JSON.stringify(line)).toMatch(/echo: hello \d/);
    }
    const listed = await gateway.call(`/v1/batches?target_model_names=${model}`, { key: BLUE_KEY });
    const ids = ((await listed.json()) as { data: Batch[] }).data.map(({ id }) => id);
    expect(ids).toContain(batch.id);
    await expect(openai.batches.cancel(batch.id)).rejects.toBeInstanceOf(OpenAI.BadRequestError);
  });

  it("belongs to its team", async () => {
    const input = await upload(rows(1, model), { target_model_names: model });
    const batch = (await (await create(input, more)).json()) as Batch;
    const red = client(RED_KEY);
    await expect(red.batches.retrieve(batch.id)).rejects.toBeInstanceOf(OpenAI.NotFoundError);
    await expect(red.batches.cancel(batch.id)).rejects.toBeInstanceOf(OpenAI.NotFoundError);
    await expect(
      red.batches.create({
        input_file_id: input,
        endpoint: "/v1/chat/completions",
        completion_window: "24h",
      }),
    ).rejects.toBeInstanceOf(OpenAI.NotFoundError);
    const { output_file_id } = await ended(batch.id);
    await expect(red.files.content(output_file_id!)).rejects.toBeInstanceOf(OpenAI.NotFoundError);
  });
});
