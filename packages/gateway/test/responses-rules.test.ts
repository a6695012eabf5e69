import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Simulator, startSimulator } from "portico-simulator";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { JsonObject } from "../src/contract/json.ts";
import { type CallInit, startTestGateway, type TestGateway } from "./support/gateway.ts";
import { readEvents, responsesConfig, responsesModels } from "./support/responses.ts";

let simulator: Simulator;
let gateway: TestGateway;
let hookLog: string;
const one = "sk-tenant-one-0123456789";
const two = "sk-tenant-two-0123456789";

beforeAll(async () => {
  simulator = await startSimulator({ port: 0 });
  const workspace = await startTestGateway();
  hookLog = join(workspace.dataDirectory, "hooks.log");
  const hooks = join(workspace.dataDirectory, "hooks.mjs");
  writeFileSync(
    hooks,
    `import { appendFileSync } from "node:fs";
export const preCall = ({ callType, data }) => appendFileSync(${JSON.stringify(hookLog)}, JSON.stringify({ callType, data }) + "\\n");
`,
  );
  other = workspace;
  gateway = await startTestGateway({
    config: `${responsesConfig(simulator.url).replace(
      "router_settings",
      `  - model_name: half-openai
    litellm_params: {model: openai/llama-3, api_base: "${simulator.url}/compat/v1", api_key: simulated}
  - model_name: half-unknown
    litellm_params: {model: openai/unknown-model, api_base: "${simulator.url}/compat/v1", api_key: simulated}
router_settings`,
    )}
gateway_settings: {callbacks: ["${hooks}"]}
keys:
  - {key: ${one}, user_id: one}
  - {key: ${two}, user_id: two}
`,
    environment: { OPENAI_API_KEY: "simulated", OPENAI_API_BASE: `${simulator.url}/openai/v1` },
  });
});
let other: TestGateway;

afterAll(async () => {
  await gateway.close();
  await other.close();
  await simulator.close();
});

beforeEach(() => simulator.reset());

async function send(path: string, init: CallInit = {}): Promise<{ status: number; json: JsonObject }> {
  const answer = await gateway.call(path, init);
  return { status: answer.status, json: (await answer.json()) as JsonObject };
}

async function create(body: object, key?: string): Promise<JsonObject> {
  const { status, json } = await send("/v1/responses", { body, ...(key === undefined ? {} : { key }) });
  expect(status, JSON.stringify(json)).toBe(200);
  return json;
}

const text = (response: JsonObject): unknown =>
  (response.output as { type: string; content?: { text: string }[] }[])
    .filter(({ type }) => type === "message")
    .map(({ content }) => content?.[0]?.text)
    .join("");

describe("Responses paths", () => {
  it.each(["/v1/responses", "/responses", "/openai/v1/responses"])(
    "Responses path %s: create, get, input items, cancel and delete",
    async (base) => {
      const { json } = await send(base, { body: { model: "claude", input: "hello" } });
      const id = String(json.id);
      expect((await send(`${base}/${id}`)).json).toEqual(json);
      expect((await send(`${base}/${id}/input_items`)).json).toMatchObject({
        object: "list",
        has_more: false,
      });
      expect((await send(`${base}/${id}/cancel`, { method: "POST" })).status).toBe(400);
      const deleted = await send(`${base}/${id}`, { method: "DELETE" });
      expect(deleted.json).toEqual({ id, object: "response", deleted: true });
      expect((await send(`${base}/${id}`)).status).toBe(404);
      expect((await send(`${base}/${id}/input_items`)).status).toBe(404);
    },
  );

  it("Responses rule: the id is merged into the request data as response_id", async () => {
    const { id } = await create({ model: "claude", input: "hello" });
    await send(`/v1/responses/${id}`);
    await send(`/v1/responses/${id}/input_items?limit=5`);
    const { readFileSync } = await import("node:fs");
    const seen = readFileSync(hookLog, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(seen).toContainEqual({ callType: "aget_responses", data: { response_id: id } });
    expect(seen).toContainEqual({
      callType: "alist_input_items",
      data: { response_id: id, query_params: { limit: "5" } },
    });
  });

  it("Responses rule: errors have the common shape", async () => {
    simulator.setFault({ method: "POST", path: "/anthropic", fault: "status=429;retry-after=2", times: 1 });
    const answer = await gateway.call("/v1/responses", { body: { model: "claude", input: "hello" } });
    expect(answer.status).toBe(429);
    expect(answer.headers.get("retry-after")).toBe("2");
    expect(await answer.json()).toMatchObject({
      error: { type: "rate_limit_error", param: null, code: "429" },
    });
  });
});

describe.each(responsesModels)("A response on %s", (model) => {
  it("has an id of ours, of at most 64 characters, the same everywhere", async () => {
    const created = await create({ model, input: "hello" });
    const id = String(created.id);
    expect(id).toMatch(/^resp_[\w-]{1,59}$/);
    const stream = await (
      await gateway.call("/v1/responses", { body: { model, input: "hi", stream: true } })
    ).text();
    const ids = new Set(readEvents(stream).flatMap(({ data }) => (data.response as JsonObject)?.id ?? []));
    expect(ids.size).toBe(1);
    const [streamed] = ids;
    expect((await send(`/v1/responses/${streamed}`)).json.id).toBe(streamed);
  });

  it("does not exist for another tenant, neither to read, continue, cancel nor delete", async () => {
    const { id } = await create({ model, input: "hello" }, one);
    for (const [path, method] of [
      [`/v1/responses/${id}`, "GET"],
      [`/v1/responses/${id}?stream=true`, "GET"],
      [`/v1/responses/${id}/input_items`, "GET"],
      [`/v1/responses/${id}/cancel`, "POST"],
      [`/v1/responses/${id}`, "DELETE"],
    ] as const)
      expect((await send(path, { method, key: two })).status, `${method} ${path}`).toBe(404);
    const body = { model, input: "more", previous_response_id: id };
    expect((await send("/v1/responses", { body, key: two })).status).toBe(404);
    expect((await send(`/v1/responses/${id}`, { key: one })).status).toBe(200);
  });

  it("refuses an unknown or deleted previous_response_id with 404", async () => {
    const unknown = await send("/v1/responses", {
      body: { model, input: "more", previous_response_id: "resp_123" },
    });
    expect(unknown.status).toBe(404);
    expect(unknown.json).toMatchObject({ error: { param: "previous_response_id" } });
    const { id } = await create({ model, input: "hello" });
    await send(`/v1/responses/${id}`, { method: "DELETE" });
    const gone = await send("/v1/responses", { body: { model, input: "more", previous_response_id: id } });
    expect(gone.status).toBe(404);
    for (const { json } of [unknown, gone]) expect((json.error as JsonObject).message).toMatch(/not found/);
  });

  it("is not kept with store: false, and can still be continued by its items", async () => {
    const created = await create({
      model,
      input: "[[sim:think]] one",
      store: false,
      reasoning: { effort: "low" },
      include: ["reasoning.encrypted_content"],
    });
    expect(created.store).toBe(false);
    expect((await send(`/v1/responses/${created.id}`)).status).toBe(404);
    const body = { model, input: "more", previous_response_id: created.id };
    expect((await send("/v1/responses", { body })).status).toBe(404);
    const input = [
      { role: "user", content: "one" },
      ...(created.output as object[]),
      { role: "user", content: "two" },
    ];
    const again = await create({ model, input, store: false, reasoning: { effort: "low" } });
    expect(text(again)).toBe("echo: two");
  });

  it("lists its input items by page", async () => {
    const input = Array.from({ length: 25 }, (_, index) => ({ role: "user", content: `text ${index}` }));
    const { id } = await create({ model, input });
    const path = `/v1/responses/${id}/input_items`;
    const first = (await send(path)).json as {
      data: { id: string; content: { text: string }[] }[];
      has_more: boolean;
      last_id: string;
    };
    expect(first.data.length).toBe(20);
    expect(first.has_more).toBe(true);
    expect(first.data[0]!.content[0]!.text).toBe("text 24");
    const rest = (await send(`${path}?after=${first.last_id}`)).json as typeof first;
    expect(rest.data.length).toBe(5);
    expect(rest.has_more).toBe(false);
    const oldest = (await send(`${path}?order=asc&limit=1`)).json as typeof first;
    expect(oldest.data[0]!.content[0]!.text).toBe("text 0");
    for (const query of ["limit=0", "limit=101", "limit=x", "order=up", "after=nothing"])
      expect((await send(`${path}?${query}`)).status, query).toBe(400);
  });

  it("tells that it is incomplete", async () => {
    const cut = await create({ model, input: "[[sim:tokens 99]]", max_output_tokens: 16 });
    expect(cut).toMatchObject({ status: "incomplete", incomplete_details: { reason: "max_output_tokens" } });
    expect((await send(`/v1/responses/${cut.id}`)).json.status).toBe("incomplete");
  });

  it("echoes what was asked for", async () => {
    const asked = {
      instructions: "Be brief.",
      max_output_tokens: 500,
      metadata: { a: "b" },
      parallel_tool_calls: false,
      temperature: 0.5,
      top_p: 0.9,
      truncation: "auto",
    };
    const created = await create({ model, input: "hello", ...asked });
    expect(created).toMatchObject(asked);
    expect(created).toMatchObject({
      object: "response",
      status: "completed",
      error: null,
      store: true,
      background: false,
    });
    const next = await create({ model, input: "more", previous_response_id: created.id });
    expect(next.instructions).toBeNull();
  });

  it("continues a conversation", async () => {
    const { json: conversation } = await send("/v1/conversations", {
      body: { metadata: { topic: "x" }, items: [{ role: "user", content: "first" }] },
    });
    expect(conversation).toMatchObject({ object: "conversation", metadata: { topic: "x" } });
    const created = await create({ model, input: "second", conversation: conversation.id });
    expect(created.conversation).toEqual({ id: conversation.id });
    await create({ model, input: "third", conversation: { id: conversation.id } });
    const path = `/v1/conversations/${conversation.id}`;
    const { data } = (await send(`${path}/items?order=asc`)).json as { data: { role: string; id: string }[] };
    expect(data.map(({ role }) => role)).toEqual(["user", "user", "assistant", "user", "assistant"]);
    expect((await send(`${path}/items/${data[0]!.id}`)).json).toMatchObject({ id: data[0]!.id });
    expect((await send(`${path}/items/${data[0]!.id}`, { method: "DELETE" })).status).toBe(200);
    expect((await send(path, { key: two })).status).toBe(404);
    expect((await send(path, { method: "DELETE" })).json).toMatchObject({ object: "conversation.deleted" });
    expect(
      (await send("/v1/responses", { body: { model, input: "x", conversation: conversation.id } })).status,
    ).toBeGreaterThanOrEqual(400);
  });

  it("refuses what cannot be", async () => {
    for (const [body, param] of [
      [{ model, input: "x", previous_response_id: "resp_1", conversation: "conv_1" }, "conversation"],
      [{ model, input: "x", background: true, store: false }, "store"],
      [{ model, input: 5 }, "input"],
      [{ model, input: "x", metadata: { a: 5 } }, "metadata"],
      [{ model, input: "x", stream: "yes" }, "stream"],
      [{ model, input: "x", truncation: "maybe" }, "truncation"],
    ] as const) {
      const { status, json } = await send("/v1/responses", { body });
      expect(status, JSON.stringify(body)).toBe(400);
      expect((json.error as JsonObject).param).toBe(param);
    }
    expect((await send("/v1/responses", { body: { model } })).status).toBe(400);
  });
});

describe("An emulated response", () => {
  const model = "claude";
  const tools = [{ type: "function", name: "f", parameters: { type: "object", properties: {} } }];

  it.each([
    [{ reasoning: { effort: "huge" } }, "reasoning.effort"],
    [{ reasoning: { summary: "long" } }, "reasoning.summary"],
    [{ service_tier: "gold" }, "service_tier"],
    [{ text: { verbosity: "loud" } }, "text.verbosity"],
    [{ truncation: "maybe" }, "truncation"],
    [{ tools, tool_choice: "perhaps" }, "tool_choice"],
    [{ tools, tool_choice: { type: "magic" } }, "tool_choice.type"],
    [{ tools, tool_choice: { type: "allowed_tools", mode: "none", tools } }, "tool_choice.mode"],
  ])("refuses names that OpenAI's API does not have: %j", async (more, param) => {
    const { status, json } = await send("/v1/responses", { body: { model, input: "x", ...more } });
    expect(status).toBe(400);
    expect(json.error).toMatchObject({
      type: "invalid_request_error",
      param,
      provider_code: "invalid_value",
    });
    expect(String((json.error as JsonObject).message)).toMatch(
      /^Invalid value: '.*'. Supported values are: /,
    );
  });

  it.each([
    ...["none", "minimal", "low", "medium", "high", "xhigh", "max"].map((effort) => ({
      reasoning: { effort },
    })),
    ...["auto", "concise", "detailed"].map((summary) => ({ reasoning: { effort: "low", summary } })),
    ...["auto", "default", "flex", "scale", "priority"].map((service_tier) => ({ service_tier })),
    ...["low", "medium", "high"].map((verbosity) => ({ text: { verbosity } })),
    ...["auto", "disabled"].map((truncation) => ({ truncation })),
    ...["none", "auto", "required", { type: "function", name: "f" }].map((tool_choice) => ({
      tools,
      tool_choice,
    })),
    { tools, tool_choice: { type: "allowed_tools", mode: "auto", tools: [{ type: "function", name: "f" }] } },
    { reasoning: null, service_tier: null, text: null, truncation: null, tool_choice: null },
  ])("takes every name that it has: %j", async (more) => {
    const { status, json } = await send("/v1/responses", { body: { model, input: "x", ...more } });
    expect(status, JSON.stringify(json)).toBe(200);
  });
});

describe("Native responses", () => {
  it("previous_response_id reaches the provider as its own id", async () => {
    const first = await create({ model: "gpt-4o", input: "one" });
    await create({ model: "gpt-4o", input: "two", previous_response_id: first.id });
    const [, second] = simulator.received() as unknown as { body: JsonObject }[];
    const body = typeof second!.body === "string" ? (JSON.parse(second!.body) as JsonObject) : second!.body;
    expect(body.previous_response_id).not.toBe(first.id);
    expect(body.input).toBe("two");
  });
});

describe("Input tokens", () => {
  it.each(responsesModels)("include the history on %s", async (model) => {
    const first = await create({ model, input: "a rather long text that counts for something, really" });
    const count = async (body: object): Promise<number> => {
      const { json } = await send("/v1/responses/input_tokens", { body: { model, input: "more", ...body } });
      expect(json.object).toBe("response.input_tokens");
      return Number(json.input_tokens);
    };
    expect(await count({ previous_response_id: first.id })).toBeGreaterThan(await count({}));
  });
});

describe("Truncation", () => {
  it("drops the oldest turns of an emulated history that is too long", async () => {
    const first = await create({ model: "claude", input: "one" });
    simulator.setFault({
      method: "POST",
      path: "/anthropic",
      fault: "status=400;message=prompt is too long: 300000 tokens > 200000 maximum",
      times: 1,
    });
    const body = { model: "claude", input: "two", previous_response_id: first.id };
    expect((await send("/v1/responses", { body: { ...body, truncation: "auto" } })).status).toBe(200);
    simulator.setFault({
      method: "POST",
      path: "/anthropic",
      fault: "status=400;message=prompt is too long: 300000 tokens > 200000 maximum",
      times: 1,
    });
    expect((await send("/v1/responses", { body })).status).toBe(400);
  });
});

describe("Files in the input", () => {
  it.each(responsesModels)("may be named by the ids of this gateway on %s", async (model) => {
    const form = new FormData();
    form.set("purpose", "user_data");
    form.set("file", new File(["a very special text"], "note.txt", { type: "text/plain" }));
    const uploaded = await fetch(`${gateway.url}/v1/files`, {
      method: "POST",
      headers: { authorization: `Bearer ${gateway.masterKey}` },
      body: form,
    });
    const file = (await uploaded.json()) as { id: string };
    const parts = [
      { type: "input_text", text: "what is in it?" },
      { type: "input_file", file_id: file.id },
    ];
    const created = await create({ model, input: [{ role: "user", content: parts }] });
    expect(text(created)).toBe("echo: what is in it?");
    const { data } = (await send(`/v1/responses/${created.id}/input_items`)).json as {
      data: { content: { file_id: string }[] }[];
    };
    expect(data[0]!.content[1]!.file_id).toBe(file.id);
    const sent = JSON.stringify(simulator.received().at(-1));
    if (model !== "gpt-4o") expect(sent).not.toContain(file.id);
    const missing = [{ type: "input_file", file_id: "file-unknown" }];
    if (model !== "gpt-4o") {
      const body = { model, input: [{ role: "user", content: missing }] };
      expect((await send("/v1/responses", { body })).status).toBeGreaterThanOrEqual(400);
    }
  });
});

describe("A host that speaks OpenAI's API without Responses", () => {
  it("is found out, gets chat completions, and keeps its state here", async () => {
    const model = "half-openai";
    const first = await create({ model, input: "one" });
    expect(text(first)).toBe("echo: one");
    expect(simulator.received().map(({ path }) => path)).toEqual([
      "/compat/v1/responses",
      "/compat/v1/chat/completions",
    ]);
    const second = await create({ model, input: "two", previous_response_id: first.id });
    expect(second.previous_response_id).toBe(first.id);
    expect((await send(`/v1/responses/${second.id}`)).json).toEqual(second);
    expect(simulator.received().length).toBe(3);
    expect(JSON.stringify(simulator.received().at(-1))).toContain("echo: one");
    const { json } = await send("/v1/responses/input_tokens", { body: { model, input: "hello" } });
    expect(json.input_tokens).toBeGreaterThan(0);
  });

  it("answers 404 for a model that it does not have", async () => {
    const { status, json } = await send("/v1/responses", { body: { model: "half-unknown", input: "x" } });
    expect(status).toBe(404);
    expect(json.error).toBeDefined();
  });
});
