import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Simulator, startSimulator } from "../src/index.ts";

let simulator: Simulator;
let openai: OpenAI;
let anthropic: Anthropic;

beforeAll(async () => {
  simulator = await startSimulator();
  openai = new OpenAI({ baseURL: `${simulator.url}/openai/v1`, apiKey: "any", maxRetries: 0 });
  anthropic = new Anthropic({ baseURL: `${simulator.url}/anthropic`, apiKey: "any", maxRetries: 0 });
});
beforeEach(() => simulator.reset());
afterAll(() => simulator.close());

const weather = { type: "object", properties: { city: { type: "string" } }, required: ["city"] } as const;
const openAiTools = ["weather", "forecast"].map((name) => ({
  type: "function" as const,
  function: { name, parameters: weather as Record<string, unknown> },
}));
const anthropicTools = ["weather", "forecast"].map((name) => ({
  name,
  input_schema: { ...weather, required: ["city"] },
}));

describe("the openai client", () => {
  test("gets an echo as JSON and as a stream with usage", async () => {
    const messages = [{ role: "user" as const, content: "hello there" }];
    const whole = await openai.chat.completions.create({ model: "gpt-4o", messages });
    expect(whole.choices[0]?.message.content).toBe("echo: hello there");
    const stream = openai.chat.completions.stream({
      model: "gpt-4o",
      messages,
      stream_options: { include_usage: true },
    });
    const final = await stream.finalChatCompletion();
    expect(final.choices[0]?.message.content).toBe("echo: hello there");
    expect(final.usage).toEqual(whole.usage);
  });

  test("is asked for parallel tool calls and then told what the tools said", async () => {
    const question = { role: "user" as const, content: "[[sim:parallel]] weather?" };
    const stream = openai.chat.completions.stream({
      model: "gpt-4o",
      messages: [question],
      tools: openAiTools,
    });
    const message = (await stream.finalChatCompletion()).choices[0]?.message;
    expect(message?.tool_calls?.map((call) => call.type === "function" && call.function.arguments)).toEqual([
      '{"city":"city"}',
      '{"city":"city"}',
    ]);
    const results = (message?.tool_calls ?? []).map((call) => ({
      role: "tool" as const,
      tool_call_id: call.id,
      content: "sunny",
    }));
    const answer = await openai.chat.completions.create({
      model: "gpt-4o",
      messages: [question, message!, ...results],
      tools: openAiTools,
    });
    expect(answer.choices[0]?.message.content).toBe("tool said: sunny; sunny");
    const unanswered = { model: "gpt-4o", messages: [question, message!] };
    await expect(openai.chat.completions.create(unanswered)).rejects.toThrow(
      /did not have response messages/,
    );
  });

  test("gets an error of the class that the status calls for", async () => {
    const create = (content: string) =>
      openai.chat.completions.create({ model: "gpt-4o", messages: [{ role: "user", content }] });
    await expect(create("[[sim:fault status=429;retry-after=2]]")).rejects.toBeInstanceOf(
      OpenAI.RateLimitError,
    );
    await expect(create("[[sim:fault status=500]]")).rejects.toBeInstanceOf(OpenAI.InternalServerError);
    await expect(create("[[sim:context-window]]")).rejects.toMatchObject({ code: "context_length_exceeded" });
    await expect(create("[[sim:fault disconnect]]")).rejects.toBeInstanceOf(OpenAI.APIConnectionError);
    const unknown = { model: "unknown-1", messages: [{ role: "user" as const, content: "x" }] };
    await expect(openai.chat.completions.create(unknown)).rejects.toBeInstanceOf(OpenAI.NotFoundError);
    const stranger = openai.withOptions({ apiKey: "invalid-key" });
    await expect(stranger.models.list()).rejects.toBeInstanceOf(OpenAI.AuthenticationError);
  });

  test("gets the same embedding in both encodings, of the size asked for", async () => {
    const input = ["one", "two"];
    const floats = await openai.embeddings.create({
      model: "e",
      input,
      dimensions: 8,
      encoding_format: "float",
    });
    const packed = await openai.embeddings.create({ model: "e", input, dimensions: 8 });
    expect(floats.data.map((item) => item.embedding)).toEqual(packed.data.map((item) => [...item.embedding]));
    expect(floats.data[0]?.embedding).toHaveLength(8);
  });
});

describe("the anthropic client", () => {
  test("gets an echo as JSON and as a stream", async () => {
    const body = {
      model: "claude",
      max_tokens: 100,
      messages: [{ role: "user" as const, content: "hello" }],
    };
    const whole = await anthropic.messages.create(body);
    expect(whole.content).toMatchObject([{ type: "text", text: "echo: hello" }]);
    const streamed = await anthropic.messages.stream(body).finalMessage();
    expect(streamed.content).toEqual(whole.content);
    expect(streamed.usage).toMatchObject({ output_tokens: whole.usage.output_tokens });
  });

  test("carries thinking with its signature through a tool loop, and no other signature", async () => {
    const question = { role: "user" as const, content: "weather?" };
    const settings = {
      model: "claude",
      max_tokens: 4000,
      thinking: { type: "enabled" as const, budget_tokens: 2000 },
      tools: anthropicTools,
    };
    const first = await anthropic.messages.stream({ ...settings, messages: [question] }).finalMessage();
    expect(first.content.map((block) => block.type)).toEqual(["thinking", "tool_use"]);
    const call = first.content.find((block) => block.type === "tool_use");
    const result = { type: "tool_result" as const, tool_use_id: call?.id ?? "", content: "sunny" };
    const after = (content: Anthropic.ContentBlockParam[]) =>
      anthropic.messages.create({
        ...settings,
        messages: [question, { role: "assistant", content }, { role: "user", content: [result] }],
      });
    expect((await after(first.content)).content.at(-1)).toMatchObject({ text: "tool said: sunny" });
    const forged = first.content.map((block) =>
      block.type === "thinking" ? { ...block, signature: "x" } : block,
    );
    await expect(after(forged)).rejects.toThrow(/Invalid `signature` in `thinking` block/);
    await expect(after(first.content.slice(1))).rejects.toThrow(/Expected `thinking`/);
  });

  test("reads from the cache what it wrote there before", async () => {
    const body = {
      model: "claude",
      max_tokens: 10,
      system: [
        { type: "text" as const, text: "long instructions", cache_control: { type: "ephemeral" as const } },
      ],
      messages: [{ role: "user" as const, content: "hi" }],
    };
    expect((await anthropic.messages.create(body)).usage).toMatchObject({
      cache_creation_input_tokens: 5,
      cache_read_input_tokens: 0,
      input_tokens: 1,
    });
    expect((await anthropic.messages.create(body)).usage).toMatchObject({
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 5,
    });
  });

  test("counts tokens and gets errors by class", async () => {
    const messages = [{ role: "user" as const, content: "12345678" }];
    expect(await anthropic.messages.countTokens({ model: "claude", messages })).toEqual({ input_tokens: 2 });
    const failing = [{ role: "user" as const, content: "[[sim:fault status=529]]" }];
    await expect(
      anthropic.messages.create({ model: "claude", max_tokens: 9, messages: failing }),
    ).rejects.toMatchObject({ status: 529, error: { error: { type: "overloaded_error" } } });
    const stream = anthropic.messages.stream({
      model: "claude",
      max_tokens: 99,
      messages: [{ role: "user", content: "[[sim:fault error-event]] a longer text to break" }],
    });
    await expect(stream.finalMessage()).rejects.toThrow(/overloaded/);
  });
});
