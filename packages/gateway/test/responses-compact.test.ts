import OpenAI from "openai";
import { type Simulator, startSimulator } from "portico-simulator";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";
import { responsesConfig, responsesModels } from "./support/responses.ts";

type Item = OpenAI.Responses.ResponseInputItem;
type Recorded = { readonly input?: unknown; readonly tools?: unknown };

let simulator: Simulator;
let gateway: TestGateway;
let client: OpenAI;

beforeAll(async () => {
  simulator = await startSimulator({ port: 0 });
  const { url } = simulator;
  const bedrock = `  - model_name: bedrock
    litellm_params: {model: "bedrock/anthropic.claude-sonnet-4-5-20250929-v1:0", api_base: "${url}/bedrock", api_key: simulated}
  - model_name: other-gpt
    litellm_params: {model: openai/gpt-5, api_base: "${url}/compat/v1", api_key: simulated}
router_settings`;
  gateway = await startTestGateway({ config: responsesConfig(url).replace("router_settings", bedrock) });
  client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.masterKey, maxRetries: 0 });
});

afterAll(async () => {
  await gateway.close();
  await simulator.close();
});

beforeEach(() => simulator.reset());

const conversation: Item[] = [
  { role: "user", content: "I like plums. [[sim:say the user likes plums]]" },
  { type: "function_call", call_id: "call_1", name: "look_up", arguments: '{"what":"plums"}' },
  { type: "function_call_output", call_id: "call_1", output: "plums are ripe" },
  { role: "assistant", content: "They are ripe." },
];

describe.each([...responsesModels, "bedrock", "other-gpt"])("compaction on %s", (model) => {
  it("sums a conversation up, and goes on from the summary", async () => {
    const compacted = await client.responses.compact({ model, input: conversation });
    expect(compacted.object).toBe("response.compaction");
    expect(compacted.usage.total_tokens).toBeGreaterThan(0);
    expect(compacted.output.map(({ type }) => type)).toEqual(["message", "compaction"]);
    const asked = JSON.stringify(simulator.received().at(-1)?.body);
    for (const text of ["I like plums", "look_up", "plums are ripe", "They are ripe"])
      expect(asked).toContain(text);
    expect(JSON.stringify(compacted)).not.toContain("look_up");

    const next: Item[] = [
      ...(compacted.output as Item[]),
      { role: "user", content: "go on [[sim:say gone on]]" },
    ];
    const answer = await client.responses.create({ model, input: next });
    expect(answer.output_text).toBe("gone on");
    const sent = JSON.stringify(simulator.received().at(-1)?.body);
    expect(sent).toContain("I like plums");
    if (model === "gpt-4o")
      expect(simulator.received().map(({ path }) => path)).toContain("/openai/v1/responses/compact");
    else expect(sent).toContain("summed up as follows");
  });
});

it("goes on with another provider's model from a summary of ours", async () => {
  const { output } = await client.responses.compact({ model: "claude", input: conversation });
  for (const model of ["gpt-4o", "gemini-2.5-flash"]) {
    await client.responses.create({
      model,
      input: [...(output as Item[]), { role: "user", content: "go on" }],
    });
    expect(JSON.stringify(simulator.received().at(-1)?.body)).toContain("summed up as follows");
  }
});

it("sums up what a stored response continues, and keeps a response that continues a summary", async () => {
  const first = await client.responses.create({ model: "claude", input: "remember plums" });
  const compacted = await client.responses.compact({ model: "claude", previous_response_id: first.id });
  expect(JSON.stringify(compacted.output[0])).toContain("remember plums");
  const second = await client.responses.create({
    model: "claude",
    input: [...(compacted.output as Item[]), { role: "user", content: "and" }],
  });
  const third = await client.responses.create({
    model: "llama-3",
    previous_response_id: second.id,
    input: "then",
  });
  expect(third.status).toBe("completed");
  expect(JSON.stringify(simulator.received().at(-1)?.body as Recorded)).toContain("summed up as follows");
});

describe("what is refused", () => {
  const statusOf = async (input: unknown, model = "claude", key = gateway.masterKey) => {
    const answer = await gateway.call("/v1/responses", { body: { model, input }, key });
    return [
      answer.status,
      ((await answer.json()) as { error: { provider_code: string; param: string } }).error,
    ] as const;
  };

  it("an item that was changed, or that another tenant got", async () => {
    const { output } = await client.responses.compact({ model: "claude", input: conversation });
    const item = output.at(-1) as { encrypted_content: string };
    const changed = `${item.encrypted_content.slice(0, -6)}AAAAAA`;
    const user = { role: "user", content: "go on" };
    const made = await gateway.call("/key/generate", { body: { user_id: "somebody-else" } });
    const { key } = (await made.json()) as { key: string };
    for (const [content, by] of [
      [changed, gateway.masterKey],
      ["portico-compaction:", gateway.masterKey],
      [item.encrypted_content, key],
    ] as const)
      for (const model of responsesModels) {
        const before = simulator.received().length;
        const [status, error] = await statusOf([{ ...item, encrypted_content: content }, user], model, by);
        expect([status, error.provider_code, error.param]).toEqual([
          400,
          "invalid_encrypted_content",
          "input",
        ]);
        expect(simulator.received()).toHaveLength(before);
      }
  });

  it("an item of OpenAI's on another provider, and a forged one at OpenAI", async () => {
    const { output } = await client.responses.compact({ model: "gpt-4o", input: conversation });
    const user = { role: "user", content: "go on" };
    expect((await statusOf([output.at(-1), user]))[0]).toBe(400);
    const [status, error] = await statusOf(
      [{ type: "compaction", encrypted_content: "forged" }, user],
      "gpt-4o",
    );
    expect([status, error.provider_code]).toEqual([400, "invalid_encrypted_content"]);
  });

  it.each([
    [{ model: "claude" }, 400],
    [{ model: "claude", input: [] }, 400],
    [{ model: "claude", input: "a", stream: true }, 400],
    [{ model: "claude", input: "a", background: true }, 400],
    [{ model: "claude", input: "a [[sim:tokens 200]]", max_output_tokens: 16 }, 502],
    [{ model: "nobody", input: "a" }, 400],
  ])("%j with %i", async (body, status) => {
    const answer = await gateway.call("/v1/responses/compact", { body });
    expect(answer.status).toBe(status);
  });
});
