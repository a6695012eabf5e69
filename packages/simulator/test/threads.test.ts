import Anthropic from "@anthropic-ai/sdk";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Simulator, startSimulator } from "../src/index.ts";

let simulator: Simulator;
let client: Anthropic;

beforeAll(async () => {
  simulator = await startSimulator();
  client = new Anthropic({ baseURL: `${simulator.url}/anthropic`, apiKey: "any", maxRetries: 0 });
});
beforeEach(() => simulator.reset());
afterAll(() => simulator.close());

const betas = ["message-threads-2026-08-12"];
const base = { model: "claude-opus-5", max_tokens: 100, betas };
const user = (content: string) => [{ role: "user" as const, content }];
const after = (previous_message_id: string) => ({ type: "continue" as const, previous_message_id });

test("A thread goes on with new messages only, system and tools included", async () => {
  const tools = [{ name: "look", input_schema: { type: "object" as const } }];
  const first = await client.beta.messages.create({
    ...base,
    system: "be short",
    tools,
    messages: user("look"),
    thread: { type: "create" },
  });
  const call = first.content.find(({ type }) => type === "tool_use") as { id: string };
  const result = { type: "tool_result" as const, tool_use_id: call.id, content: "seen" };
  const messages = [{ role: "user" as const, content: [result] }];
  const second = await client.beta.messages.create({ ...base, messages, thread: after(first.id) });
  expect(second.content).toMatchObject([{ type: "text", text: "tool said: seen" }]);
  expect(second.usage.input_tokens).toBeGreaterThan(10);
  const fault = (thread: object, more: object = {}) =>
    client.beta.messages.create({ ...base, messages: user("again"), ...more, thread: thread as never }).then(
      () => undefined,
      (error) => ({ status: error.status, ...error.error.error.details }),
    );
  const code = { status: 400, error_code: "thread_already_continued" };
  expect(await fault(after(first.id))).toEqual(code);
  expect(await fault(after("msg_none"))).toEqual({ status: 404, error_code: "thread_not_found" });
  expect(await fault(after(second.id), { system: "be long" })).toEqual({ status: 400 });
  expect(await fault({ type: "create" }, { betas: [] })).toEqual({ status: 400 });
  expect(await fault(after(second.id))).toBeUndefined();
});

test("The official client's thread and tool runner use it", async () => {
  const thread = client.beta.messages.thread({ model: "claude-opus-5", max_tokens: 100 });
  await thread.send({ role: "user", content: "one" });
  await thread.send({ role: "user", content: "two" });
  const bodies = simulator.received().map(({ body }) => body);
  expect(bodies).toMatchObject([{ thread: { type: "create" } }, { thread: { type: "continue" } }]);
  expect(JSON.stringify(bodies[1])).not.toContain("one");
});
