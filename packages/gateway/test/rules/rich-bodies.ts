import type { LanguageModelV3CallOptions } from "@ai-sdk/provider";
import { type JsonObject, parseJsonObject } from "../../src/contract/json.ts";
import { chatToCallOptions } from "../../src/formats/chat/to-call-options.ts";
import { geminiToCallOptions } from "../../src/formats/gemini/to-call-options.ts";
import { messagesToCallOptions } from "../../src/formats/messages/to-call-options.ts";
import { responsesToCallOptions } from "../../src/formats/responses/to-call-options.ts";

/** A request with every kind of text, tool and parameter in it. */
export interface RichBody {
  /** @param word stands in every text, and its length in every number */
  readonly body: (word: string) => JsonObject;
  /** A provider without the operation is asked for a summary in place of it. */
  readonly summarizes?: true;
}

const tool = (word: string): string => `look_${word}`;
const schema = (word: string): JsonObject => ({
  type: "object",
  description: `${word} arguments`,
  properties: { [word]: { type: "string", description: `a ${word}`, enum: [`one ${word}`, "two"] } },
  required: [word],
});
const maximum = (word: string): number => 50 + word.length;
const warmth = (word: string): number => word.length / 16;

/** Of count_tokens too, which has no parameters of the answer. */
const messagesInput = (word: string): JsonObject => ({
  system: `${word} system`,
  messages: [
    { role: "user", content: [{ type: "text", text: `${word} user` }] },
    {
      role: "assistant",
      content: [
        { type: "text", text: `${word} said` },
        { type: "tool_use", id: "call_0", name: tool(word), input: { [word]: `one ${word}` } },
      ],
    },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "call_0", content: `${word} result` }] },
  ],
  tools: [{ name: tool(word), description: `${word} tool`, input_schema: schema(word) }],
  tool_choice: { type: "tool", name: tool(word) },
});

const responsesInput = (word: string): JsonObject => ({
  instructions: `${word} system`,
  input: [
    { role: "user", content: [{ type: "input_text", text: `${word} user` }] },
    { role: "assistant", content: [{ type: "output_text", text: `${word} said` }] },
    {
      type: "function_call",
      call_id: "call_0",
      name: tool(word),
      arguments: JSON.stringify({ [word]: `one ${word}` }),
    },
    { type: "function_call_output", call_id: "call_0", output: `${word} result` },
  ],
});

const responsesTools = (word: string): JsonObject => ({
  tools: [{ type: "function", name: tool(word), description: `${word} tool`, parameters: schema(word) }],
  tool_choice: { type: "function", name: tool(word) },
});

const gemini = (word: string): JsonObject => ({
  systemInstruction: { parts: [{ text: `${word} system` }] },
  contents: [
    { role: "user", parts: [{ text: `${word} user` }] },
    {
      role: "model",
      parts: [
        { text: `${word} said` },
        { functionCall: { id: "call_0", name: tool(word), args: { [word]: `one ${word}` } } },
      ],
    },
    {
      role: "user",
      parts: [
        { functionResponse: { id: "call_0", name: tool(word), response: { result: `${word} result` } } },
      ],
    },
  ],
  tools: [
    { functionDeclarations: [{ name: tool(word), description: `${word} tool`, parameters: schema(word) }] },
  ],
  toolConfig: { functionCallingConfig: { mode: "ANY", allowedFunctionNames: [tool(word)] } },
  generationConfig: {
    temperature: warmth(word),
    topP: warmth(word),
    maxOutputTokens: maximum(word),
    stopSequences: [`${word} stop`],
  },
});

/** By the operation's id in `/openapi.json`. */
export const richBodies: Readonly<Record<string, RichBody>> = {
  createChatCompletion: {
    body: (word) => ({
      messages: [
        { role: "system", content: `${word} system` },
        { role: "user", content: [{ type: "text", text: `${word} user` }] },
        {
          role: "assistant",
          content: `${word} said`,
          tool_calls: [
            {
              id: "call_0",
              type: "function",
              function: { name: tool(word), arguments: JSON.stringify({ [word]: `one ${word}` }) },
            },
          ],
        },
        { role: "tool", tool_call_id: "call_0", content: `${word} result` },
      ],
      tools: [
        {
          type: "function",
          function: { name: tool(word), description: `${word} tool`, parameters: schema(word) },
        },
      ],
      tool_choice: { type: "function", function: { name: tool(word) } },
      temperature: warmth(word),
      top_p: warmth(word),
      max_completion_tokens: maximum(word),
      stop: [`${word} stop`],
    }),
  },
  createMessage: {
    body: (word) => ({
      ...messagesInput(word),
      temperature: warmth(word),
      top_p: warmth(word),
      max_tokens: maximum(word),
      stop_sequences: [`${word} stop`],
    }),
  },
  countMessageTokens: { body: messagesInput },
  createResponse: {
    body: (word) => ({
      ...responsesInput(word),
      ...responsesTools(word),
      temperature: warmth(word),
      top_p: warmth(word),
      max_output_tokens: maximum(word),
    }),
  },
  countResponseInputTokens: { body: (word) => ({ ...responsesInput(word), ...responsesTools(word) }) },
  compactResponse: { body: responsesInput, summarizes: true },
  generateContent: { body: gemini },
  streamGenerateContent: { body: gemini },
  countContentTokens: { body: (word) => ({ contents: gemini(word).contents }) },
};

/** The reader of a provider's format, which is the reader of the same format's callers. */
const readers: readonly (readonly [RegExp, (body: JsonObject) => LanguageModelV3CallOptions])[] = [
  [/\/chat\/completions/, chatToCallOptions],
  [/\/responses/, responsesToCallOptions],
  [/\/messages/, messagesToCallOptions],
  [/:\w*(?:enerateContent|countTokens)/, geminiToCallOptions],
];

/** What a provider was asked for, the same for every format that says the same. */
export function readsLike(asked: string, { summarizes }: RichBody): unknown {
  const [, path, text] = /^POST (\S+) (.*)$/s.exec(asked)!;
  const [, read] = readers.find(([pattern]) => pattern.test(path!))!;
  const body = parseJsonObject(text!)!;
  // Counts of tokens have none, which the reader of messages misses.
  const isCount = path!.endsWith("/messages/count_tokens");
  const { maxOutputTokens, ...request } = read(isCount ? { max_tokens: 1, ...body } : body);
  // Whoever sums up reads tools as texts.
  if (summarizes === true)
    return JSON.stringify(request.prompt).match(/one [A-Z]+|[A-Z]+ (?:sy|us|sa|re)\w+/g);
  const said = isCount ? request : { maxOutputTokens, ...request };
  return JSON.parse(JSON.stringify(said, withoutShape));
}

/** Formats differ in whether a tool's result is a text or an object. */
function withoutShape(name: string, value: unknown): unknown {
  if (name === "output") return /\w+ result/.exec(JSON.stringify(value))?.[0];
  return name === "strict" ? undefined : value;
}
