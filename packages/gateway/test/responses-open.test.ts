import { type Simulator, startSimulator } from "portico-simulator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { responsesDialect } from "../src/formats/responses/responses-dialect.ts";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";
import { readEvents, responsesConfig, responsesModels } from "./support/responses.ts";

// The cases of the public Open Responses compliance suite (openresponses.org/compliance), written anew: what each sends
// and what it demands of the answer, with the members that its schema requires.

let simulator: Simulator;
let gateway: TestGateway;

beforeAll(async () => {
  simulator = await startSimulator({ port: 0 });
  gateway = await startTestGateway({ config: responsesConfig(simulator.url) });
});

afterAll(async () => {
  await gateway.close();
  await simulator.close();
});

const status = z.enum(["in_progress", "completed", "incomplete"]);
const outputText = z.object({
  type: z.literal("output_text"),
  text: z.string(),
  annotations: z.array(z.unknown()),
  logprobs: z.array(z.unknown()),
});
const item = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("message"),
    id: z.string(),
    status,
    role: z.literal("assistant"),
    content: z.array(z.union([outputText, z.object({ type: z.literal("refusal"), refusal: z.string() })])),
  }),
  z.object({
    type: z.literal("function_call"),
    id: z.string(),
    status,
    call_id: z.string(),
    name: z.string(),
    arguments: z.string(),
  }),
  z.object({
    type: z.literal("reasoning"),
    id: z.string(),
    summary: z.array(z.object({ type: z.literal("summary_text"), text: z.string() })),
  }),
]);
const usage = z.object({
  input_tokens: z.int(),
  output_tokens: z.int(),
  total_tokens: z.int(),
  input_tokens_details: z.object({ cached_tokens: z.int() }),
  output_tokens_details: z.object({ reasoning_tokens: z.int() }),
});
const resource = z.object({
  id: z.string(),
  object: z.literal("response"),
  created_at: z.int(),
  completed_at: z.int().nullable(),
  status: z.string(),
  incomplete_details: z.object({ reason: z.string() }).nullable(),
  model: z.string(),
  previous_response_id: z.string().nullable(),
  instructions: z.string().nullable(),
  output: z.array(item),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  tools: z.array(
    z.object({
      type: z.literal("function"),
      name: z.string(),
      description: z.string().nullable(),
      parameters: z.record(z.string(), z.unknown()).nullable(),
      strict: z.boolean().nullable(),
    }),
  ),
  tool_choice: z.union([z.enum(["none", "auto", "required"]), z.object({ type: z.string() })]),
  truncation: z.enum(["auto", "disabled"]),
  parallel_tool_calls: z.boolean(),
  text: z.object({ format: z.object({ type: z.string() }) }),
  top_p: z.number(),
  presence_penalty: z.number(),
  frequency_penalty: z.number(),
  top_logprobs: z.int(),
  temperature: z.number(),
  reasoning: z.object({ effort: z.string().nullable(), summary: z.string().nullable() }).nullable(),
  usage: usage.nullable(),
  max_output_tokens: z.int().nullable(),
  max_tool_calls: z.int().nullable(),
  store: z.boolean(),
  background: z.boolean(),
  service_tier: z.string(),
  metadata: z.record(z.string(), z.string()),
  safety_identifier: z.string().nullable(),
  prompt_cache_key: z.string().nullable(),
});
type Resource = z.infer<typeof resource>;

const user = (content: unknown) => ({ type: "message", role: "user", content });
const redDot =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
const forecast = {
  type: "function",
  name: "forecast",
  description: "Tells the weather of a place",
  parameters: { type: "object", properties: { place: { type: "string" } }, required: ["place"] },
};

const cases: Readonly<Record<string, object>> = {
  "basic response": { input: [user("Three words, please.")] },
  "system prompt": {
    input: [{ type: "message", role: "system", content: "Speak like a pirate." }, user("Greet me.")],
  },
  "image input": {
    input: [
      user([
        { type: "input_text", text: "What is this?" },
        { type: "input_image", image_url: redDot },
      ]),
    ],
  },
  "multi-turn": {
    input: [
      user("I am Ada."),
      { type: "message", role: "assistant", content: "Hello Ada." },
      user("Who am I?"),
    ],
  },
};

describe.each(responsesModels)("Open Responses on %s", (model) => {
  async function create(body: object): Promise<Resource> {
    const answer = await gateway.call("/v1/responses", { body: { model, ...body } });
    return resource.parse(await answer.json());
  }

  async function stream(body: object): Promise<{ types: unknown[]; final: Resource }> {
    const answer = await gateway.call("/v1/responses", { body: { model, ...body, stream: true } });
    const events = readEvents(await answer.text());
    const grammar = responsesDialect.grammar();
    for (const { event, data } of events) expect(grammar.accept(event, JSON.stringify(data))).toBeUndefined();
    expect(grammar.isComplete).toBe(true);
    return {
      types: events.map(({ data }) => data.type),
      final: resource.parse(events.at(-1)!.data.response),
    };
  }

  it.each(Object.entries(cases))("%s", async (_name, body) => {
    const response = await create(body);
    expect(response.status).toBe("completed");
    expect(response.output.length).toBeGreaterThan(0);
  });

  it("streaming response", async () => {
    const { final } = await stream({ input: [user("Count to five.")] });
    expect(final.status).toBe("completed");
  });

  it("tool calling", async () => {
    const response = await create({ input: [user("Weather in Rome?")], tools: [forecast] });
    expect(response.output.some(({ type }) => type === "function_call")).toBe(true);
  });

  it("tool calling, streamed", async () => {
    const { types, final } = await stream({ input: [user("Weather in Rome?")], tools: [forecast] });
    expect(types).toContain("response.function_call_arguments.delta");
    expect(types).toContain("response.function_call_arguments.done");
    expect(types.indexOf("response.output_item.added")).toBeLessThan(
      types.indexOf("response.output_item.done"),
    );
    expect(final.output.some(({ type }) => type === "function_call")).toBe(true);
  });

  it("previous_response_id", async () => {
    const first = await create({ input: [user("My word is plum.")] });
    const second = await create({ input: [user("What is my word?")], previous_response_id: first.id });
    expect(second.previous_response_id).toBe(first.id);
    expect(second.usage!.input_tokens).toBeGreaterThan(first.usage!.input_tokens);
  });
});
