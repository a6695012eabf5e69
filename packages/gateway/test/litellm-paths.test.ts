import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";

/** LiteLLM's paths for what calls use and cost, and for the health of single models. */
let gateway: TestGateway;
const messages = [{ role: "user", content: "Hello there" }];

beforeAll(async () => {
  gateway = await startTestGateway({
    config: `model_list:
  - {model_name: chat, litellm_params: {model: openai/gpt-4o, mock_response: hi}, model_info: {id: one}}
  - {model_name: own, litellm_params: {model: openai/ours, mock_response: hi, input_cost_per_token: 0.5, output_cost_per_token: 2}, model_info: {id: two}}
  - {model_name: unpriced, litellm_params: {model: openai/nobody-sells-it, mock_response: hi}}
router_settings: {model_group_alias: {alias: chat}}
keys: [{key: sk-of-one-model, models: [own]}]
`,
  });
});
afterAll(() => gateway.close());

async function ask(path: string, body?: object, key?: string): Promise<[number, Record<string, unknown>]> {
  const response = await gateway.call(path, {
    ...(body === undefined ? {} : { body }),
    ...(key === undefined ? {} : { key }),
  });
  return [response.status, (await response.json()) as Record<string, unknown>];
}

describe("POST /utils/token_counter", () => {
  it.each([
    [{ model: "chat", messages }, "gpt-4o"],
    [{ model: "alias", messages }, "gpt-4o"],
    [{ model: "chat", prompt: "Hello there" }, "gpt-4o"],
    [{ model: "chat", contents: [{ role: "user", parts: [{ text: "Hello there" }] }] }, "gpt-4o"],
    [{ model: "nobody-knows-it", messages }, "nobody-knows-it"],
  ])("counts %j", async (body, used) => {
    const [status, answer] = await ask("/utils/token_counter", body);
    expect([status, answer.request_model, answer.model_used]).toEqual([200, body.model, used]);
    expect(answer.total_tokens).toBeGreaterThan(1);
    expect(answer.total_tokens).toBeLessThan(12);
  });

  it("counts a text without what frames messages", async () => {
    const [, { total_tokens: asText }] = await ask("/utils/token_counter", {
      model: "chat",
      prompt: "Hello there",
    });
    const [, { total_tokens: asMessage }] = await ask("/utils/token_counter", { model: "chat", messages });
    expect(asText).toBeLessThan(asMessage as number);
  });

  it("wants something to count, for a model that the key may call", async () => {
    expect((await ask("/utils/token_counter", { model: "chat" }))[0]).toBe(400);
    expect((await ask("/utils/token_counter", { model: "chat", messages }, "sk-of-one-model"))[0]).toBe(403);
    expect((await ask("/utils/token_counter", { model: "own", messages }, "sk-of-one-model"))[0]).toBe(200);
  });
});

describe("POST /spend/calculate", () => {
  const usage = { prompt_tokens: 10, completion_tokens: 3, total_tokens: 13 };

  it("prices the input of a call by the model's deployment", async () => {
    const [, { total_tokens: tokens }] = await ask("/utils/token_counter", { model: "own", messages });
    expect(await ask("/spend/calculate", { model: "own", messages })).toEqual([
      200,
      { cost: (tokens as number) * 0.5 },
    ]);
  });

  it.each([
    [{ completion_response: { model: "ours", usage } }, 11],
    [{ model: "own", completion_response: { model: "whatever", usage } }, 11],
    [{ completion_response: { model: "gpt-4o", usage } }, 10 * 2.5e-6 + 3 * 1e-5],
  ])("prices an answer: %j", async (body, cost) => {
    const [status, answer] = await ask("/spend/calculate", body);
    expect(status).toBe(200);
    expect(answer.cost).toBeCloseTo(cost, 12);
  });

  it.each([
    [{ model: "chat" }],
    [{ messages }],
    [{ model: "unpriced", messages }],
    [{ completion_response: { model: "gpt-4o" } }],
    [{ completion_response: { model: "nobody-knows-it", usage } }],
  ])("refuses %j", async (body) => {
    expect((await ask("/spend/calculate", body))[0]).toBe(400);
  });

  it("prices no model that the key may not call", async () => {
    for (const body of [{ model: "chat", messages }, { completion_response: { model: "gpt-4o", usage } }])
      expect((await ask("/spend/calculate", body, "sk-of-one-model"))[0]).not.toBe(200);
  });
});

describe("GET /health", () => {
  const namesAt = async (query: string, key?: string): Promise<unknown> => {
    const [status, { healthy_endpoints: healthy }] = await ask(`/health?${query}`, undefined, key);
    return status === 200 ? (healthy as { model_name: string }[]).map((one) => one.model_name) : status;
  };

  it("tells of one model, by its name, the provider's or a deployment's id", async () => {
    expect(await namesAt("")).toEqual(["chat", "own", "unpriced"]);
    for (const query of ["model=own", "model=openai/ours", "model=ours", "model_id=two"])
      expect([query, await namesAt(query)]).toEqual([query, ["own"]]);
    expect(await namesAt("model=own&model_id=one")).toBe(404);
    expect(await namesAt("model=nobody-knows-it")).toBe(404);
    expect(await namesAt("model=chat", "sk-of-one-model")).toBe(404);
  });
});

it("POST /engines/{model}/chat/completions takes the model from the path", async () => {
  const [status, answer] = await ask("/engines/chat/chat/completions", { messages });
  expect([status, answer.model]).toEqual([200, "gpt-4o"]);
});

describe("Estimates", () => {
  const chat = { model: "chat", messages };
  it.each([
    ["/utils/token_counter", chat],
    ["/spend/calculate", chat],
    ["/utils/token_counter", { model: "chat" }],
  ])("at %s count in the limits of requests, and need no budget", async (path, body) => {
    const key = await gateway.newKey({ rpm_limit: 2, max_budget: 0 });
    const statuses = [];
    for (let turn = 0; turn < 3; turn += 1) statuses.push((await ask(path, body, key))[0]);
    const done = body === chat ? 200 : 400;
    expect(statuses).toEqual([done, done, 429]);
  });
});
