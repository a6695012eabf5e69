import { type Simulator, startSimulator } from "portico-simulator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";

/**
 * A budget for a model is reached by every way to name the model: its group, a deployment's id, an alias of the router, of
 * the gateway or of the key, a wildcard, in JSON, in a form, in a path, or by a selector of its provider alone.
 */

const VIDEO = 0.8;
let simulator: Simulator;
let gateway: TestGateway;

beforeAll(async () => {
  simulator = await startSimulator();
  const at = `api_base: "${simulator.url}/openai/v1", api_key: k`;
  gateway = await startTestGateway({
    config: `model_list:
  - {model_name: vid, model_info: {id: vid-1}, litellm_params: {model: openai/sora-2, ${at}, output_cost_per_second: 0.1}}
  - {model_name: "pix/*", model_info: {id: pix-1}, litellm_params: {model: "openai/*", ${at}, output_cost_per_second: 0.1}}
  - {model_name: talk, model_info: {id: talk-1}, litellm_params: {model: openai/gpt-4o, ${at}, input_cost_per_token: 0.01, output_cost_per_token: 0.01}}
router_settings: {num_retries: 0, model_group_alias: {router-vid: vid, router-talk: talk}}
gateway_settings: {model_alias_map: {gateway-vid: vid, gateway-talk: talk}}
`,
  });
});
afterAll(async () => {
  await gateway?.close();
  await simulator?.close();
});

async function ask(path: string, init: Parameters<TestGateway["call"]>[1]): Promise<number> {
  const answer = await gateway.call(path, init);
  await answer.arrayBuffer();
  return answer.status;
}

type Way = (key: string) => Promise<number>;

const json =
  (fields: object, more: { query?: string; headers?: Record<string, string> } = {}): Way =>
  (key) =>
    ask(`/v1/videos${more.query ?? ""}`, {
      key,
      body: { prompt: "a cat", seconds: "8", ...fields },
      headers: more.headers ?? {},
    });
const form =
  (fields: Readonly<Record<string, string>>): Way =>
  (key) => {
    const body = new FormData();
    for (const [name, value] of Object.entries({ prompt: "a cat", seconds: "8", ...fields }))
      body.append(name, value);
    return ask("/v1/videos", { key, body });
  };
const names = ["vid", "vid-1", "router-vid", "gateway-vid", "mine-vid"];
const videos: Readonly<Record<string, Way>> = {
  ...Object.fromEntries(names.map((model) => [`${model} in JSON`, json({ model })])),
  ...Object.fromEntries(names.map((model) => [`${model} in a form`, form({ model })])),
  "the model with a provider beside it": json({ model: "vid", custom_llm_provider: "openai" }),
  "the id with a provider in header and query": json(
    { model: "vid-1" },
    { query: "?custom_llm_provider=openai", headers: { "custom-llm-provider": "openai" } },
  ),
  "another path": (key) => ask("/videos", { key, body: { prompt: "a cat", seconds: "8", model: "vid-1" } }),
};

const chat =
  (path: string, model?: string): Way =>
  (key) =>
    ask(path, {
      key,
      body: { ...(model && { model }), max_tokens: 10, messages: [{ role: "user", content: "hello" }] },
    });
const talkNames = ["talk", "talk-1", "router-talk", "gateway-talk", "mine-talk"];
const input = "hello";
const talks: Readonly<Record<string, Way>> = {
  ...Object.fromEntries(talkNames.map((model) => [`${model} in chat`, chat("/v1/chat/completions", model)])),
  ...Object.fromEntries(talkNames.map((model) => [`${model} in Messages`, chat("/v1/messages", model)])),
  ...Object.fromEntries(
    talkNames.map((model) => [
      `${model} in Responses`,
      (key: string) => ask("/v1/responses", { key, body: { model, input, max_output_tokens: 10 } }),
    ]),
  ),
  ...Object.fromEntries(
    talkNames.map((model) => [
      `${model} in Google's path`,
      (key: string) =>
        ask(`/v1beta/models/${model}:generateContent`, {
          key,
          body: {
            contents: [{ role: "user", parts: [{ text: input }] }],
            generationConfig: { maxOutputTokens: 10 },
          },
        }),
    ]),
  ),
};

let made = 0;
/** A key that has so much left for a model, or whose team, user or member has. */
const levels: Readonly<Record<string, (limits: object) => Promise<string>>> = {
  "a key": async (limits) => keyOf(limits),
  "a team": async (limits) => {
    made += 1;
    await ask("/team/new", { body: { team_id: `team-${made}`, ...limits } });
    return keyOf({ team_id: `team-${made}` });
  },
  "a user": async (limits) => {
    made += 1;
    await ask("/user/new", { body: { user_id: `user-${made}`, auto_create_key: false, ...limits } });
    return keyOf({ user_id: `user-${made}` });
  },
};

async function keyOf(fields: object): Promise<string> {
  const aliases = { "mine-vid": "vid", "mine-talk": "talk" };
  const answer = await gateway.call("/key/generate", { body: { aliases, ...fields } });
  return ((await answer.json()) as { key: string }).key;
}

describe.each(Object.keys(levels))("A budget for a model of %s", (level) => {
  const spent = levels[level]!;

  it.each(Object.keys(videos))("is used up by a video of %s, and refuses one", async (name) => {
    const way = videos[name]!;
    const limits = { model_max_budget: { vid: { max_budget: VIDEO } } };
    const first = await spent(limits);
    expect(await way(first)).toBe(200);
    expect(await videos["vid in JSON"]!(first)).toBe(402);
    const other = await spent(limits);
    expect(await videos["vid in JSON"]!(other)).toBe(200);
    expect(await way(other)).toBe(402);
  });

  it.each(Object.keys(talks))("is used up by a call of %s, and refuses one", async (name) => {
    const way = talks[name]!;
    const other = await spent({ model_max_budget: { talk: { max_budget: 0.21 } } });
    const answers: number[] = [];
    // Each call costs at least a cent, so that they end.
    for (let count = 0; count < 22 && answers.at(-1) !== 402; count += 1) answers.push(await way(other));
    expect(answers[0]).toBe(200);
    expect(answers.at(-1)).toBe(402);
    expect(await talks["talk in chat"]!(other)).toBe(402);
  });

  it.each(["vid-1", "router-vid", "gateway-vid", "mine-vid"])(
    "that names %s holds for every other name of that model",
    async (limited) => {
      const limits = { model_max_budget: { [limited]: { max_budget: VIDEO } } };
      for (const way of [videos["vid in JSON"]!, videos["vid-1 in a form"]!]) {
        const key = await spent(limits);
        expect(await way(key)).toBe(200);
        expect(await way(key)).toBe(402);
      }
    },
  );

  it.each(["pix/*", "pix/sora-2", "pix-1"])(
    "that names the wildcard's %s holds for its videos",
    async (limited) => {
      const key = await spent({ model_max_budget: { [limited]: { max_budget: VIDEO } } });
      expect(await json({ model: "pix/sora-2" })(key)).toBe(200);
      expect(await json({ model: "pix/sora-2" })(key)).toBe(402);
      expect(await form({ model: "pix/sora-2" })(key)).toBe(402);
    },
  );
});
