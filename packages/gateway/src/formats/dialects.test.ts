import type { LanguageModelV3CallOptions, LanguageModelV3Prompt } from "@ai-sdk/provider";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { GatewayError } from "../contract/errors.ts";
import type { JsonObject } from "../contract/json.ts";
import { toMessagesRequest } from "../providers/anthropic/to-request.ts";
import type { ChatHost } from "../providers/openai/chat-language-model.ts";
import { toChatRequest } from "../providers/openai/to-request.ts";
import { providerError } from "../providers/provider-error.ts";
import { type DialectFormat, dialectOf } from "./registry.ts";

const host: ChatHost = {
  provider: { name: "test", address: () => ({ url: "", headers: {} }), toError: providerError },
  hasOpenaiReasoning: true,
  sendsReasoning: true,
  countsStreams: true,
  fetchesImages: true,
};
const schema = { type: "object", properties: { a: { type: "string" } } };
const data = "data:image/png;base64,iVBORw0KGgo=";

/** A request with every member that a dialect reads. */
const requests: Readonly<Record<DialectFormat, JsonObject>> = {
  chat: {
    model: "m",
    max_tokens: 9,
    temperature: 1,
    stop: ["x"],
    user: "u",
    reasoning_effort: "low",
    parallel_tool_calls: false,
    response_format: { type: "json_schema", json_schema: { name: "n", schema } },
    tools: [{ type: "function", function: { name: "f", description: "d", parameters: schema } }],
    tool_choice: { type: "function", function: { name: "f" } },
    messages: [
      { role: "system", content: [{ type: "text", text: "s", cache_control: { type: "ephemeral" } }] },
      {
        role: "user",
        content: [
          { type: "text", text: "t" },
          { type: "image_url", image_url: { url: data } },
        ],
      },
      {
        role: "assistant",
        content: "c",
        thinking_blocks: [{ type: "thinking", thinking: "h", signature: "sig" }],
        tool_calls: [{ id: "c1", type: "function", function: { name: "f", arguments: '{"a":"b"}' } }],
      },
      { role: "tool", tool_call_id: "c1", content: "r" },
    ],
  },
  messages: {
    model: "m",
    max_tokens: 9,
    temperature: 1,
    stop_sequences: ["x"],
    metadata: { user_id: "u" },
    thinking: { type: "enabled", budget_tokens: 1024 },
    output_config: { effort: "low", format: { type: "json_schema", schema } },
    system: [{ type: "text", text: "s", cache_control: { type: "ephemeral" } }],
    tools: [{ name: "f", description: "d", input_schema: schema, cache_control: { type: "ephemeral" } }],
    tool_choice: { type: "tool", name: "f", disable_parallel_tool_use: true },
    messages: [
      {
        role: "user",
        content: [
          { type: "text", text: "t" },
          { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBO" } },
          { type: "document", title: "d", source: { type: "url", url: "https://example.com/a.pdf" } },
        ],
      },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "h", signature: "sig" },
          { type: "redacted_thinking", data: "zz" },
          { type: "tool_use", id: "c1", name: "f", input: { a: "b" } },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "c1", is_error: false, content: [{ type: "text", text: "r" }] },
        ],
      },
    ],
  },
  responses: {
    model: "m",
    max_output_tokens: 9,
    instructions: "s",
    reasoning: { effort: "low", summary: "auto" },
    text: { format: { type: "json_schema", name: "n", schema } },
    tools: [{ type: "function", name: "f", description: "d", parameters: schema, strict: true }],
    tool_choice: { type: "function", name: "f" },
    input: [
      {
        role: "user",
        content: [
          { type: "input_text", text: "t" },
          { type: "input_image", image_url: data },
        ],
      },
      {
        type: "reasoning",
        id: "rs_1",
        summary: [{ type: "summary_text", text: "h" }],
        encrypted_content: "e",
      },
      { type: "function_call", call_id: "c1", name: "f", arguments: '{"a":"b"}' },
      { type: "function_call_output", call_id: "c1", output: "r" },
    ],
  },
  gemini: {
    model: "m",
    systemInstruction: { parts: [{ text: "s" }] },
    generationConfig: {
      maxOutputTokens: 9,
      temperature: 1,
      topP: 0.5,
      topK: 3,
      seed: 4,
      candidateCount: 1,
      stopSequences: ["x"],
      responseMimeType: "application/json",
      responseSchema: { type: "OBJECT", properties: { a: { type: "STRING" } } },
      responseModalities: ["TEXT"],
      thinkingConfig: { includeThoughts: true, thinkingBudget: 1024 },
    },
    tools: [
      {
        functionDeclarations: [
          {
            name: "f",
            description: "d",
            parameters: { type: "OBJECT", properties: { a: { type: "STRING" } } },
          },
        ],
      },
    ],
    toolConfig: { functionCallingConfig: { mode: "ANY", allowedFunctionNames: ["f"] } },
    serviceTier: "flex",
    contents: [
      {
        role: "user",
        parts: [
          { text: "t" },
          { inlineData: { mimeType: "image/png", data: "iVBORw0KGgo=" } },
          { fileData: { mimeType: "application/pdf", fileUri: "https://example.com/a.pdf" } },
          { codeExecutionResult: { outcome: "OUTCOME_OK", output: "1" } },
        ],
      },
      {
        role: "model",
        parts: [
          { text: "h", thought: true, thoughtSignature: "c2ln" },
          { executableCode: { language: "PYTHON", code: "1" } },
          { functionCall: { id: "c1", name: "f", args: { a: "b" } }, thoughtSignature: "c2ln" },
        ],
      },
      {
        role: "user",
        parts: [
          {
            functionResponse: {
              id: "c1",
              name: "f",
              response: { output: "r" },
              parts: [{ inlineData: { mimeType: "image/png", data: "iVBO" } }],
            },
          },
        ],
      },
    ],
  },
};

type Path = readonly (string | number)[];

function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [path];
  const children = Object.entries(value).flatMap(([key, member]) =>
    pathsOf(member, [...path, Array.isArray(value) ? Number(key) : key]),
  );
  return path.length === 0 ? children : [path, ...children];
}

function replaced(value: unknown, [key, ...rest]: Path, replacement: unknown): unknown {
  if (key === undefined) return replacement;
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<
    string | number,
    unknown
  >;
  copy[key] = replaced(copy[key], rest, replacement);
  return copy;
}

function outcome(run: () => unknown): unknown {
  try {
    run();
    return "accepted";
  } catch (thrown) {
    return thrown;
  }
}

describe.each(Object.keys(requests) as DialectFormat[])("%s requests", (format) => {
  const paths = pathsOf(requests[format]);

  it("are read whole", () => {
    const options = dialectOf(format).toCallOptions(requests[format]);
    expect(options).toMatchObject({
      maxOutputTokens: 9,
      responseFormat: { type: "json", schema },
      tools: [{ type: "function", name: "f", description: "d", inputSchema: schema }],
      toolChoice: { type: "tool", toolName: "f" },
    });
    expect(options.prompt.map((message) => message.role)).toEqual(["system", "user", "assistant", "tool"]);
  });

  it("with a wrong type anywhere are a 400 or accepted, never a failure of ours", () => {
    const values = fc.constantFrom(
      null,
      true,
      7,
      -1.5,
      "",
      "text",
      [],
      [null],
      [[]],
      {},
      { type: 3 },
      { type: "x" },
    );
    fc.assert(
      fc.property(fc.constantFrom(...paths), values, (path, value) => {
        const body = replaced(requests[format], path, value) as JsonObject;
        let options: LanguageModelV3CallOptions | undefined;
        const read = outcome(() => {
          options = dialectOf(format).toCallOptions(body);
        });
        if (read !== "accepted") {
          expect(read).toBeInstanceOf(GatewayError);
          expect(read).toMatchObject({ status: 400, param: expect.any(String) });
          return;
        }
        for (const write of [
          () => toMessagesRequest(options!, "claude-sonnet-4-5"),
          () => toChatRequest(options!, "gpt-5", host, true),
        ]) {
          const written = outcome(write);
          if (written !== "accepted") expect(written).toMatchObject({ status: 400 });
        }
      }),
      { numRuns: 1500 },
    );
  });
});

const word = fc.stringMatching(/^[a-z]{1,8}$/);
const round = fc.record({
  question: word,
  answer: word,
  calls: fc.array(word, { maxLength: 3 }),
  result: word,
});

/** A conversation as a chat completion request: rounds of question, answer with calls, results. */
function conversation(
  system: string,
  rounds: readonly { question: string; answer: string; calls: string[]; result: string }[],
): JsonObject {
  const messages: JsonObject[] = [{ role: "system", content: system }];
  for (const [at, { question, answer, calls, result }] of rounds.entries()) {
    messages.push({ role: "user", content: question });
    const toolCalls = calls.map((name, index) => ({
      id: `call_${at}_${index}`,
      type: "function",
      function: { name, arguments: JSON.stringify({ name }) },
    }));
    messages.push({
      role: "assistant",
      content: answer,
      ...(calls.length > 0 ? { tool_calls: toolCalls } : {}),
    });
    for (const { id } of toolCalls) messages.push({ role: "tool", tool_call_id: id, content: result });
  }
  return { model: "m", max_tokens: 5, messages: [...messages, { role: "user", content: "end" }] };
}

/** A prompt without members that are undefined. */
function plain(prompt: LanguageModelV3Prompt): unknown {
  return JSON.parse(JSON.stringify(prompt));
}

describe("translation there and back", () => {
  it("keeps a conversation through chat completions", () => {
    fc.assert(
      fc.property(word, fc.array(round, { maxLength: 4 }), (system, rounds) => {
        const first = dialectOf("chat").toCallOptions(conversation(system, rounds));
        const again = dialectOf("chat").toCallOptions(toChatRequest(first, "m", host, false));
        expect(plain(again.prompt)).toEqual(plain(first.prompt));
      }),
    );
  });

  it("keeps a conversation through Messages", () => {
    fc.assert(
      fc.property(word, fc.array(round, { maxLength: 4 }), (system, rounds) => {
        const first = dialectOf("chat").toCallOptions(conversation(system, rounds));
        const again = dialectOf("messages").toCallOptions(toMessagesRequest(first, "claude-sonnet-4-5"));
        expect(plain(again.prompt)).toEqual(plain(first.prompt));
      }),
    );
  });

  it("keeps signed thinking for the provider that signed it and drops it elsewhere", () => {
    const options = dialectOf("messages").toCallOptions(requests.messages);
    const back = dialectOf("messages").toCallOptions(toMessagesRequest(options, "claude-sonnet-4-5"));
    const reasoning = { type: "reasoning", text: "h", providerOptions: { anthropic: { signature: "sig" } } };
    const assistant = back.prompt.find((message) => message.role === "assistant");
    expect(assistant?.content).toContainEqual(reasoning);
    const chat = JSON.stringify(toChatRequest(options, "m", { ...host, sendsReasoning: false }, false));
    expect(chat).not.toContain("sig");
  });
});
