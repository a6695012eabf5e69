// The AI SDK with each maker's provider package: text, streams, steps of tools, objects.
import assert from "node:assert/strict";
import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { APICallError, generateText, jsonSchema, Output, stepCountIs, streamText, tool } from "ai";
import { z } from "zod";
import * as common from "./common.js";

const { ANSWER, ASK } = common;
const apiKey = common.key;
const openai = createOpenAI({ baseURL: `${common.url}/v1`, apiKey });
const ways = {
  chat: openai.chat,
  responses: openai.responses,
  messages: createAnthropic({ baseURL: `${common.url}/v1`, apiKey }),
  contents: createGoogleGenerativeAI({ baseURL: `${common.url}/v1beta`, apiKey }),
};
const model = ways[common.way](common.model);

async function answer(prompt = ASK, maxRetries = 2) {
  const { text, usage } = await generateText({ model, prompt, maxRetries });
  assert.equal(text, ANSWER);
  assert.ok(usage.totalTokens > 0);
}

const withTools = {
  model,
  prompt: common.ASK_TOOLS,
  stopWhen: stepCountIs(5),
  tools: Object.fromEntries(
    Object.entries(common.tools).map(([name, { description, run }]) => [
      name,
      tool({ description, inputSchema: jsonSchema(common.citySchema), execute: run }),
    ]),
  ),
};

await common.run({
  answer: () => answer(),
  async stream() {
    const result = streamText({ model, prompt: ASK });
    let text = "";
    for await (const delta of result.textStream) text += delta;
    assert.equal(text, ANSWER);
    assert.ok((await result.usage).totalTokens > 0);
  },
  tools: async () => common.checkLoop((await generateText(withTools)).text),
  streamed_tools: async () => common.checkLoop(await streamText(withTools).text),
  async structured() {
    const output = Output.object({ schema: z.object({ city: z.string() }) });
    const answer = await generateText({ model, prompt: common.ASK_CITY, output });
    assert.equal(typeof answer.output.city, "string");
  },
  error: () =>
    common.check429(
      () => answer(common.ASK_429, 0),
      (error) => APICallError.isInstance(error) && error.statusCode === 429,
    ),
  async retry() {
    await common.failOnce();
    await answer();
  },
});
