import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { type Simulator, startSimulator } from "portico-simulator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";

let simulator: Simulator;
let gateway: TestGateway;

/** A Bedrock that keeps what it was asked. */
const seen: { url: string; headers: IncomingHttpHeaders; body: string }[] = [];
const recorder = createServer((request, response) => {
  void text(request).then((body) => {
    seen.push({ url: request.url ?? "", headers: request.headers, body });
    response.setHeader("content-type", "application/json");
    const message = { role: "assistant", content: [{ text: "recorded" }] };
    const usage = { inputTokens: 10, outputTokens: 5, totalTokens: 15 };
    response.end(JSON.stringify({ output: { message }, stopReason: "end_turn", usage }));
  });
});

beforeAll(async () => {
  await once(recorder.listen(0, "127.0.0.1"), "listening");
  const recorded = `http://127.0.0.1:${(recorder.address() as AddressInfo).port}`;
  simulator = await startSimulator({ port: 0 });
  const keys = "aws_access_key_id: AKIAEXAMPLE, aws_secret_access_key: wJalr-secret";
  gateway = await startTestGateway({
    config: `model_list:
  - model_name: claude
    litellm_params: {model: bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0, api_base: "${simulator.url}/bedrock", ${keys}, aws_region_name: us-east-1}
  - model_name: signed
    litellm_params: {model: "bedrock/converse/anthropic.claude-3-haiku-20240307-v1:0", api_base: "${recorded}", ${keys}, aws_region_name: eu-central-1, aws_session_token: the-session}
  - model_name: in-the-name
    litellm_params: {model: bedrock/ap-northeast-1/amazon.nova-pro-v1:0, aws_bedrock_runtime_endpoint: "${recorded}", ${keys}}
  - model_name: by-key
    litellm_params: {model: bedrock/amazon.nova-pro-v1:0, api_base: "${recorded}", api_key: bedrock-api-key}
  - model_name: profiled
    litellm_params: {model: bedrock/us.anthropic.claude-sonnet-4-5-20250929-v1:0, api_base: "${recorded}", ${keys}, model_id: "${profile}"}
  - model_name: half-a-key
    litellm_params: {model: bedrock/amazon.nova-pro-v1:0, api_base: "${recorded}", aws_access_key_id: AKIAEXAMPLE}
  - model_name: titan
    litellm_params: {model: "bedrock/amazon.titan-embed-text-v2:0", api_base: "${simulator.url}/bedrock", ${keys}}
  - model_name: cohere
    litellm_params: {model: bedrock/cohere.embed-multilingual-v3, api_base: "${simulator.url}/bedrock", ${keys}}
  - model_name: bedrock/*
    litellm_params: {model: bedrock/*, api_base: "${recorded}", ${keys}}
router_settings: {num_retries: 0, disable_cooldowns: true}
`,
  });
});
afterAll(async () => {
  await gateway.close();
  await simulator.close();
  recorder.closeAllConnections();
  recorder.close();
});

const profile = "arn:aws:bedrock:us-east-1:1:application-inference-profile/a0";
const hello = { messages: [{ role: "user" as const, content: "hello" }] };

function chat(model: string): Promise<Response> {
  return gateway.call("/v1/chat/completions", { body: { model, ...hello } });
}

describe("Amazon Bedrock", () => {
  it("answers the official clients, whole and streamed, with tools and a schema, and its price is known", async () => {
    const openai = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.masterKey, maxRetries: 0 });
    const anthropic = new Anthropic({ baseURL: gateway.url, apiKey: gateway.masterKey, maxRetries: 0 });
    const completion = await openai.chat.completions.create({ model: "claude", ...hello }).asResponse();
    expect(Number(completion.headers.get("x-portico-response-cost"))).toBeGreaterThan(0);
    expect(await completion.text()).toContain("hello");
    const stream = anthropic.messages.stream({ model: "claude", max_tokens: 50, ...hello });
    expect(await stream.finalText()).toContain("hello");
    const parameters = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
    const called = openai.chat.completions.stream({
      model: "claude",
      ...hello,
      tools: [{ type: "function", function: { name: "weather", parameters } }],
    });
    const { message } = (await called.finalChatCompletion()).choices[0]!;
    expect(message.tool_calls?.[0]).toMatchObject({ function: { name: "weather" } });
    const json_schema = { name: "city", schema: parameters };
    const response_format = { type: "json_schema" as const, json_schema };
    const shaped = { model: "claude", ...hello, response_format };
    const whole = (await openai.chat.completions.create(shaped)).choices[0]!;
    const streamed = (await openai.chat.completions.stream(shaped).finalChatCompletion()).choices[0]!;
    for (const choice of [whole, streamed]) {
      expect(choice.finish_reason).toBe("stop");
      expect(JSON.parse(choice.message.content!)).toHaveProperty("city");
    }
  });

  it("is asked with a signature over the region, at the model's own address", async () => {
    expect((await chat("signed")).status).toBe(200);
    expect(seen.at(-1)!.url).toBe("/model/anthropic.claude-3-haiku-20240307-v1%3A0/converse");
    expect(seen.at(-1)!.headers).toMatchObject({
      authorization: expect.stringMatching(
        /^AWS4-HMAC-SHA256 Credential=AKIAEXAMPLE\/\d{8}\/eu-central-1\/bedrock\/aws4_request, SignedHeaders=.*x-amz-date.*, Signature=[0-9a-f]{64}$/,
      ),
      "x-amz-security-token": "the-session",
    });
    expect((await chat("in-the-name")).status).toBe(200);
    expect(seen.at(-1)!.url).toBe("/model/amazon.nova-pro-v1%3A0/converse");
    expect(seen.at(-1)!.headers.authorization).toContain("/ap-northeast-1/bedrock/");
  });

  it("is called by an application inference profile, whose model is known by its own name", async () => {
    const body = { model: "profiled", ...hello, reasoning_effort: "low", model_id: "of-the-caller" };
    expect((await gateway.call("/v1/chat/completions", { body })).status).toBe(200);
    expect(seen.at(-1)!.url).toBe(`/model/${encodeURIComponent(profile)}/converse`);
    expect(JSON.parse(seen.at(-1)!.body).additionalModelRequestFields.thinking.type).toBe("enabled");
  });

  it("is asked with turns that alternate, and with the beginning of an answer without white space at its end", async () => {
    const messages = [
      { role: "user", content: "one" },
      { role: "system", content: "be brief" },
      { role: "user", content: "two" },
      { role: "assistant", content: "The answer is " },
    ];
    const response = await gateway.call("/v1/chat/completions", { body: { model: "signed", messages } });
    expect(response.status).toBe(200);
    expect(JSON.parse(seen.at(-1)!.body)).toMatchObject({
      system: [{ text: "be brief" }],
      messages: [
        { role: "user", content: [{ text: "one" }, { text: "two" }] },
        { role: "assistant", content: [{ text: "The answer is" }] },
      ],
    });
  });

  it("goes on with a conversation in which tools were called, though the caller has none any more", async () => {
    const called = { id: "call_1", type: "function" as const, function: { name: "look", arguments: "{}" } };
    const messages = [
      { role: "user" as const, content: "What is there?" },
      { role: "assistant" as const, content: null, tool_calls: [called] },
      { role: "tool" as const, tool_call_id: "call_1", content: "the sun" },
    ];
    const openai = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.masterKey, maxRetries: 0 });
    for (const more of [{}, { tools: [] }]) {
      const answer = await openai.chat.completions.create({ model: "claude", messages, ...more });
      expect(answer.choices[0]!.message.content).toContain("the sun");
    }
    await openai.chat.completions.create({ model: "by-key", messages: messages.slice(0, 1) });
    expect(JSON.parse(seen.at(-1)!.body)).not.toHaveProperty("toolConfig");
  });

  it("is asked with an API key where there is one", async () => {
    expect((await chat("by-key")).status).toBe(200);
    expect(seen.at(-1)!.headers.authorization).toBe("Bearer bedrock-api-key");
  });

  it("never falls back to other credentials than those that were meant", async () => {
    const asked = seen.length;
    const response = await chat("half-a-key");
    expect(response.status).toBe(500);
    expect(await response.text()).toContain("belong together");
    expect(seen).toHaveLength(asked);
    expect(gateway.log()).not.toContain("wJalr-secret");
  });

  it("embeds texts with Titan and Cohere, in order, and says of other models that it cannot", async () => {
    const openai = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.masterKey, maxRetries: 0 });
    for (const [model, texts] of [
      ["titan", 20],
      ["cohere", 100],
    ] as const) {
      const input = Array.from({ length: texts }, (_, index) => `text ${index}`);
      const { data, usage } = await openai.embeddings.create({ model, input, dimensions: 256 });
      expect(data).toHaveLength(texts);
      expect(data[0]!.embedding).toHaveLength(256);
      expect(usage.prompt_tokens).toBeGreaterThan(0);
      const last = await openai.embeddings.create({ model, input: input.at(-1)!, dimensions: 256 });
      expect(last.data[0]!.embedding).toEqual(data.at(-1)!.embedding);
    }
    const response = await gateway.call("/v1/embeddings", { body: { model: "claude", input: "a" } });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain("Titan");
  });

  it("is asked for no other address than a model's", async () => {
    const asked = seen.length;
    for (const model of ["bedrock/..", "bedrock/a/../../b", "bedrock/a?b"])
      expect((await chat(model)).status).toBe(400);
    expect(seen).toHaveLength(asked);
  });
});
