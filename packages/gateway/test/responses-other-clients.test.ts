import { createOpenAI } from "@ai-sdk/openai";
import { HumanMessage, ToolMessage } from "@langchain/core/messages";
import { ChatOpenAI } from "@langchain/openai";
import { generateText, jsonSchema, stepCountIs, streamText, tool } from "ai";
import { type Simulator, startSimulator } from "portico-simulator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";
import { responsesConfig, responsesModels } from "./support/responses.ts";

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

const schema = {
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
  additionalProperties: false,
} as const;

describe.each(responsesModels)("The AI SDK's responses model on %s", (name) => {
  const model = () =>
    createOpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.masterKey }).responses(name);

  it("generates and streams text", async () => {
    expect((await generateText({ model: model(), prompt: "hello" })).text).toBe("echo: hello");
    const streamed = streamText({ model: model(), prompt: "hello there" });
    let text = "";
    for await (const delta of streamed.textStream) text += delta;
    expect(text).toBe("echo: hello there");
    expect(await streamed.finishReason).toBe("stop");
  });

  it("calls tools and goes on with what they gave", async () => {
    const weather = tool({
      description: "Tells the weather",
      inputSchema: jsonSchema<{ city: string }>(schema as object as Parameters<typeof jsonSchema>[0]),
      execute: async () => "sunny",
    });
    const { text, steps } = await generateText({
      model: model(),
      prompt: "[[sim:tool weather]]",
      tools: { weather },
      stopWhen: stepCountIs(2),
    });
    expect(steps.length).toBe(2);
    expect(text).toContain("sunny");
  });
});

describe.each(responsesModels)("LangChain's responses model on %s", (name) => {
  const model = () =>
    new ChatOpenAI({
      model: name,
      useResponsesApi: true,
      apiKey: gateway.masterKey,
      configuration: { baseURL: `${gateway.url}/v1` },
      maxRetries: 0,
    });

  it("invokes and streams", async () => {
    expect((await model().invoke("hello")).text).toBe("echo: hello");
    let text = "";
    for await (const chunk of await model().stream("hello there")) text += chunk.text;
    expect(text).toBe("echo: hello there");
  });

  it("calls tools and goes on with what they gave", async () => {
    const bound = model().bindTools([
      { type: "function", function: { name: "weather", parameters: schema, strict: true } },
    ]);
    const question = new HumanMessage("[[sim:tool weather]]");
    const first = await bound.invoke([question]);
    const [call] = first.tool_calls ?? [];
    const result = new ToolMessage({ tool_call_id: call!.id!, content: "sunny" });
    expect((await bound.invoke([question, first, result])).text).toBe("tool said: sunny");
  });
});
