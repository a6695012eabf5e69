import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { type Simulator, startSimulator } from "portico-simulator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";
import { until } from "./support/until.ts";

let simulator: Simulator;
let gateway: TestGateway;
let openai: OpenAI;
let anthropic: Anthropic;

beforeAll(async () => {
  simulator = await startSimulator({ port: 0 });
  const base = (path: string, key = "simulated"): string =>
    `api_key: ${key}, api_base: "${simulator.url}${path}"`;
  const token = JSON.stringify({
    type: "authorized_user",
    client_id: "c",
    client_secret: "s",
    refresh_token: "r",
    token_uri: `${simulator.url}/vertex/token`,
  });
  gateway = await startTestGateway({
    config: `model_list:
  - model_name: gpt
    litellm_params: {model: openai/gpt-5.1, ${base("/openai/v1")}}
  - model_name: own-prices
    litellm_params:
      model: openai/gpt-5.1
      api_key: simulated
      api_base: "${simulator.url}/openai/v1"
      input_cost_per_token: 1
      output_cost_per_token: 10
      input_cost_per_token_priority: 3
      output_cost_per_token_priority: 20
  - model_name: prices-in-info
    litellm_params: {model: openai/our-own, ${base("/openai/v1")}}
    model_info: {input_cost_per_token_flex: 2, output_cost_per_token_flex: 4}
  - model_name: claude
    litellm_params: {model: anthropic/claude-sonnet-4-5, ${base("/anthropic")}}
  - model_name: gemini
    litellm_params: {model: gemini/gemini-2.5-pro, ${base("/google")}}
  - model_name: vertex
    litellm_params: {model: vertex_ai/gemini-2.5-pro, api_base: "${simulator.url}/vertex", vertex_project: p, vertex_credentials: ${JSON.stringify(token)}}
  - model_name: bedrock
    litellm_params: {model: bedrock/amazon.nova-pro-v1:0, ${base("/bedrock")}}
router_settings: {num_retries: 0}
`,
  });
  openai = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.masterKey, maxRetries: 0 });
  anthropic = new Anthropic({ baseURL: gateway.url, apiKey: gateway.masterKey, maxRetries: 0 });
});
afterAll(async () => {
  await gateway.close();
  await simulator.close();
});

type Tier = NonNullable<OpenAI.ChatCompletionCreateParams["service_tier"]>;

/** A call's cost in US dollars, and the tier that its answer names. */
interface Outcome {
  readonly cost: number;
  readonly tier: unknown;
}

async function chat(model: string, service_tier: Tier | undefined, text = "hello"): Promise<Outcome> {
  const messages = [{ role: "user" as const, content: text }];
  const { data, response } = await openai.chat.completions
    .create({ model, messages, ...(service_tier === undefined ? {} : { service_tier }) })
    .withResponse();
  return { cost: costIn(response), tier: data.service_tier };
}

interface SpendRow {
  readonly request_id: string;
  readonly spend: number;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
}

function costIn(response: Response): number {
  return Number(response.headers.get("x-portico-response-cost"));
}

async function streamed(
  path: string,
  body: object,
): Promise<{ readonly text: string; readonly spend: number }> {
  const response = await gateway.call(path, { body: { ...body, stream: true } });
  const text = await response.text();
  const id = response.headers.get("x-portico-call-id");
  const page = await (await gateway.call("/spend/logs?page_size=500")).json();
  const rows = (page as { data: SpendRow[] }).data;
  return { text, spend: rows.find((row) => row.request_id === id)!.spend };
}

describe("A service tier", () => {
  it.each([
    ["gpt", 0.5, 2],
    ["gemini", 0.5, 1.8],
    ["vertex", 0.5, 1.8],
    ["bedrock", 0.5, 1.75],
  ])("of %s is asked for, named in the answer and counted at its price", async (model, flex, priority) => {
    const standard = await chat(model, undefined);
    expect(standard.cost).toBeGreaterThan(0);
    const cheap = await chat(model, "flex");
    expect(cheap.tier).toBe("flex");
    expect(cheap.cost / standard.cost).toBeCloseTo(flex, 9);
    const fast = await chat(model, "priority");
    expect(fast.tier).toBe("priority");
    expect(fast.cost / standard.cost).toBeCloseTo(priority, 9);
  });

  it.each(["gpt", "gemini", "vertex", "bedrock"])(
    "that %s's answer names counts, whatever was asked for",
    async (model) => {
      const word = model === "gpt" || model === "bedrock" ? "default" : "standard";
      const served = (tier: string, asked?: Tier) => chat(model, asked, `[[sim:tier ${tier}]] hello`);
      const standard = await served(word);
      expect((await served(word, "priority")).cost).toBe(standard.cost);
      const flex = await served("flex");
      expect(flex.cost).toBe((await served("flex", "priority")).cost);
      expect(flex.cost).toBeLessThan(standard.cost * 0.6);
    },
  );

  it("counts in streams, and in answers that were translated from Messages and Responses", async () => {
    const messages = [{ role: "user", content: "hello" }];
    for (const model of ["gpt", "gemini", "vertex", "bedrock"]) {
      const [standard, flex] = [
        await streamed("/v1/chat/completions", { model, messages }),
        await streamed("/v1/chat/completions", { model, messages, service_tier: "flex" }),
      ];
      expect(flex.text).toContain('"service_tier":"flex"');
      expect(flex.spend).toBeCloseTo(standard.spend / 2, 12);
      const input = "hello";
      const [plain, cheap] = [
        await streamed("/v1/responses", { model, input }),
        await streamed("/v1/responses", { model, input, service_tier: "flex" }),
      ];
      expect(cheap.text).toContain('"service_tier":"flex"');
      expect(cheap.spend).toBeCloseTo(plain.spend / 2, 12);
      const whole = await openai.responses.create({ model, input, service_tier: "flex" });
      expect(whole.service_tier).toBe("flex");
    }
    const over = { model: "gpt", max_tokens: 50, messages: [{ role: "user" as const, content: "hello" }] };
    const plain = await anthropic.messages.create(over).asResponse();
    const bought = { ...over, service_tier: "priority" as "auto" };
    const { data, response } = await anthropic.messages.create(bought).withResponse();
    expect(data.usage.service_tier).toBe("priority");
    expect(costIn(response) / costIn(plain)).toBeCloseTo(2, 9);
  });

  it("of the deployment's own prices counts as they say, from litellm_params and model_info", async () => {
    const usage = async (model: string, service_tier: Tier) => {
      const messages = [{ role: "user" as const, content: "hello" }];
      const { data, response } = await openai.chat.completions
        .create({ model, messages, service_tier })
        .withResponse();
      return { ...data.usage!, cost: costIn(response) };
    };
    const fast = await usage("own-prices", "priority");
    expect(fast.cost).toBe(3 * fast.prompt_tokens + 20 * fast.completion_tokens);
    const cheap = await usage("own-prices", "flex");
    expect(cheap.cost).toBe(0.5 * cheap.prompt_tokens + 5 * cheap.completion_tokens);
    const only = await usage("prices-in-info", "flex");
    expect(only.cost).toBe(2 * only.prompt_tokens + 4 * only.completion_tokens);
  });

  it("counts also where the stream breaks off before its usage", async () => {
    const messages = [{ role: "user", content: "[[sim:tokens 200]] [[sim:fault cut=2500]]" }];
    const body = { model: "own-prices", messages, service_tier: "priority", stream: true };
    const response = await gateway.call("/v1/chat/completions", { body });
    expect(await response.text()).toContain('"error"');
    const id = response.headers.get("x-portico-call-id");
    const found = async () => {
      const page = await (await gateway.call("/spend/logs?page_size=500")).json();
      return (page as { data: SpendRow[] }).data.find((one) => one.request_id === id);
    };
    // The prompt is counted in a thread of its own, after the stream has ended.
    const row = (await until(found, (one) => one !== undefined))!;
    expect(row.completion_tokens).toBeGreaterThan(0);
    expect(row.spend).toBe(3 * row.prompt_tokens + 20 * row.completion_tokens);
  });

  it("without a price is counted at the standard one, which the log says once", async () => {
    const messages = [{ role: "user" as const, content: "hello" }];
    const cost = async (text: string): Promise<number> =>
      costIn(
        await anthropic.messages
          .create({ model: "claude", max_tokens: 50, messages: [{ ...messages[0]!, content: text }] })
          .asResponse(),
      );
    const standard = await cost("[[sim:tier standard]] hello");
    expect(standard).toBeGreaterThan(0);
    expect(await cost("[[sim:tier priority]] hello")).toBe(standard);
    expect(await cost("[[sim:tier priority]] hello")).toBe(standard);
    const warnings = gateway
      .log()
      .split("\n")
      .filter((line) => line.includes("no price of this service tier"));
    expect(warnings).toHaveLength(1);
    expect(JSON.parse(warnings[0]!)).toMatchObject({ model: "claude-sonnet-4-5", service_tier: "priority" });
  });

  it("is translated: what is standard at OpenAI is so at Anthropic, and the other way round", async () => {
    const asked = async (): Promise<unknown> => {
      const { requests } = (await (await fetch(`${simulator.url}/_admin/requests`)).json()) as {
        requests: { body?: { service_tier?: string } }[];
      };
      return requests.at(-1)?.body?.service_tier;
    };
    await chat("claude", "default");
    expect(await asked()).toBe("standard_only");
    await chat("claude", "auto");
    expect(await asked()).toBeUndefined();
    const messages = [{ role: "user" as const, content: "hello" }];
    await anthropic.messages.create({ model: "gpt", max_tokens: 9, messages, service_tier: "standard_only" });
    expect(await asked()).toBe("default");
  });
});
