import OpenAI from "openai";
import { zodTextFormat } from "openai/helpers/zod";
import { type Simulator, startSimulator } from "portico-simulator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";
import { responsesConfig, responsesModels } from "./support/responses.ts";

let simulator: Simulator;
let gateway: TestGateway;
let openai: OpenAI;

beforeAll(async () => {
  simulator = await startSimulator({ port: 0 });
  gateway = await startTestGateway({ config: responsesConfig(simulator.url) });
  openai = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.masterKey, maxRetries: 0 });
});

afterAll(async () => {
  await gateway.close();
  await simulator.close();
});

async function settings(values: object): Promise<void> {
  await fetch(`${simulator.url}/_admin/settings`, { method: "POST", body: JSON.stringify(values) });
}

const weather = {
  type: "function" as const,
  name: "weather",
  parameters: {
    type: "object",
    properties: { city: { type: "string" } },
    required: ["city"],
    additionalProperties: false,
  },
  strict: true,
};

describe.each(responsesModels)("The official OpenAI client on %s", (model) => {
  it("creates, retrieves, lists the input of, and deletes a response", async () => {
    const created = await openai.responses.create({ model, input: "hello", metadata: { a: "1" } });
    expect(created.output_text).toBe("echo: hello");
    expect(created.status).toBe("completed");
    expect(created.metadata).toEqual({ a: "1" });
    const again = await openai.responses.retrieve(created.id);
    expect(again).toMatchObject({ id: created.id, output: created.output, usage: created.usage });
    const items = await openai.responses.inputItems.list(created.id);
    expect(items.data).toMatchObject([{ type: "message", role: "user", content: [{ text: "hello" }] }]);
    await openai.responses.delete(created.id);
    await expect(openai.responses.retrieve(created.id)).rejects.toMatchObject({ status: 404 });
    await expect(openai.responses.inputItems.list(created.id)).rejects.toMatchObject({ status: 404 });
  });

  it("continues with previous_response_id, at once", async () => {
    const first = await openai.responses.create({ model, input: "[[sim:tool weather]]", tools: [weather] });
    const [call] = first.output.filter((item) => item.type === "function_call");
    const second = await openai.responses.create({
      model,
      previous_response_id: first.id,
      tools: [weather],
      input: [{ type: "function_call_output", call_id: call!.call_id, output: "sunny" }],
    });
    expect(second.output_text).toBe("tool said: sunny");
    expect(second.previous_response_id).toBe(first.id);
    expect((await openai.responses.retrieve(second.id)).previous_response_id).toBe(first.id);
  });

  it("follows the stream helper to the final response", async () => {
    const stream = openai.responses.stream({ model, input: "hello there" });
    const types: string[] = [];
    for await (const event of stream) types.push(event.type);
    const final = await stream.finalResponse();
    expect(final.output_text).toBe("echo: hello there");
    expect(types[0]).toBe("response.created");
    expect(types.at(-1)).toBe("response.completed");
    expect((await openai.responses.retrieve(final.id)).output_text).toBe("echo: hello there");
  });

  it("parses structured output", async () => {
    const format = zodTextFormat(z.object({ city: z.string() }), "place");
    const parsed = await openai.responses.parse({ model, input: "where?", text: { format } });
    expect(parsed.output_parsed?.city).toBeTypeOf("string");
  });

  it("runs in the background, is polled, and can be cancelled", async () => {
    const started = await openai.responses.create({ model, input: "hello", background: true });
    let state = started;
    while (state.status === "queued" || state.status === "in_progress") {
      await new Promise((resolve) => setTimeout(resolve, 20));
      state = await openai.responses.retrieve(started.id);
    }
    expect(state.output_text).toBe("echo: hello");
    await settings({ responseRunningMs: 3_600_000 });
    const input = model === "gpt-4o" ? "hi" : "[[sim:ttft 3600000]] hi";
    const slow = await openai.responses.create({ model, input, background: true });
    expect((await openai.responses.cancel(slow.id)).status).toBe("cancelled");
    expect((await openai.responses.retrieve(slow.id)).status).toBe("cancelled");
    await settings({ responseRunningMs: 50 });
  });

  it("counts input tokens", async () => {
    const counted = await openai.responses.inputTokens.count({ model, input: "hello" });
    expect(counted.object).toBe("response.input_tokens");
    expect(counted.input_tokens).toBeGreaterThan(0);
  });
});
