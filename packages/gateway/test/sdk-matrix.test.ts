import { createGoogleGenerativeAI } from "@ai-sdk/google";
import Anthropic from "@anthropic-ai/sdk";
import {
  ApiError,
  type CallableTool,
  type FunctionDeclaration,
  GoogleGenAI,
  type Part,
  Type,
} from "@google/genai";
import { generateText, jsonSchema, stepCountIs, streamText, tool } from "ai";
import OpenAI from "openai";
import { type Simulator, startSimulator } from "portico-simulator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { everyProvider, everyProviderConfig } from "./support/every-provider.ts";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";

/** The official clients against one deployment of each kind; the matrix of what passed is printed at the end. */
const deployments = everyProvider;
type Column = keyof typeof deployments;
const columns = Object.keys(deployments) as Column[];

const matrix = new Map<string, Map<Column, string>>();
let simulator: Simulator;
let gateway: TestGateway;
let openai: OpenAI;
let anthropic: Anthropic;
let google: GoogleGenAI;

beforeAll(async () => {
  simulator = await startSimulator({ port: 0 });
  gateway = await startTestGateway({ config: everyProviderConfig(simulator.url) });
  const apiKey = gateway.masterKey;
  openai = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey, maxRetries: 0 });
  anthropic = new Anthropic({ baseURL: gateway.url, apiKey, maxRetries: 0 });
  google = new GoogleGenAI({ apiKey, httpOptions: { baseUrl: gateway.url } });
});

afterAll(async () => {
  await gateway.close();
  await simulator.close();
  process.stdout.write(`${table()}\n`);
});

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

const googleSchema = { type: Type.OBJECT, properties: { city: { type: Type.STRING } }, required: ["city"] };
const declaration: FunctionDeclaration = {
  name: "weather",
  description: "weather",
  parameters: googleSchema,
};

/** A function that the client calls by itself. */
const weather: CallableTool = {
  tool: async () => ({ functionDeclarations: [declaration] }),
  callTool: async (calls): Promise<Part[]> =>
    calls.map(({ id, name }) => ({
      functionResponse: { ...(id === undefined ? {} : { id }), name: name!, response: { output: "sunny" } },
    })),
};

describe("@google/genai", () => {
  row("contents: JSON", async (model) => {
    const systemInstruction = "be kind";
    const answer = await google.models.generateContent({
      model,
      contents: "hello",
      config: { systemInstruction, temperature: 0.5 },
    });
    expect(answer.text).toBe("echo: hello");
    expect(answer.candidates?.[0]?.finishReason).toBe("STOP");
    expect(answer.usageMetadata?.totalTokenCount).toBeGreaterThan(0);
    expect(answer.responseId).toBeTruthy();
  });

  row("contents: stream", async (model) => {
    let text = "";
    for await (const chunk of await google.models.generateContentStream({ model, contents: "hello" })) {
      text += chunk.text ?? "";
      if (chunk.candidates?.[0]?.finishReason !== undefined)
        expect(chunk.usageMetadata?.totalTokenCount).toBeGreaterThan(0);
    }
    expect(text).toBe("echo: hello");
  });

  row("contents: automatic function calling", async (model) => {
    const config = { tools: [weather] };
    const answer = await google.models.generateContent({ model, contents: "weather?", config });
    expect(answer.text).toContain("sunny");
    let text = "";
    const stream = await google.models.generateContentStream({ model, contents: "weather?", config });
    // The client's own `text` warns of parts that are none.
    for await (const chunk of stream)
      for (const part of chunk.candidates?.[0]?.content?.parts ?? []) text += part.text ?? "";
    expect(text).toContain("sunny");
  });

  row("contents: parallel functions", async (model) => {
    const time = { name: "time", parametersJsonSchema: schema };
    const answer = await google.models.generateContent({
      model,
      contents: "both [[sim:parallel]]",
      config: { tools: [{ functionDeclarations: [declaration, time] }] },
    });
    expect(answer.functionCalls?.map(({ name }) => name)).toEqual(["weather", "time"]);
  });

  row("contents: a chat, streamed, with thoughts and functions", async (model, column) => {
    const chat = google.chats.create({
      model,
      config: {
        tools: [{ functionDeclarations: [declaration] }],
        thinkingConfig: { includeThoughts: true, thinkingBudget: 1024 },
      },
    });
    const parts: Part[] = [];
    for await (const chunk of await chat.sendMessageStream({ message: "weather? [[sim:think]]" }))
      parts.push(...(chunk.candidates?.[0]?.content?.parts ?? []));
    const shown = column !== "OpenAI" && column !== "Azure";
    expect(parts.some((part) => part.thought === true)).toBe(shown);
    const call = parts.find((part) => part.functionCall !== undefined)!.functionCall!;
    const message = [{ functionResponse: { id: call.id!, name: call.name!, response: { output: "sunny" } } }];
    expect((await chat.sendMessage({ message })).text).toContain("sunny");
    expect((await chat.sendMessage({ message: "thanks [[sim:say you are welcome]]" })).text).toContain(
      "welcome",
    );
  });

  row("contents: structured output", async (model) => {
    for (const asked of [{ responseSchema: googleSchema }, { responseJsonSchema: schema }]) {
      const config = { responseMimeType: "application/json", ...asked };
      const answer = await google.models.generateContent({ model, contents: "a city", config });
      expect(JSON.parse(answer.text ?? "")).toHaveProperty("city");
    }
  });

  row("contents: errors", async (model) => {
    const ask = (contents: string) => google.models.generateContent({ model, contents });
    for (const status of [400, 429, 500]) {
      const failed = await ask(`[[sim:fault status=${status}]]`).catch((error: unknown) => error);
      expect(failed).toBeInstanceOf(ApiError);
      expect(failed).toMatchObject({ status });
    }
    const stranger = new GoogleGenAI({ apiKey: "sk-unknown-key", httpOptions: { baseUrl: gateway.url } });
    const refused = stranger.models.generateContent({ model, contents: "hello" });
    await expect(refused).rejects.toMatchObject({ status: 401 });
  });

  row("contents: a stream that breaks", async (model) => {
    const contents = "[[sim:tokens 200]] [[sim:fault cut=3000]]";
    const stream = await google.models.generateContentStream({ model, contents });
    await expect(drain(stream)).rejects.toBeInstanceOf(ApiError);
  });

  row("contents: token counting", async (model) => {
    expect((await google.models.countTokens({ model, contents: "hello there" })).totalTokens).toBeGreaterThan(
      0,
    );
  });
});

describe("@ai-sdk/google", () => {
  row("contents: AI SDK, whole, streamed, a tool loop", async (name) => {
    const { url, masterKey: apiKey } = gateway;
    const model = createGoogleGenerativeAI({ baseURL: `${url}/v1beta`, apiKey })(name);
    expect((await generateText({ model, prompt: "hello", maxRetries: 0 })).text).toBe("echo: hello");
    expect(await streamText({ model, prompt: "hello", maxRetries: 0 }).text).toBe("echo: hello");
    const tools = {
      weather: tool({
        inputSchema: jsonSchema<{ city: string }>(schema as Parameters<typeof jsonSchema>[0]),
        execute: async () => "sunny",
      }),
    };
    const answer = await generateText({
      model,
      prompt: "weather?",
      tools,
      stopWhen: stepCountIs(3),
      maxRetries: 0,
    });
    expect(answer.text).toContain("sunny");
  });
});

it("embeds and lists models for @google/genai", async () => {
  const pager = await google.models.list({ config: { pageSize: 3 } });
  const names: (string | undefined)[] = [];
  for await (const { name } of pager) names.push(name);
  expect(names).toEqual(Object.values(deployments).map((name) => `models/${name}`));
  expect((await google.models.get({ model: "claude" })).name).toBe("models/claude");
  await expect(google.models.get({ model: "none-such" })).rejects.toMatchObject({ status: 404 });
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
