import { expect, test } from "vitest";
import { answerTo } from "./answer.ts";
import type { Conversation } from "./conversation.ts";
import { readDirectives } from "./directives.ts";

const conversation: Conversation = {
  model: "m",
  directives: readDirectives("weather? [[sim:parallel]]"),
  toolResults: [],
  tools: ["weather", "clock"].map((name) => ({ name, schema: { type: "object" } })),
  toolChoice: "auto",
  parallelTools: true,
  inputTokens: 1,
  maxTokens: undefined,
  stop: [],
  shape: undefined,
  thinking: false,
  reasoningTokens: 0,
};

const called = (toolResults: readonly string[]) =>
  answerTo({ ...conversation, toolResults }).calls.map(({ name }) => name);

test("a tool's result may ask for a further call, and only for that one", () => {
  expect(called([])).toEqual(["weather", "clock"]);
  expect(called(["sunny", "noon [[sim:tool weather]]"])).toEqual(["weather"]);
  expect(called(["sunny"])).toEqual([]);
  expect(answerTo({ ...conversation, toolResults: ["sunny"] }).text).toBe("tool said: sunny");
});
