import { afterAll, beforeAll, expect, it } from "vitest";
import type { JsonObject } from "../src/contract/json.ts";
import { type Operation, operationsOf, type Schema } from "./rules/operations.ts";
import { ask, examples, type Ids } from "./rules/requests.ts";
import { type Stage, startStage } from "./rules/stage.ts";
import { startTestGateway } from "./support/gateway.ts";
import { startRecordingUpstream } from "./support/recording-upstream.ts";

/** No text can be made of it: `String` throws, and so does a template. JSON can name members so. */
const odd = { toString: 1, valueOf: 1 };

let stage: Stage;
let operations: readonly Operation[];
/** Of Alice's team, with a budget, so that the worst case of each call is read as well. */
let key: string;
beforeAll(async () => {
  stage = await startStage();
  const made = await stage.gateway.call("/key/generate", { body: { team_id: "alice", max_budget: 1e6 } });
  ({ key } = (await made.json()) as { key: string });
  operations = (await operationsOf(stage.gateway)).filter(({ json }) => json !== undefined);
});
afterAll(() => stage?.close());

/** The example for models of each format. */
function modelsOf(example: JsonObject): JsonObject[] {
  if (!["gpt", "claude"].includes(example.model as string)) return [example];
  return ["gpt", "claude", "gemini"].map((model) => ({ ...example, model }));
}

/** The example with the odd value in place of each of its values, and in each member that the schema has. */
function* bodiesOf(
  example: JsonObject,
  schema: Schema,
): Generator<readonly [where: string, body: JsonObject]> {
  for (const name of Object.keys(schema.properties ?? {}))
    for (const value of [odd, [odd], [{ type: odd, role: odd, id: odd, name: odd, content: odd }]])
      yield [`${name}: ${JSON.stringify(value)}`, { ...example, [name]: value }];
  if ("input" in example) yield ["reference", { ...example, input: [{ type: "item_reference", id: odd }] }];
  yield* oddly(example);
}

/** The value with the odd one in place of each of its members. */
function* oddly(whole: JsonObject): Generator<readonly [where: string, body: JsonObject]> {
  for (const path of pathsIn(whole)) {
    const body = structuredClone(whole);
    let at = body as Record<string, unknown>;
    for (const step of path.slice(0, -1)) at = at[step] as Record<string, unknown>;
    at[path.at(-1)!] = odd;
    yield [path.join("."), body];
  }
}

function* pathsIn(value: unknown, path: readonly string[] = []): Generator<readonly string[]> {
  if (typeof value !== "object" || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    yield [...path, name];
    yield* pathsIn(member, [...path, name]);
  }
}

it("answers requests with values that are no texts, at every operation", { timeout: 300_000 }, async () => {
  const failed: string[] = [];
  let asked = 0;
  for (const operation of operations) {
    const { needs, body } = examples[operation.id]!;
    const ids: Ids = needs === undefined ? {} : await stage.make(needs);
    const example = body?.(ids) ?? {};
    for (const [where, each] of modelsOf(example).flatMap((one) => [...bodiesOf(one, operation.json!)])) {
      const by = operation.access === "admin" ? {} : { key };
      const answer = await ask(stage, operation, { ...by, ids, body: each });
      asked += 1;
      const isOwn = answer.status === 500 && !answer.body.includes("The simulator failed");
      if (isOwn || answer.body.includes("Internal"))
        failed.push(
          `${operation.method} ${operation.path} ${where}: ${answer.status} ${answer.body.slice(0, 200)}`,
        );
    }
  }
  expect(asked).toBeGreaterThan(500);
  expect(failed).toEqual([]);
});

const call = { id: "1", type: "function", function: { name: "f", arguments: "{}" } };
const chatUsage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
const output = [
  {
    type: "message",
    id: "m",
    role: "assistant",
    status: "completed",
    content: [{ type: "output_text", text: "hi", annotations: [] }],
  },
  { type: "function_call", id: "f", call_id: "1", name: "f", arguments: "{}" },
];
/** What a provider answers, by the model's name and the caller's path where it matters. */
const answers: Readonly<Record<string, JsonObject>> = {
  gpt: {
    id: "c",
    object: "chat.completion",
    created: 1,
    model: "m",
    choices: [
      { index: 0, message: { role: "assistant", content: "hi", tool_calls: [call] }, finish_reason: "stop" },
    ],
    usage: chatUsage,
  },
  "gpt /v1/responses": {
    id: "resp_1",
    object: "response",
    created_at: 1,
    status: "completed",
    model: "m",
    output,
    usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
  },
  claude: {
    id: "m",
    type: "message",
    role: "assistant",
    model: "m",
    content: [
      { type: "text", text: "hi" },
      { type: "thinking", thinking: "x", signature: "s" },
      { type: "tool_use", id: "1", name: "f", input: {} },
    ],
    stop_reason: "end_turn",
    usage: { input_tokens: 1, output_tokens: 1 },
  },
  gemini: {
    candidates: [
      {
        content: { role: "model", parts: [{ text: "hi" }, { functionCall: { name: "f", args: {} } }] },
        finishReason: "STOP",
      },
    ],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1 },
  },
};

it("answers where a provider's answer has such values: with it, or with 502", {
  timeout: 300_000,
}, async () => {
  let answer: JsonObject = {};
  const upstream = await startRecordingUpstream(() => ({ status: 200, body: answer }));
  const { url } = upstream;
  const gateway = await startTestGateway({
    config: `model_list:
  - {model_name: gpt, litellm_params: {model: openai/gpt-4o, api_base: "${url}/v1", api_key: k}}
  - {model_name: claude, litellm_params: {model: anthropic/claude-sonnet-4-5, api_base: "${url}", api_key: k}}
  - {model_name: gemini, litellm_params: {model: gemini/gemini-2.5-flash, api_base: "${url}", api_key: k}}
router_settings: {num_retries: 0, disable_cooldowns: true}`,
  });
  const messages = [{ role: "user", content: "x" }];
  const failed: string[] = [];
  try {
    for (const model of ["gpt", "claude", "gemini"])
      for (const [path, body] of Object.entries({
        "/v1/chat/completions": { model, messages },
        "/v1/messages": { model, max_tokens: 9, messages },
        "/v1/responses": { model, input: "x" },
        [`/v1beta/models/${model}:generateContent`]: { contents: [{ parts: [{ text: "x" }] }] },
      }))
        for (const [where, odd] of oddly(answers[`${model} ${path}`] ?? answers[model]!)) {
          answer = odd;
          const { status } = await gateway.call(path, { body });
          if (status !== 200 && status !== 502) failed.push(`${path} ${model} ${where}: ${status}`);
        }
  } finally {
    await gateway.close();
    await upstream.close();
  }
  expect(failed).toEqual([]);
});

it("neither compares nor repeats a field's name of a megabyte, at every operation", async () => {
  const repeated: string[] = [];
  for (const operation of operations) {
    const { needs, body } = examples[operation.id]!;
    const ids: Ids = needs === undefined ? {} : await stage.make(needs);
    const by = operation.access === "admin" ? {} : { key };
    const named = { ...body?.(ids), ["x".repeat(1_000_000)]: 1 };
    const answer = await ask(stage, operation, { ...by, ids, body: named });
    // What is passed through is answered by the provider.
    if (operation.path.endsWith("{path}")) continue;
    if (answer.body.length > 100_000)
      repeated.push(`${operation.method} ${operation.path}: ${answer.body.length}`);
  }
  expect(repeated).toEqual([]);
});
