import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { AzureOpenAI } from "openai";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Simulator, startSimulator } from "../src/index.ts";

let simulator: Simulator;

beforeAll(async () => {
  simulator = await startSimulator();
});
beforeEach(() => simulator.reset());
afterAll(() => simulator.close());

async function gemini(path: string, body: unknown) {
  const response = await fetch(`${simulator.url}/google/v1beta/models/${path}`, {
    method: "POST",
    headers: { "x-goog-api-key": "any", "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return { status: response.status, text: await response.text() };
}

const tools = [
  {
    functionDeclarations: [
      { name: "weather", parameters: { type: "OBJECT", properties: { city: { type: "STRING" } } } },
    ],
  },
];
const question = { role: "user", parts: [{ text: "weather?" }] };

describe("gemini", () => {
  test("answers as JSON, as events and as a JSON array with the same text and usage", async () => {
    const body = { contents: [{ parts: [{ text: "hello there" }] }] };
    const whole = JSON.parse((await gemini("g:generateContent", body)).text);
    expect(whole.candidates[0].content).toEqual({ role: "model", parts: [{ text: "echo: hello there" }] });
    const array = JSON.parse((await gemini("g:streamGenerateContent", body)).text);
    const events = (await gemini("g:streamGenerateContent?alt=sse", body)).text
      .split("\r\n\r\n")
      .filter((event) => event !== "")
      .map((event) => JSON.parse(event.slice(6)));
    for (const chunks of [array, events]) {
      const texts = chunks.map((chunk: typeof whole) => chunk.candidates[0].content.parts[0].text);
      expect(texts.join("")).toBe("echo: hello there");
      expect(chunks.at(-1)).toMatchObject({
        candidates: [{ finishReason: "STOP" }],
        usageMetadata: whole.usageMetadata,
      });
    }
  });

  test("wants its signature back with a function call and then says what the tool said", async () => {
    const first = JSON.parse(
      (await gemini("gemini-3-pro:generateContent", { contents: [question], tools })).text,
    );
    const { content } = first.candidates[0];
    expect(content.parts[0].functionCall).toMatchObject({ name: "weather", args: { city: "city" } });
    const result = {
      role: "user",
      parts: [{ functionResponse: { name: "weather", response: { output: "sunny" } } }],
    };
    const second = await gemini("gemini-3-pro:generateContent", {
      contents: [question, content, result],
      tools,
    });
    expect(JSON.parse(second.text).candidates[0].content.parts[0].text).toBe("tool said: sunny");
    const { functionCall } = content.parts[0];
    const stripped = { role: "model", parts: [{ functionCall }] };
    const refused = await gemini("gemini-3-pro:generateContent", {
      contents: [question, stripped, result],
      tools,
    });
    expect(refused).toMatchObject({ status: 400, text: expect.stringContaining("thought_signature") });
  });

  test("names errors by Google's status", async () => {
    const limited = await gemini("g:generateContent", {
      contents: [{ parts: [{ text: "[[sim:fault status=429;retry-after=3]]" }] }],
    });
    expect(JSON.parse(limited.text).error).toMatchObject({
      code: 429,
      status: "RESOURCE_EXHAUSTED",
      details: [{ retryDelay: "3s" }],
    });
    expect((await gemini("unknown-1:generateContent", { contents: [question] })).status).toBe(404);
    expect((await gemini("g:generateContent", {})).status).toBe(400);
  });

  test("serves the AI SDK's client: text, stream, thoughts, tools, embeddings", async () => {
    const google = createGoogleGenerativeAI({ baseURL: `${simulator.url}/google/v1beta`, apiKey: "any" });
    const model = google("gemini-2.5-flash");
    const prompt = [
      { role: "user" as const, content: [{ type: "text" as const, text: "[[sim:think]] hi" }] },
    ];
    const whole = await model.doGenerate({ prompt });
    expect(whole.content.map((part) => part.type)).toEqual(["reasoning", "text"]);
    const { stream } = await model.doStream({ prompt });
    const types = new Set<string>();
    for await (const part of stream) types.add(part.type);
    expect(types).toContain("reasoning-delta");
    expect(types).toContain("finish");
    expect(types).not.toContain("error");
    const called = await model.doGenerate({
      prompt: [{ role: "user", content: [{ type: "text", text: "weather?" }] }],
      tools: [
        {
          type: "function",
          name: "weather",
          inputSchema: { type: "object", properties: { city: { type: "string" } } },
        },
      ],
    });
    expect(called.content).toMatchObject([
      { type: "tool-call", toolName: "weather", input: '{"city":"city"}' },
    ]);
    const embedded = await google.embeddingModel("gemini-embedding-001").doEmbed({ values: ["a", "b"] });
    expect(embedded.embeddings).toHaveLength(2);
  });
});

describe("azure", () => {
  test("serves the AzureOpenAI client by deployment and reports its filters", async () => {
    const azure = new AzureOpenAI({
      endpoint: `${simulator.url}/azure`,
      apiKey: "any",
      apiVersion: "2024-10-21",
      maxRetries: 0,
    });
    const messages = [{ role: "user" as const, content: "hi" }];
    const answer = await azure.chat.completions.create({ model: "my-deployment", messages });
    expect(answer).toMatchObject({ model: "my-deployment", choices: [{ message: { content: "echo: hi" } }] });
    expect(answer).toHaveProperty("prompt_filter_results");
    const missing = { model: "unknown-deployment", messages };
    await expect(azure.chat.completions.create(missing)).rejects.toMatchObject({
      code: "DeploymentNotFound",
    });
  });

  test("refuses a request without an api-version, except below /v1", async () => {
    const ask = async (path: string) => {
      const response = await fetch(`${simulator.url}/azure/openai${path}`, { headers: { "api-key": "any" } });
      return response.status;
    };
    expect(await ask("/models")).toBe(404);
    expect(await ask("/models?api-version=yesterday")).toBe(400);
    expect(await ask("/models?api-version=2024-10-21")).toBe(200);
    expect(await ask("/v1/models")).toBe(200);
  });
});
