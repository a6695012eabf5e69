import OpenAI from "openai";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Simulator, startSimulator } from "../src/index.ts";

let simulator: Simulator;
let client: OpenAI;

beforeAll(async () => {
  simulator = await startSimulator();
  client = new OpenAI({ baseURL: `${simulator.url}/openai/v1`, apiKey: "any", maxRetries: 0 });
});
beforeEach(() => simulator.reset());
afterAll(() => simulator.close());

const tools: OpenAI.Responses.Tool[] = [
  {
    type: "function",
    name: "weather",
    parameters: { type: "object", properties: { city: { type: "string" } } },
    strict: true,
  },
];

async function collect(stream: AsyncIterable<OpenAI.Responses.ResponseStreamEvent>) {
  const events: OpenAI.Responses.ResponseStreamEvent[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

test("streams a message in OpenAI's order of events, numbered from 0", async () => {
  const events = await collect(await client.responses.create({ model: "m", input: "hi", stream: true }));
  const types = events.map((event) => event.type);
  expect(types.filter((type, index) => type !== types[index - 1])).toEqual([
    "response.created",
    "response.in_progress",
    "response.output_item.added",
    "response.content_part.added",
    "response.output_text.delta",
    "response.output_text.done",
    "response.content_part.done",
    "response.output_item.done",
    "response.completed",
  ]);
  expect(events.map((event) => event.sequence_number)).toEqual(events.map((_event, index) => index));
});

test("continues from the response before, with a tool call and its result", async () => {
  const reasoning = { effort: "low" as const, summary: "auto" as const };
  const first = await client.responses.create({ model: "m", input: "weather?", tools, reasoning });
  expect(first.output.map((item) => item.type)).toEqual(["reasoning", "function_call"]);
  const call = first.output.find((item) => item.type === "function_call");
  const unanswered = { model: "m", input: "and now?", previous_response_id: first.id };
  await expect(client.responses.create(unanswered)).rejects.toThrow(/No tool output found/);
  const second = await client.responses.create({
    model: "m",
    previous_response_id: first.id,
    input: [{ type: "function_call_output", call_id: call?.call_id ?? "", output: "sunny" }],
    tools,
  });
  expect(second.output_text).toBe("tool said: sunny");
  const lost = { model: "m", input: "x", previous_response_id: "resp_none" };
  await expect(client.responses.create(lost)).rejects.toMatchObject({
    status: 400,
    code: "previous_response_not_found",
  });
});

test("keeps encrypted reasoning valid without storing, and refuses any other", async () => {
  const settings = {
    model: "m",
    store: false,
    include: ["reasoning.encrypted_content" as const],
    reasoning: { effort: "low" as const },
  };
  const first = await client.responses.create({ ...settings, input: "one" });
  const history = [{ role: "user" as const, content: "one" }, ...first.output];
  const next = { role: "user" as const, content: "two" };
  const second = await client.responses.create({
    ...settings,
    input: [...history, next] as OpenAI.Responses.ResponseInput,
  });
  expect(second.output_text).toBe("echo: two");
  const forged = history.map((item) =>
    "encrypted_content" in item ? { ...item, encrypted_content: "x.y" } : item,
  );
  const refused = client.responses.create({
    ...settings,
    input: [...forged, next] as OpenAI.Responses.ResponseInput,
  });
  await expect(refused).rejects.toMatchObject({ code: "invalid_encrypted_content" });
  await expect(client.responses.retrieve(first.id)).rejects.toBeInstanceOf(OpenAI.NotFoundError);
});

test("retrieves, re-attaches, lists input and deletes", async () => {
  const first = await client.responses.create({ model: "m", input: "hi" });
  expect(await client.responses.retrieve(first.id)).toMatchObject({ id: first.id, status: "completed" });
  const all = await collect(await client.responses.retrieve(first.id, { stream: true }));
  const rest = await collect(await client.responses.retrieve(first.id, { stream: true, starting_after: 3 }));
  expect(rest).toEqual(all.slice(4));
  const items = await client.responses.inputItems.list(first.id);
  expect(items.data).toMatchObject([
    { type: "message", role: "user", content: [{ type: "input_text", text: "hi" }] },
  ]);
  await client.responses.delete(first.id);
  await expect(client.responses.retrieve(first.id)).rejects.toBeInstanceOf(OpenAI.NotFoundError);
});

test("runs in the background through queued and in_progress, or until it is cancelled", async () => {
  const background = { model: "m", input: "hi", background: true };
  const first = await client.responses.create(background);
  expect(first).toMatchObject({ status: "queued", output: [] });
  await expect.poll(async () => (await client.responses.retrieve(first.id)).status).toBe("completed");
  const events = await collect(await client.responses.create({ ...background, stream: true }));
  expect(events[1]?.type).toBe("response.queued");
  expect(events.at(-1)?.type).toBe("response.completed");
  await fetch(`${simulator.url}/_admin/settings`, {
    method: "POST",
    body: JSON.stringify({ responseRunningMs: 60_000 }),
  });
  const second = await client.responses.create(background);
  expect(await client.responses.cancel(second.id)).toMatchObject({ status: "cancelled" });
  const foreground = await client.responses.create({ model: "m", input: "hi" });
  await expect(client.responses.cancel(foreground.id)).rejects.toThrow(/synchronous/);
});

test("calls tools of namespaces and custom tools as such", async () => {
  const inner = { type: "function" as const, name: "spawn", parameters: { type: "object" }, strict: false };
  const tools = [
    { type: "namespace", name: "agents", description: "Agents", tools: [inner] },
    { type: "custom", name: "patch" },
    { type: "web_search" },
  ] as OpenAI.Responses.Tool[];
  const input = '[[sim:tool spawn {"a":1}]][[sim:tool patch {"input":"*** Begin"}]]';
  const first = await client.responses.create({ model: "m", input, tools });
  expect(first.output).toMatchObject([
    { type: "function_call", namespace: "agents", name: "spawn", arguments: '{"a":1}' },
    { type: "custom_tool_call", name: "patch", input: "*** Begin" },
  ]);
  const [spawn, patch] = first.output.map((item) => ("call_id" in item ? String(item.call_id) : ""));
  const outputs = [
    { type: "function_call_output" as const, call_id: spawn ?? "", output: "one" },
    { type: "custom_tool_call_output" as const, call_id: patch ?? "", output: "two" },
  ];
  const next = { model: "m", previous_response_id: first.id, tools };
  await expect(client.responses.create({ ...next, input: outputs.slice(0, 1) })).rejects.toThrow(
    /No tool output/,
  );
  expect((await client.responses.create({ ...next, input: outputs })).output_text).toBe(
    "tool said: one; two",
  );
  const types = (
    await collect(await client.responses.create({ model: "m", input, tools, stream: true }))
  ).map(({ type }) => type);
  expect(types).toContain("response.custom_tool_call_input.done");
});

test("keeps a conversation's items on its side", async () => {
  const conversation = await client.conversations.create({});
  await client.responses.create({ model: "m", input: "one", conversation: conversation.id });
  const second = await client.responses.create({ model: "m", input: "two", conversation: conversation.id });
  expect(second.conversation?.id).toBe(conversation.id);
  const items = await client.conversations.items.list(conversation.id, { order: "asc" });
  expect(items.data.map((item) => item.type)).toEqual(["message", "message", "message", "message"]);
  const place = { conversation_id: conversation.id };
  const first = String(items.data[0]?.id);
  expect(await client.conversations.items.retrieve(first, place)).toMatchObject({ id: first });
  expect(await client.conversations.items.delete(first, place)).toMatchObject({ id: conversation.id });
  await expect(client.conversations.items.retrieve(first, place)).rejects.toMatchObject({ status: 404 });
});

test("gives structured output that fits the schema, and ends incomplete at the token limit", async () => {
  const schema = {
    type: "object",
    properties: { age: { type: "integer" } },
    required: ["age"],
    additionalProperties: false,
  };
  const format = { type: "json_schema" as const, name: "person", schema, strict: true };
  const whole = await client.responses.parse({ model: "m", input: "who?", text: { format } });
  expect(JSON.parse(whole.output_text)).toEqual({ age: 1 });
  const cut = await client.responses.create({
    model: "m",
    input: "[[sim:tokens 50]]",
    max_output_tokens: 16,
  });
  expect(cut).toMatchObject({ status: "incomplete", incomplete_details: { reason: "max_output_tokens" } });
  expect(cut.usage?.output_tokens).toBe(16);
  const failing = await collect(
    await client.responses.create({ model: "m", input: "[[sim:fail]]", stream: true }),
  );
  expect(failing.at(-1)?.type).toBe("response.failed");
});
