import { expect, test } from "vitest";
import { SimulatorState } from "../../state/simulator-state.ts";
import { messageCall } from "./message-call.ts";
import { PromptCache } from "./prompt-cache.ts";

async function eventsOf(body: Record<string, unknown>) {
  const state = new SimulatorState(() => 0, 0);
  const call = messageCall(
    state,
    { model: "claude", max_tokens: 4000, messages: [{ role: "user", content: "hi" }], ...body },
    { seed: "", cache: new PromptCache() },
  );
  const types: string[] = [];
  for await (const event of call.events()) {
    const [, name = "", data = "{}"] = /^event: (.+)\ndata: (.+)\n\n$/.exec(event) ?? [];
    const parsed = JSON.parse(data);
    expect(parsed.type).toBe(name);
    const label = parsed.delta?.type ?? parsed.content_block?.type ?? name;
    if (types.at(-1) !== label) types.push(label);
  }
  return types;
}

test("thinking, then a tool call: each block opened, filled and closed in turn, one ping, one end", async () => {
  const tools = [{ name: "t", input_schema: { type: "object", properties: { a: { type: "string" } } } }];
  expect(await eventsOf({ tools, thinking: { type: "enabled", budget_tokens: 1024 } })).toEqual([
    "message_start",
    "thinking",
    "ping",
    "thinking_delta",
    "signature_delta",
    "content_block_stop",
    "tool_use",
    "input_json_delta",
    "content_block_stop",
    "message_delta",
    "message_stop",
  ]);
});

test("a text without anything else", async () => {
  expect(await eventsOf({})).toEqual([
    "message_start",
    "text",
    "ping",
    "text_delta",
    "content_block_stop",
    "message_delta",
    "message_stop",
  ]);
});
