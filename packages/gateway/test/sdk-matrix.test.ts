import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { type Simulator, startSimulator } from "portico-simulator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";

/** The official clients against one deployment of each kind; the matrix of what passed is printed at the end. */
const deployments = {
  OpenAI: "gpt-4o",
  Azure: "azure-gpt",
  Anthropic: "claude",
  Gemini: "gemini-2.5-flash",
  Bedrock: "bedrock-claude",
  Vertex: "vertex-gemini",
  compatible: "llama-3",
} as const;
type Column = keyof typeof deployments;
const columns = Object.keys(deployments) as Column[];

const matrix = new Map<string, Map<Column, string>>();
let simulator: Simulator;
let gateway: TestGateway;
let openai: OpenAI;
let anthropic: Anthropic;

beforeAll(async () => {
  simulator = await startSimulator({ port: 0 });
  const { url } = simulator;
  gateway = await startTestGateway({
    config: `model_list:
  - model_name: gpt-4o
    litellm_params: {model: openai/gpt-4o, api_base: "${url}/openai/v1", api_key: simulated}
  - model_name: azure-gpt
    litellm_params: {model: azure/gpt-4o, api_base: "${url}/azure", api_key: simulated, api_version: "2025-04-01-preview"}
  - model_name: claude
    litellm_params: {model: anthropic/claude-sonnet-4-5, api_base: "${url}/anthropic", api_key: simulated}
  - model_name: gemini-2.5-flash
    litellm_params: {model: gemini/gemini-2.5-flash, api_base: "${url}/google", api_key: simulated}
  - model_name: bedrock-claude
    litellm_params: {model: "bedrock/anthropic.claude-sonnet-4-5-20250929-v1:0", api_base: "${url}/bedrock", api_key: simulated}
  - model_name: vertex-gemini
    litellm_params: {model: vertex_ai/gemini-2.5-flash, api_base: "${url}/vertex", vertex_project: p, vertex_credentials: ${vertexUser(url)}}
  - model_name: llama-3
    litellm_params: {model: hosted_vllm/llama-3, api_base: "${url}/compat/v1", api_key: simulated}
router_settings: {num_retries: 0, disable_cooldowns: true}
`,
  });
  const apiKey = gateway.masterKey;
  openai = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey, maxRetries: 0 });
  anthropic = new Anthropic({ baseURL: gateway.url, apiKey, maxRetries: 0 });
});

afterAll(async () => {
  await gateway.close();
  await simulator.close();
  process.stdout.write(`${table()}\n`);
});

/** Credentials of a user; the simulator gives out a token for any. */
function vertexUser(url: string): string {
  return JSON.stringify({
    type: "authorized_user",
    client_id: "c",
    client_secret: "s",
    refresh_token: "r",
    token_uri: `${url}/vertex/token`,
  });
}

function table(): string {
  const width = Math.max(...[...matrix.keys()].map((row) => row.length));
  const line = (cells: readonly string[]): string =>
    cells.map((cell, index) => cell.padEnd(index === 0 ? width : 10)).join("  ");
  const rows = [...matrix].map(([row, cells]) =>
    line([row, ...columns.map((column) => cells.get(column) ?? "-")]),
  );
  return [line(["official client", ...columns]), ...rows].join("\n");
}

/** One row of the matrix: the same check on each deployment. */
function row(name: string, check: (model: string, column: Column) => Promise<void>): void {
  it.each(columns)(`${name} on %s`, async (column) => {
    const cells = matrix.get(name) ?? new Map<Column, string>();
    matrix.set(name, cells.set(column, "FAIL"));
    await check(deployments[column], column);
    cells.set(column, "ok");
  });
}

const schema = {
  type: "object" as const,
  properties: { city: { type: "string" } },
  required: ["city"],
  additionalProperties: false,
};
const chatTool = { type: "function" as const, function: { name: "weather", parameters: schema } };
const messagesTool = { name: "weather", input_schema: schema };
const hello = [{ role: "user" as const, content: "hello" }];

function text(words: string): Anthropic.TextBlockParam[] {
  return [{ type: "text", text: words }];
}

async function drain(stream: AsyncIterable<unknown>): Promise<void> {
  for await (const chunk of stream) expect(chunk).toBeDefined();
}

describe("openai", () => {
  row("chat: JSON", async (model) => {
    const answer = await openai.chat.completions.create({ model, messages: hello });
    expect(answer.choices[0]?.message.content).toBe("echo: hello");
    expect(answer.choices[0]?.finish_reason).toBe("stop");
    expect(answer.usage?.total_tokens).toBeGreaterThan(0);
  });

  row("chat: stream helper", async (model) => {
    const stream = openai.chat.completions.stream({
      model,
      messages: hello,
      stream_options: { include_usage: true },
    });
    const answer = await stream.finalChatCompletion();
    expect(answer.choices[0]?.message.content).toBe("echo: hello");
    expect((await stream.totalUsage()).total_tokens).toBeGreaterThan(0);
  });

  row("chat: tool loop", async (model) => {
    const runner = openai.chat.completions.runTools({
      model,
      messages: [{ role: "user", content: "weather?" }],
      tools: [
        {
          type: "function",
          function: {
            name: "weather",
            parameters: schema,
            parse: JSON.parse,
            function: () => "sunny",
            description: "",
          },
        },
      ],
    });
    expect(await runner.finalContent()).toContain("sunny");
  });

  row("chat: tool loop, streamed", async (model) => {
    const runner = openai.chat.completions.runTools({
      model,
      stream: true,
      messages: [{ role: "user", content: "weather?" }],
      tools: [
        {
          type: "function",
          function: {
            name: "weather",
            parameters: schema,
            parse: JSON.parse,
            function: () => "sunny",
            description: "",
          },
        },
      ],
    });
    expect(await runner.finalContent()).toContain("sunny");
  });

  row("chat: parallel tools", async (model) => {
    const time = { type: "function" as const, function: { name: "time", parameters: schema } };
    const messages = [{ role: "user" as const, content: "both [[sim:parallel]]" }];
    const answer = await openai.chat.completions.create({ model, messages, tools: [chatTool, time] });
    expect(answer.choices[0]?.message.tool_calls).toHaveLength(2);
    expect(answer.choices[0]?.finish_reason).toBe("tool_calls");
  });

  row("chat: structured output", async (model) => {
    const answer = await openai.chat.completions.parse({
      model,
      messages: [{ role: "user", content: "a city" }],
      response_format: { type: "json_schema", json_schema: { name: "city", strict: true, schema } },
    });
    expect(JSON.parse(answer.choices[0]?.message.content ?? "")).toHaveProperty("city");
  });

  row("chat: reasoning", async (model, column) => {
    const messages = [{ role: "user" as const, content: "hm [[sim:think]]" }];
    const answer = await openai.chat.completions.create({ model, messages, reasoning_effort: "low" });
    const message = answer.choices[0]!.message;
    // OpenAI and Azure count reasoning, but do not show it.
    if (column !== "OpenAI" && column !== "Azure") expect(message).toHaveProperty("reasoning_content");
  });

  row("chat: errors by class", async (model) => {
    const ask = (content: string) =>
      openai.chat.completions.create({ model, messages: [{ role: "user", content }] });
    await expect(ask("[[sim:fault status=429;retry-after=1]]")).rejects.toBeInstanceOf(OpenAI.RateLimitError);
    await expect(ask("[[sim:fault status=400]]")).rejects.toBeInstanceOf(OpenAI.BadRequestError);
    await expect(ask("[[sim:fault status=500]]")).rejects.toBeInstanceOf(OpenAI.InternalServerError);
    const stranger = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: "sk-unknown-key", maxRetries: 0 });
    await expect(stranger.chat.completions.create({ model, messages: hello })).rejects.toBeInstanceOf(
      OpenAI.AuthenticationError,
    );
  });

  row("chat: a stream that breaks", async (model) => {
    const stream = await openai.chat.completions.create({
      model,
      stream: true,
      messages: [{ role: "user", content: "[[sim:tokens 200]] [[sim:fault cut=1500]]" }],
    });
    await expect(drain(stream)).rejects.toBeInstanceOf(OpenAI.APIError);
  });
});

describe("@anthropic-ai/sdk", () => {
  row("messages: JSON", async (model) => {
    const answer = await anthropic.messages.create({ model, max_tokens: 100, messages: hello });
    expect(answer.content[0]).toMatchObject({ type: "text", text: "echo: hello" });
    expect(answer.stop_reason).toBe("end_turn");
    expect(answer.id).toMatch(/^msg_/);
    expect(answer.usage.input_tokens).toBeGreaterThan(0);
  });

  row("messages: stream helper", async (model) => {
    const answer = await anthropic.messages
      .stream({ model, max_tokens: 100, messages: hello })
      .finalMessage();
    expect(answer.content[0]).toMatchObject({ type: "text", text: "echo: hello" });
    expect(answer.usage.output_tokens).toBeGreaterThan(0);
  });

  row(
    "messages: a stream begins with the input's tokens and ends with the provider's count",
    async (model) => {
      const request = { model, max_tokens: 100, messages: hello };
      const picture = {
        type: "base64" as const,
        media_type: "image/png" as const,
        data: "AAAA".repeat(5000),
      };
      const stream = anthropic.messages.stream({
        ...request,
        messages: [
          { role: "user", content: [{ type: "image", source: picture }, ...text("hello ".repeat(40))] },
        ],
      });
      const counts: number[] = [];
      stream.on("streamEvent", (event) => {
        if (event.type === "message_start") counts.push(event.message.usage.input_tokens);
        if (event.type === "message_delta") counts.push(event.usage.input_tokens ?? 0);
      });
      const { usage } = await stream.finalMessage();
      expect(counts).toHaveLength(2);
      expect(counts[0]).toBeGreaterThan(20);
      expect(counts[0]).toBeLessThan(2000);
      if (counts[1]! > 0) expect(usage.input_tokens).toBe(counts[1]);
      expect(usage.input_tokens).toBeGreaterThan(0);
    },
  );

  row("messages: tool loop", async (model) => {
    const messages: Anthropic.MessageParam[] = [{ role: "user", content: "weather?" }];
    const first = await anthropic.messages.create({
      model,
      max_tokens: 100,
      messages,
      tools: [messagesTool],
    });
    expect(first.stop_reason).toBe("tool_use");
    const results = first.content.flatMap((block) =>
      block.type === "tool_use"
        ? [{ type: "tool_result" as const, tool_use_id: block.id, content: "sunny" }]
        : [],
    );
    messages.push({ role: "assistant", content: first.content }, { role: "user", content: results });
    const last = await anthropic.messages.create({ model, max_tokens: 100, messages, tools: [messagesTool] });
    expect(last.content.at(-1)).toMatchObject({ type: "text", text: expect.stringContaining("sunny") });
  });

  row("messages: thinking, tools, streamed", async (model, column) => {
    const messages: Anthropic.MessageParam[] = [{ role: "user", content: "weather? [[sim:think]]" }];
    const settings = {
      model,
      max_tokens: 4000,
      thinking: { type: "enabled" as const, budget_tokens: 1024 },
      tools: [messagesTool],
    };
    const first = await anthropic.messages.stream({ ...settings, messages }).finalMessage();
    const shown = column !== "OpenAI" && column !== "Azure";
    expect(first.content.some((block) => block.type === "thinking")).toBe(shown);
    const call = first.content.find((block) => block.type === "tool_use");
    const result = { type: "tool_result" as const, tool_use_id: call!.id, content: "sunny" };
    messages.push({ role: "assistant", content: first.content }, { role: "user", content: [result] });
    const last = await anthropic.messages.stream({ ...settings, messages }).finalText();
    expect(last).toContain("sunny");
  });

  row("messages: structured output", async (model) => {
    const answer = await anthropic.messages.create({
      model,
      max_tokens: 100,
      messages: [{ role: "user", content: "a city" }],
      output_config: { format: { type: "json_schema", schema } },
    });
    const [block] = answer.content;
    expect(JSON.parse(block?.type === "text" ? block.text : "")).toHaveProperty("city");
  });

  row("messages: errors by class", async (model) => {
    const ask = (content: string) =>
      anthropic.messages.create({ model, max_tokens: 10, messages: [{ role: "user", content }] });
    await expect(ask("[[sim:fault status=429;retry-after=1]]")).rejects.toBeInstanceOf(
      Anthropic.RateLimitError,
    );
    await expect(ask("[[sim:fault status=400]]")).rejects.toBeInstanceOf(Anthropic.BadRequestError);
    await expect(ask("[[sim:fault status=500]]")).rejects.toBeInstanceOf(Anthropic.InternalServerError);
    const stranger = new Anthropic({ baseURL: gateway.url, apiKey: "sk-unknown-key", maxRetries: 0 });
    await expect(stranger.messages.create({ model, max_tokens: 10, messages: hello })).rejects.toBeInstanceOf(
      Anthropic.AuthenticationError,
    );
  });

  row("messages: a stream that breaks", async (model) => {
    const messages = [{ role: "user" as const, content: "[[sim:tokens 200]] [[sim:fault cut=1500]]" }];
    const stream = anthropic.messages.stream({ model, max_tokens: 1000, messages });
    await expect(stream.finalMessage()).rejects.toBeInstanceOf(Anthropic.APIError);
  });

  row("messages: token counting", async (model) => {
    const counted = await anthropic.messages.countTokens({ model, messages: hello, tools: [messagesTool] });
    expect(counted.input_tokens).toBeGreaterThan(0);
  });
});

it("lists models at the address of either client", async () => {
  const apiKey = gateway.masterKey;
  const official = [
    new OpenAI({ baseURL: `${gateway.url}/openai/v1`, apiKey, maxRetries: 0 }),
    new Anthropic({ baseURL: `${gateway.url}/anthropic`, apiKey, maxRetries: 0 }),
  ];
  for (const client of official) {
    const page = await client.models.list();
    expect(page.data.map(({ id }) => id)).toContain("claude");
    expect((await client.models.retrieve("claude")).id).toBe("claude");
    await expect(client.models.retrieve("none-such")).rejects.toMatchObject({ status: 404 });
  }
});
