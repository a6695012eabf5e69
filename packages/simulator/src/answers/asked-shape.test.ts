import { expect, test } from "vitest";
import { answerTo } from "./answer.ts";
import type { Conversation } from "./conversation.ts";
import { readDirectives } from "./directives.ts";

const conversation: Conversation = {
  model: "m",
  directives: readDirectives("Paris"),
  toolResults: [],
  tools: [],
  toolChoice: "auto",
  parallelTools: true,
  inputTokens: 1,
  maxTokens: undefined,
  stop: [],
  shape: undefined,
  thinking: false,
  reasoningTokens: 0,
};
const schema = JSON.stringify(
  { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  null,
  2,
);
const wish = `Provide the parsed objects in json that match the following json_schema:\n\n${schema}\n\nNot the schema {itself}.`;

const textOf = (more: Partial<Conversation>): string => answerTo({ ...conversation, ...more }).text;

test("a schema in the instructions or in the user's text shapes the answer", () => {
  for (const asked of [{ instructions: wish }, { directives: readDirectives(wish) }])
    expect(JSON.parse(textOf(asked))).toEqual({ city: expect.any(String) });
  // A field that wants any object is narrowed.
  expect(JSON.parse(textOf({ instructions: wish, shape: { kind: "json" } }))).toHaveProperty("city");
  expect(textOf({ instructions: `${wish}\nin a \`\`\`json codeblock` })).toMatch(/^```json\n\{.*\}\n```$/);
});

test("JSON without a schema is any object", () => {
  expect(textOf({ instructions: "Respond in valid JSON." })).toBe('{"echo":"Paris"}');
});

test("what speaks of JSON otherwise shapes nothing", () => {
  const tools = [{ name: "look", schema: {} }];
  for (const instructions of [
    "The file package.json is here.",
    "json_schema: { no JSON }",
    "A JSON Schema is a text.",
  ])
    expect(textOf({ instructions })).toBe("echo: Paris");
  expect(answerTo({ ...conversation, instructions: wish, tools }).calls).toHaveLength(1);
  expect(textOf({ instructions: wish, directives: readDirectives("[[sim:say it]]") })).toBe("it");
});
