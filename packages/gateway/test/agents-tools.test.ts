import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { startSimulator } from "portico-simulator";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { formatProvidersConfig } from "./support/every-provider.ts";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";

type Simulator = Awaited<ReturnType<typeof startSimulator>>;

let simulator: Simulator;
let gateway: TestGateway;

beforeAll(async () => {
  simulator = await startSimulator();
  gateway = await startTestGateway({ config: formatProvidersConfig(simulator.url) });
});
afterAll(async () => {
  await gateway?.close();
  await simulator?.close();
});
beforeEach(() => simulator.reset());

/** What a coding agent sends with each request (Codex 0.169): namespaces, custom tools, hosted tools. */
const agentTools = [
  {
    type: "function",
    name: "exec_command",
    parameters: { type: "object", properties: { cmd: { type: "string" } } },
  },
  {
    type: "namespace",
    name: "collab",
    description: "Other agents",
    tools: [
      {
        type: "function",
        name: "spawn",
        parameters: { type: "object", properties: { task: { type: "string" } } },
      },
    ],
  },
  {
    type: "custom",
    name: "apply_patch",
    description: "Edits files.",
    format: { type: "grammar", syntax: "lark", definition: "start: TEXT" },
  },
  { type: "web_search" },
];

interface Item {
  readonly type: string;
  readonly call_id: string;
  readonly name: string;
  readonly namespace?: string;
  readonly input?: string;
  readonly arguments?: string;
}

async function respond(
  model: string,
  more: object,
): Promise<{ status: number; omitted: string | null; output: Item[]; text: string }> {
  const response = await gateway.call("/v1/responses", {
    body: {
      model,
      input: "hello",
      store: false,
      tools: agentTools,
      client_metadata: { session: "s" },
      ...more,
    },
  });
  const text = await response.text();
  const output = response.ok && text.startsWith("{") ? (JSON.parse(text) as { output: Item[] }).output : [];
  return { status: response.status, omitted: response.headers.get("x-portico-omitted-tools"), output, text };
}

/** The request as the provider got it. */
function sent(): string {
  return JSON.stringify(simulator.received().at(-1)?.body);
}

const elsewhere = ["anthropic", "gemini", "bedrock", "host"];

describe("A coding agent's tools in Responses", () => {
  it.each(["openai", ...elsewhere])("reach %s, and its answer comes back", async (model) => {
    const { status, omitted, text } = await respond(model, {});
    expect(status, text).toBe(200);
    const searches = model === "openai" || model === "anthropic";
    expect(omitted).toBe(searches ? null : "web_search");
    if (model !== "openai") expect(sent()).not.toContain("client_metadata");
    if (model === "anthropic") expect(sent()).toContain('"type":"web_search_20250305"');
  });

  it.each(elsewhere)("are called by %s under their own names and kinds", async (model) => {
    const spawned = await respond(model, {
      tool_choice: { type: "function", namespace: "collab", name: "spawn" },
    });
    expect(spawned.output.find(({ type }) => type === "function_call")).toMatchObject({
      name: "spawn",
      namespace: "collab",
    });
    const patched = await respond(model, { tool_choice: { type: "custom", name: "apply_patch" } });
    const call = patched.output.find(({ type }) => type === "custom_tool_call");
    expect(call).toMatchObject({ name: "apply_patch", input: expect.any(String) });
    expect(sent()).toContain("must match this lark grammar");
  });

  it.each(elsewhere)("keep their calls and results in the next turn at %s", async (model) => {
    const input = [
      { role: "user", content: "begin" },
      {
        type: "function_call",
        call_id: "call_1",
        namespace: "collab",
        name: "spawn",
        arguments: '{"task":"a"}',
      },
      { type: "function_call_output", call_id: "call_1", output: "spawned agent 7" },
      { type: "custom_tool_call", call_id: "call_2", name: "apply_patch", input: "*** Begin Patch" },
      { type: "custom_tool_call_output", call_id: "call_2", output: "patched" },
      { role: "user", content: "go on" },
    ];
    const { status } = await respond(model, { input });
    expect(status).toBe(200);
    for (const text of ["collab__spawn", "spawned agent 7", "*** Begin Patch", "patched"])
      expect(sent()).toContain(text);
  });

  it("stream as custom calls with the official client", async () => {
    const client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.masterKey });
    const stream = await client.responses.create({
      model: "anthropic",
      input: "hello",
      stream: true,
      store: false,
      tools: agentTools as never,
      tool_choice: { type: "custom", name: "apply_patch" } as never,
    });
    const types: string[] = [];
    let done: unknown;
    for await (const event of stream) {
      types.push(event.type);
      if (event.type === "response.output_item.done") done = event.item;
    }
    expect(types).toContain("response.custom_tool_call_input.done");
    expect(types.at(-1)).toBe("response.completed");
    expect(done).toMatchObject({ type: "custom_tool_call", name: "apply_patch" });
  });

  it.each([
    ["two of one name", [agentTools[0], agentTools[0]], "there are two tools"],
    ["a namespace without tools", [{ type: "namespace", name: "n" }], "tools.0.tools"],
    ["a tool that the caller runs", [{ type: "computer_use_preview" }], "is not available at the provider"],
  ])("are refused where there is %s", async (_, tools, message) => {
    const { status, text } = await respond("anthropic", { tools });
    expect(status).toBe(400);
    expect(text).toContain(message);
  });

  it("are refused instead of left out where the configuration is strict", async () => {
    const strict = await startTestGateway({
      config: `
model_list: [{model_name: host, litellm_params: {model: hosted_vllm/llama, api_key: k, api_base: "${simulator.url}/compat/v1"}}]
litellm_settings: {strict_tools: true}
`,
      environment: { DATABASE_URL: "none" },
    });
    try {
      const body = { model: "host", input: "hello", tools: [{ type: "web_search" }] };
      expect((await strict.call("/v1/responses", { body })).status).toBe(400);
    } finally {
      await strict.close();
    }
  });
});

describe("A wish for a search in the web", () => {
  const messages = [{ role: "user", content: "hello" }];

  it("in chat completions reaches the providers that search, and is named where it is left out", async () => {
    const body = {
      messages,
      web_search_options: { user_location: { type: "approximate", approximate: { country: "CH" } } },
    };
    expect(
      (await gateway.call("/v1/chat/completions", { body: { model: "anthropic", ...body } })).status,
    ).toBe(200);
    expect(sent()).toContain('"user_location":{"type":"approximate","country":"CH"}');
    expect((await gateway.call("/v1/chat/completions", { body: { model: "gemini", ...body } })).status).toBe(
      200,
    );
    expect(sent()).toMatch(/google_?search/i);
    const omitted = await gateway.call("/v1/chat/completions", { body: { model: "bedrock", ...body } });
    expect([omitted.status, omitted.headers.get("x-portico-omitted-tools")]).toEqual([200, "web_search"]);
  });

  it("in messages reaches Gemini, and is left out beside functions", async () => {
    const search = { type: "web_search_20250305", name: "web_search", max_uses: 3 };
    const body = { model: "gemini", max_tokens: 64, messages, tools: [search] };
    expect((await gateway.call("/v1/messages", { body })).status).toBe(200);
    expect(sent()).toMatch(/google_?search/i);
    const tools = [search, { name: "t", input_schema: { type: "object", properties: {} } }];
    const beside = await gateway.call("/v1/messages", { body: { ...body, tools } });
    expect([beside.status, beside.headers.get("x-portico-omitted-tools")]).toEqual([200, "web_search"]);
  });
});

describe("A tool's name that a provider refuses", () => {
  const name = `mcp__${"a-long-server-name__".repeat(5)}read.file:v2`;
  const tools = [{ type: "function", function: { name, parameters: { type: "object", properties: {} } } }];

  it.each(["anthropic", "gemini", "bedrock"])("is shortened for %s and comes back", async (model) => {
    const messages = [{ role: "user", content: "hello" }];
    const tool_choice = { type: "function", function: { name } };
    for (const stream of [false, true]) {
      const body = { model, messages, tools, tool_choice, stream };
      const response = await gateway.call("/v1/chat/completions", { body });
      const text = await response.text();
      expect(response.status, text).toBe(200);
      expect(text).toContain(name);
      expect(sent()).not.toContain(name);
    }
    const call = { id: "call_1", type: "function", function: { name, arguments: "{}" } };
    const history = [
      ...messages,
      { role: "assistant", tool_calls: [call] },
      { role: "tool", tool_call_id: "call_1", content: "read" },
    ];
    expect(
      (await gateway.call("/v1/chat/completions", { body: { model, messages: history, tools } })).status,
    ).toBe(200);
    expect(sent()).not.toContain(name);
  });
});

describe("A message thread", () => {
  it.each(["host", "openai", "gemini", "bedrock"])(
    "is refused at %s so that Anthropic's client falls back",
    async (model) => {
      const thread = { type: "continue", previous_message_id: "msg_1" };
      const body = { model, max_tokens: 64, messages: [{ role: "user", content: "and?" }], thread };
      const response = await gateway.call("/v1/messages", { body });
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({
        type: "error",
        error: { details: { error_code: "thread_unsupported_request", unsupported: ["thread"] } },
      });
    },
  );

  it("is Anthropic's to keep: its own client sends new messages only, and everything when a thread is lost", async () => {
    const client = new Anthropic({ baseURL: gateway.url, apiKey: gateway.masterKey });
    const thread = client.beta.messages.thread({ model: "anthropic", max_tokens: 64 });
    const say = (content: string) => thread.send({ role: "user", content });
    await say("remember tulips");
    await say("and roses");
    expect(sent()).toContain('"thread":{"type":"continue"');
    expect(sent()).not.toContain("remember tulips");
    await simulator.reset();
    await say("what?");
    const refused = simulator.received().map(({ status }) => status);
    expect(refused).toEqual([404, 200]);
    expect(sent()).toMatch(/remember tulips.*and roses.*what\?/);
  });

  it.each(["openai", "anthropic"])(
    "does not keep the official client's tool loop from its end at %s",
    async (model) => {
      const client = new Anthropic({ baseURL: gateway.url, apiKey: gateway.masterKey });
      let calls = 0;
      const runner = client.beta.messages.toolRunner({
        model,
        max_tokens: 256,
        max_iterations: 3,
        messages: [{ role: "user", content: "use the tool" }],
        tools: [
          {
            name: "look",
            input_schema: { type: "object", properties: {} },
            description: "Looks.",
            run: () => {
              calls += 1;
              return "seen";
            },
            parse: (input: unknown) => input as Record<string, never>,
          } as never,
        ],
      });
      const last = await runner;
      expect(calls).toBeGreaterThan(0);
      expect(last.role).toBe("assistant");
      expect(sent()).toContain("seen");
    },
  );
});

it("A conversation that is too long is named as OpenAI's clients expect", async () => {
  const body = { model: "host", messages: [{ role: "user", content: "hello" }] };
  const mocked = await gateway.call("/v1/chat/completions", {
    body: { ...body, mock_response: "litellm.ContextWindowExceededError" },
  });
  expect([mocked.status, ((await mocked.json()) as { error: { code: string } }).error.code]).toEqual([
    400,
    "context_length_exceeded",
  ]);
  const messages = await gateway.call("/v1/messages", {
    body: { ...body, max_tokens: 9, mock_response: "litellm.ContextWindowExceededError" },
  });
  expect(((await messages.json()) as { error: { code: string } }).error.code).toBe("400");
});
