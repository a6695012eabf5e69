import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Simulator, startSimulator } from "portico-simulator";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { JsonObject } from "../src/contract/json.ts";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";
import { readEvents, responsesConfig, responsesModels } from "./support/responses.ts";
import { SocketClient } from "./support/socket-client.ts";
import { until } from "./support/until.ts";

const key = "sk-socket-one-0123456789";
const bound = "sk-socket-bound-0123456789";
const poor = "sk-socket-poor-0123456789";
const hurried = "sk-socket-hurried-0123456789";
const wordy = "sk-socket-wordy-0123456789";
const regional = "sk-socket-region-0123456789";

let simulator: Simulator;
let gateway: TestGateway;
let workspace: TestGateway;
const clients: SocketClient[] = [];

beforeAll(async () => {
  simulator = await startSimulator({ port: 0 });
  workspace = await startTestGateway();
  const hooks = join(workspace.dataDirectory, "hooks.mjs");
  writeFileSync(
    hooks,
    `export const preCall = ({ data }) => {
  if (JSON.stringify(data.input ?? "").includes("forbidden")) throw Object.assign(new Error("not this"), { status: 403 });
};
`,
  );
  gateway = await startTestGateway({
    config: `${responsesConfig(simulator.url)}
gateway_settings: {callbacks: ["${hooks}"]}
keys:
  - {key: ${key}, user_id: one}
  - {key: ${bound}, models: [claude]}
  - {key: ${poor}, max_budget: 0}
  - {key: ${hurried}, rpm_limit: 2}
  - {key: ${wordy}, tpm_limit: 70}
  - {key: ${regional}, allowed_model_region: eu}
`,
  });
});

afterAll(async () => {
  await gateway.close();
  await workspace.close();
  await simulator.close();
});

beforeEach(() => simulator.reset());
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
});

async function open(withKey = key, path?: string): Promise<SocketClient> {
  const client = await SocketClient.open(gateway.url, withKey, path);
  clients.push(client);
  return client;
}

function responseOf(frames: readonly JsonObject[]): JsonObject {
  return frames.at(-1)!.response as JsonObject;
}

/** The texts of the conversation that the provider got last. */
function lastConversation(): string {
  return JSON.stringify(simulator.received().at(-1)?.body);
}

const types = (frames: readonly JsonObject[]): unknown[] => frames.map(({ type }) => type);

describe("Responses over a WebSocket", () => {
  it.each(responsesModels)("have the events of the stream over HTTP, on %s", async (model) => {
    const http = await gateway.call("/v1/responses", { key, body: { model, input: "hello", stream: true } });
    const expected = readEvents(await http.text()).map(({ data }) => data.type);
    const client = await open();
    const frames = await client.turn({ model, input: "hello" });
    expect(types(frames)).toEqual(expected);
    expect(frames[0]).toMatchObject({ type: "response.created", headers: { "x-portico-call-id": /./ } });
    expect(JSON.stringify(frames.slice(1))).not.toContain("x-portico-call-id");
    expect(frames.at(-1)).toMatchObject({ type: "response.completed", response: { status: "completed" } });
    const { id } = responseOf(frames);
    expect(await (await gateway.call(`/v1/responses/${id}`, { key })).json()).toMatchObject({ id });
  });

  it.each(["/responses", "/openai/v1/responses"])("are answered at %s, too", async (path) => {
    const client = await open(key, path);
    expect((await client.turn({ model: "claude", input: "hello" })).at(-1)?.type).toBe("response.completed");
  });

  it.each(responsesModels)("go on from a stored response, on %s", async (model) => {
    const client = await open();
    const first = responseOf(await client.turn({ model, input: "remember tulips" }));
    const frames = await client.turn({ model, input: "and now?", previous_response_id: first.id });
    expect(responseOf(frames)).toMatchObject({ previous_response_id: first.id, status: "completed" });
    if (model !== "gpt-4o") expect(lastConversation()).toContain("remember tulips");
  });

  it.each(responsesModels)("go on from one that nobody stored, on %s", async (model) => {
    const client = await open();
    const first = responseOf(await client.turn({ model, input: "remember tulips", store: false }));
    expect((await gateway.call(`/v1/responses/${first.id}`, { key })).status).toBe(404);
    const second = responseOf(
      await client.turn({ model, input: "and roses", store: false, previous_response_id: first.id }),
    );
    const third = await client.turn({
      model,
      input: [{ role: "user", content: "what?" }],
      store: false,
      previous_response_id: second.id,
    });
    for (const frame of third)
      if (frame.response !== undefined)
        expect(frame.response).toMatchObject({ previous_response_id: second.id });
    expect(responseOf(third).status).toBe("completed");
    const conversation = lastConversation();
    expect(conversation.indexOf("remember tulips")).toBeGreaterThan(0);
    expect(conversation.indexOf("and roses")).toBeGreaterThan(conversation.indexOf("remember tulips"));
    expect(conversation.indexOf("what?")).toBeGreaterThan(conversation.indexOf("and roses"));
    expect(conversation).not.toContain("previous_response_id");
  });

  it("go on from one that nobody stored and that went on from a stored one", async () => {
    const client = await open();
    const stored = responseOf(await client.turn({ model: "claude", input: "remember tulips" }));
    const next = { model: "claude", store: false };
    const second = responseOf(
      await client.turn({ ...next, input: "and roses", previous_response_id: stored.id }),
    );
    await client.turn({ ...next, input: "what?", previous_response_id: second.id });
    expect(lastConversation()).toMatch(/remember tulips.*and roses.*what\?/);
  });

  it("forget with their connection what nobody stored", async () => {
    const first = await open();
    const { id } = responseOf(await first.turn({ model: "claude", input: "tulips", store: false }));
    const second = await open();
    const [error] = await second.turn({ model: "claude", input: "what?", previous_response_id: id });
    expect(error).toMatchObject({
      type: "error",
      status: 400,
      error: { code: "previous_response_not_found", param: "previous_response_id" },
    });
    // The connection goes on.
    expect((await second.turn({ model: "claude", input: "hello" })).at(-1)?.type).toBe("response.completed");
  });

  it("warm up without asking a model", async () => {
    const client = await open();
    const warm = await client.turn({
      model: "claude",
      input: "remember tulips",
      generate: false,
      store: false,
    });
    expect(types(warm)).toEqual(["response.created", "response.in_progress", "response.completed"]);
    expect(responseOf(warm)).toMatchObject({ output: [], usage: { total_tokens: 0 } });
    expect(simulator.received()).toEqual([]);
    await client.turn({ model: "claude", input: "what?", previous_response_id: responseOf(warm).id });
    expect(lastConversation()).toMatch(/remember tulips.*what\?/);
    const [error] = await (await open(bound)).turn({ model: "gpt-4o", input: "x", generate: false });
    expect(error).toMatchObject({ type: "error", status: 403 });
  });

  it("run side by side in lanes, and one after the other in one", async () => {
    simulator.setFault({ path: "/anthropic", fault: "slow=20" });
    const client = await open();
    client.send({ type: "response.create", model: "claude", input: "first", stream_id: "a" });
    client.send({ type: "response.create", model: "claude", input: "second", stream_id: "a" });
    client.send({ type: "response.create", model: "gpt-4o", input: "third", stream_id: "b" });
    const frames: JsonObject[] = [];
    for (let ended = 0; ended < 3; ended += 1)
      frames.push(...(await client.until(({ type }) => type === "response.completed")));
    expect(frames.every(({ stream_id: lane }) => lane === "a" || lane === "b")).toBe(true);
    const ends = frames.filter(({ type }) => /created|completed/.test(String(type)));
    const order = ends.filter(({ stream_id: lane }) => lane === "a").map(({ type }) => type);
    expect(order).toEqual([
      "response.created",
      "response.completed",
      "response.created",
      "response.completed",
    ]);
    // The quick one did not wait for the slow ones.
    expect(ends.findIndex((one) => one.stream_id === "b" && one.type === "response.completed")).toBeLessThan(
      ends.length - 1,
    );
  });

  it("write one spend row each", async () => {
    const client = await open();
    for (const input of ["one", "two"]) await client.turn({ model: "claude", input });
    const { data } = (await until(
      async () => (await gateway.call("/spend/logs?limit=100")).json() as Promise<JsonObject>,
      ({ data }) => ((data as JsonObject[]) ?? []).length >= 2,
    )) as { data: JsonObject[] };
    expect(new Set(data.map(({ request_id: id }) => id)).size).toBe(data.length);
  });
});

describe("A frame passes the rules of a POST:", () => {
  const big = "x".repeat(200);
  const cases: readonly (readonly [name: string, key: string, body: object])[] = [
    ["no model", key, { input: "hello" }],
    ["an unknown model", key, { model: "nobody", input: "hello" }],
    ["a model that is no text", key, { model: 5, input: "hello" }],
    ["a model that the key may not call", bound, { model: "gpt-4o", input: "hello" }],
    ["a budget that is spent", poor, { model: "claude", input: "hello" }],
    ["a hook that refuses", key, { model: "claude", input: "forbidden" }],
    ["an input that is none", key, { model: "claude", input: 5 }],
    ["an id with white space", key, { model: "claude", input: "x", previous_response_id: "a b" }],
    [
      "two histories",
      key,
      { model: "claude", input: "x", previous_response_id: "resp_a", conversation: "conv_b" },
    ],
    ["a conversation that does not exist", key, { model: "claude", input: "x", conversation: "conv_b" }],
    ["metadata that is too long", key, { model: "claude", input: "x", metadata: { [big]: "a" } }],
    ["a provider's refusal", key, { model: "claude", input: "[[sim:fault status=400]]" }],
    ["a provider's limit", key, { model: "claude", input: "[[sim:fault status=429;retry-after=2]]" }],
  ];

  it.each(cases)("%s", async (_name, withKey, body) => {
    const http = await gateway.call("/v1/responses", { key: withKey, body: { ...body, stream: true } });
    const expected = (await http.json()) as { error: JsonObject };
    expect(http.status).toBeGreaterThanOrEqual(400);
    const client = await open(withKey);
    const [frame] = await client.turn(body);
    expect(frame).toMatchObject({ type: "error", status: http.status });
    const { provider_code: code = expected.error.code, ...error } = expected.error;
    expect(frame!.error).toMatchObject({ ...error, code });
    const retryAfter = http.headers.get("retry-after");
    if (retryAfter !== null) expect(frame!.headers).toMatchObject({ "retry-after": retryAfter });
    expect(frame!.headers).toHaveProperty("x-portico-call-id");
  });

  it.each([
    ["requests", hurried],
    ["tokens", wordy],
  ])("a limit of %s a minute, over all connections", async (_kind, limited) => {
    const body = { model: "claude", input: "[[sim:tokens 40]]", max_output_tokens: 40 };
    const ends: unknown[] = [];
    for (let turn = 0; turn < 4; turn += 1) {
      const client = await open(limited);
      const [first] = await client.turn(body);
      ends.push(first!.status ?? first!.type);
    }
    expect(ends).toEqual(["response.created", "response.created", 429, 429]);
    expect((await gateway.call("/v1/responses", { key: limited, body })).status).toBe(429);
  });

  it("a key that is blocked or deleted between two frames", async () => {
    const made = async (): Promise<string> => {
      const answer = await gateway.call("/key/generate", { body: { models: ["claude"] } });
      return String(((await answer.json()) as JsonObject).key);
    };
    const blocked = await made();
    const deleted = await made();
    const one = await open(blocked);
    const two = await open(deleted);
    for (const client of [one, two])
      expect((await client.turn({ model: "claude", input: "hello" })).at(-1)?.type).toBe(
        "response.completed",
      );
    await gateway.call("/key/block", { body: { key: blocked } });
    await gateway.call("/key/delete", { body: { keys: [deleted] } });
    expect((await one.turn({ model: "claude", input: "hello" }))[0]).toMatchObject({ status: 403 });
    expect((await two.turn({ model: "claude", input: "hello" }))[0]).toMatchObject({ status: 401 });
    expect((await two.turn({ model: "claude", input: "hello", generate: false }))[0]).toMatchObject({
      status: 401,
    });
  });

  it("a caller's headers for one call count for none of many", async () => {
    const client = await SocketClient.open(gateway.url, key, undefined, {
      headers: { "idempotency-key": "same", "x-portico-call-id": "same-call-id" },
    });
    clients.push(client);
    const one = await client.turn({ model: "claude", input: "one" });
    const two = await client.turn({ model: "claude", input: "two" });
    expect(types([one.at(-1)!, two.at(-1)!])).toEqual(["response.completed", "response.completed"]);
    expect((one[0]!.headers as JsonObject)["x-portico-call-id"]).not.toBe("same-call-id");
  });
});
