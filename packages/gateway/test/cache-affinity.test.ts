import { type Simulator, startSimulator } from "portico-simulator";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { simulateDay } from "./cache-affinity/simulate-day.ts";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";

it("reads at least 95 % of what one provider's cache would give, over three deployments", async () => {
  const day = { affinity: true, failing: false, sessions: 8, turns: 8 };
  const alone = await simulateDay({ deployments: 1, ...day });
  const shared = await simulateDay({ deployments: 3, ...day });
  expect(shared.read / alone.read).toBeGreaterThan(0.95);
  expect(shared.reasons).toEqual({ prefix: 64 });
  expect(alone.reasons).toEqual({ none: 64 });
});

describe("calls with something in common", () => {
  const IDS = ["d0", "d1", "d2", "d3", "d4", "d5", "d6", "d7"];
  const long = "a long story ".repeat(400);
  let simulator: Simulator;
  let gateways: TestGateway[];

  beforeAll(async () => {
    simulator = await startSimulator({ port: 0 });
    const models = IDS.map(
      (id) =>
        `  - model_name: m\n    litellm_params: {model: openai/${id}, api_base: "${simulator.url}/openai/v1", api_key: simulated}\n    model_info: {id: ${id}}\n`,
    );
    const config = `model_list:\n${models.join("")}router_settings: {num_retries: 2, allowed_fails: 100}\n`;
    // Two replicas that share nothing, the second with its deployments in another order.
    const turned = `model_list:\n${models.toReversed().join("")}router_settings: {num_retries: 2}\n`;
    gateways = [await startTestGateway({ config }), await startTestGateway({ config: turned })];
  });
  afterAll(async () => {
    for (const gateway of gateways) await gateway.close();
    await simulator.close();
  });
  beforeEach(() => simulator.reset());

  const asked = async (path: string, body: object, headers: Record<string, string> = {}, replica = 0) => {
    const answer = await gateways[replica]!.call(path, { body: { model: "m", ...body }, headers });
    expect(answer.status).toBe(200);
    await answer.arrayBuffer();
    return [answer.headers.get("x-portico-model-id"), answer.headers.get("x-portico-affinity")] as const;
  };
  const user = (content: unknown) => ({ role: "user", content });
  const chat = "/v1/chat/completions";

  it.each<[string, string, object, Record<string, string>, string]>([
    ["a prompt_cache_key", chat, { prompt_cache_key: "k", messages: [user("hi")] }, {}, "prompt_cache_key"],
    ["a session header", chat, { messages: [user("hi")] }, { session_id: "s" }, "session"],
    [
      "LiteLLM's session header",
      "/v1/responses",
      { input: "hi" },
      { "x-litellm-session-id": "s" },
      "session",
    ],
    [
      "Claude Code's session",
      "/v1/messages",
      { max_tokens: 9, metadata: { user_id: "user_1_session_2" }, messages: [user("hi")] },
      {},
      "session",
    ],
    [
      "a long prefix in chat",
      chat,
      { messages: [{ role: "system", content: long }, user("hi")] },
      {},
      "prefix",
    ],
    [
      "a long prefix in messages",
      "/v1/messages",
      { max_tokens: 9, system: long, messages: [user([{ type: "text", text: "hi" }])] },
      {},
      "prefix",
    ],
    [
      "a long prefix in responses",
      "/v1/responses",
      { instructions: long, input: [user("hi")] },
      {},
      "prefix",
    ],
    ["a long text in responses", "/v1/responses", { input: long }, {}, "prefix"],
    [
      "a long prefix in Google's format",
      "/v1beta/models/m:generateContent",
      {
        systemInstruction: { parts: [{ text: long }] },
        contents: [{ role: "user", parts: [{ text: "hi" }] }],
      },
      {},
      "prefix",
    ],
  ])("go to one deployment on every replica: %s", async (_name, path, body, headers, reason) => {
    const first = await asked(path, body, headers);
    expect(first[1]).toBe(reason);
    for (let count = 0; count < 4; count += 1)
      expect(await asked(path, body, headers, count % 2)).toEqual(first);
  });

  it("stay there as the conversation grows, and spread by what they are about", async () => {
    const places = new Set<string | null>();
    for (let session = 0; session < 24; session += 1) {
      const begin = [{ role: "system", content: long }, user(`task ${session}`)];
      const [place] = await asked(chat, { messages: begin });
      const further = [...begin, { role: "assistant", content: "done" }, user(long)];
      expect((await asked(chat, { messages: further }))[0]).toBe(place);
      places.add(place);
    }
    expect(places.size).toBeGreaterThan(4);
  });

  it("go to the same next one while theirs fails, and leave the others where they are", async () => {
    const keys = Array.from({ length: 24 }, (_, index) => `key ${index}`);
    const call = async (prompt_cache_key: string) =>
      (await asked(chat, { prompt_cache_key, messages: [user("hi")] }))[0]!;
    const before = new Map<string, string>();
    for (const key of keys) before.set(key, await call(key));
    const gone = before.get(keys[0]!)!;
    simulator.setFault({ model: gone, fault: "status=500", times: "forever" });
    const second = new Map<string, string>();
    for (const key of keys) second.set(key, await call(key));
    for (const key of keys)
      if (before.get(key) === gone) {
        expect(second.get(key)).not.toBe(gone);
        expect(await call(key)).toBe(second.get(key));
      } else expect(second.get(key)).toBe(before.get(key));
  });

  it("are drawn by lot where nothing is in common", async () => {
    expect((await asked(chat, { messages: [user("hi")] }))[1]).toBeNull();
  });
});
