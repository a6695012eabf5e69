import type { LanguageModelV3StreamPart } from "@ai-sdk/provider";
import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import type { AnswerContext } from "../../contract/dialect.ts";
import { GatewayError } from "../../contract/errors.ts";
import { encodeNeutral } from "../neutral-stream.ts";
import { toNeutralUsage } from "../usage.ts";
import { responsesDialect } from "./responses-dialect.ts";

const context: AnswerContext = {
  model: "m",
  request: { model: "m", input: "hi" },
  callId: "c-1",
  created: 1,
};
const usage = toNeutralUsage({ input: 3, output: 5, cacheRead: 1, cacheWrite: 0, reasoning: 2 });
const signed = { anthropic: { signature: "sig" } };
const begin: LanguageModelV3StreamPart[] = [
  { type: "reasoning-start", id: "0" },
  { type: "reasoning-delta", id: "0", delta: "thinking" },
  { type: "reasoning-delta", id: "0", delta: "", providerMetadata: signed },
  { type: "reasoning-end", id: "0" },
  { type: "text-start", id: "1" },
  { type: "text-delta", id: "1", delta: "hel" },
  { type: "text-delta", id: "1", delta: "lo" },
  { type: "text-end", id: "1" },
  { type: "tool-call", toolCallId: "call_1", toolName: "f", input: '{"a":1}' },
];

/** The official client, answered by the encoder. */
function clientOf(parts: readonly LanguageModelV3StreamPart[]): OpenAI {
  const body = encodeNeutral(ReadableStream.from(parts), responsesDialect, context);
  const headers = { "content-type": "text/event-stream" };
  return new OpenAI({
    apiKey: "any",
    fetch: async () => new Response(ReadableStream.from(body), { headers }),
  });
}

describe("a Responses stream from neutral parts", () => {
  it("gives the official client reasoning, text, a call and usage, numbered from 0", async () => {
    const finish = { unified: "tool-calls" as const, raw: "tool_use" };
    const parts: LanguageModelV3StreamPart[] = [...begin, { type: "finish", finishReason: finish, usage }];
    const stream = clientOf(parts).responses.stream({ model: "m", input: "hi" });
    const numbers: number[] = [];
    for await (const event of stream) numbers.push(event.sequence_number);
    expect(numbers).toEqual(numbers.map((_, index) => index));
    const response = await stream.finalResponse();
    expect(response.status).toBe("completed");
    expect(response.output_text).toBe("hello");
    expect(response.output.map((item) => item.type)).toEqual(["reasoning", "message", "function_call"]);
    expect(new Set(response.output.map((item) => item.id)).size).toBe(3);
    expect(response.usage).toMatchObject({ input_tokens: 3, output_tokens: 5, total_tokens: 8 });
  });

  it("takes its own output back as input, signatures included", async () => {
    const finish = { unified: "tool-calls" as const, raw: "tool_use" };
    const parts: LanguageModelV3StreamPart[] = [...begin, { type: "finish", finishReason: finish, usage }];
    const { output } = await clientOf(parts).responses.stream({ model: "m", input: "hi" }).finalResponse();
    const result = { type: "function_call_output", call_id: "call_1", output: "done" };
    const { prompt } = responsesDialect.toCallOptions({
      input: [{ role: "user", content: "hi" }, ...output, result],
    });
    expect(prompt.map((message) => message.role)).toEqual(["user", "assistant", "tool"]);
    expect(prompt[1]?.content).toContainEqual({
      type: "reasoning",
      text: "thinking",
      providerOptions: signed,
    });
  });

  it("is incomplete at the length, and failed with its output so far when the source breaks", async () => {
    const finish = { unified: "length" as const, raw: "max_tokens" };
    const cut = clientOf([...begin, { type: "finish", finishReason: finish, usage }]);
    const response = await cut.responses.stream({ model: "m", input: "hi" }).finalResponse();
    expect(response).toMatchObject({
      status: "incomplete",
      incomplete_details: { reason: "max_output_tokens" },
    });
    const error = new GatewayError(429, "rate_limit_error", "slow down");
    const broken = await clientOf([...begin, { type: "error", error }]).responses.create({
      model: "m",
      stream: true,
    });
    let last: OpenAI.Responses.ResponseStreamEvent | undefined;
    for await (const event of broken) last = event;
    expect(last).toMatchObject({
      type: "response.failed",
      response: { status: "failed", error: { code: "rate_limit_exceeded", message: "slow down" } },
    });
  });
});
