// openai: chat completions and responses with their stream helpers, parsers and runners of tools.
import assert from "node:assert/strict";
import OpenAI from "openai";
import { ResponsesToolRunner } from "openai/helpers/responses-tool-runner";
import { zodResponseFormat, zodTextFormat } from "openai/helpers/zod";
import { z } from "zod";
import * as common from "./common.js";

const { model, ANSWER, ASK } = common;
const client = new OpenAI({ baseURL: `${common.url}/v1`, apiKey: common.key });
const impatient = client.withOptions({ maxRetries: 0 });
const messages = (content) => [{ role: "user", content }];
const City = z.object({ city: z.string() });
const isLimit = (error) => error instanceof OpenAI.RateLimitError;

async function chatAnswer(by = client, text = ASK) {
  const answer = await by.chat.completions.create({ model, messages: messages(text) });
  assert.equal(answer.choices[0].message.content, ANSWER);
  assert.ok(answer.usage.total_tokens > 0);
}

const withTools = {
  model,
  messages: messages(common.ASK_TOOLS),
  tools: Object.entries(common.tools).map(([name, { description, run }]) => ({
    type: "function",
    function: { name, description, parameters: common.citySchema, parse: JSON.parse, function: run },
  })),
};

const chat = {
  answer: () => chatAnswer(),
  async stream() {
    const stream = client.chat.completions.stream({
      model,
      messages: messages(ASK),
      stream_options: { include_usage: true },
    });
    let text = "";
    stream.on("content", (delta) => {
      text += delta;
    });
    const answer = await stream.finalChatCompletion();
    assert.equal(text, ANSWER);
    assert.equal(answer.choices[0].message.content, ANSWER);
    assert.ok((await stream.totalUsage()).total_tokens > 0);
  },
  tools: async () => common.checkLoop(await client.chat.completions.runTools(withTools).finalContent()),
  streamed_tools: async () =>
    common.checkLoop(await client.chat.completions.runTools({ ...withTools, stream: true }).finalContent()),
  async structured() {
    const answer = await client.chat.completions.parse({
      model,
      messages: messages(common.ASK_CITY),
      response_format: zodResponseFormat(City, "city"),
    });
    assert.equal(typeof answer.choices[0].message.parsed.city, "string");
  },
  error: () => common.check429(() => chatAnswer(impatient, common.ASK_429), isLimit),
  async retry() {
    await common.failOnce();
    await chatAnswer();
  },
};

async function responsesAnswer(by = client, input = ASK) {
  const answer = await by.responses.create({ model, input });
  assert.equal(answer.output_text, ANSWER);
  assert.ok(answer.usage.total_tokens > 0);
}

async function responsesTools(stream) {
  const functions = Object.entries(common.tools).map(([name, { description, run }]) => ({
    tool: { type: "function", name, description, parameters: common.citySchema, strict: true },
    execute: run,
  }));
  const runner = new ResponsesToolRunner({ functions });
  const answer = await runner.run(client, { model, input: common.ASK_TOOLS }, { stream });
  common.checkLoop(answer.output_text);
}

const responses = {
  answer: () => responsesAnswer(),
  async stream() {
    const stream = client.responses.stream({ model, input: ASK });
    let text = "";
    stream.on("response.output_text.delta", ({ delta }) => {
      text += delta;
    });
    assert.equal((await stream.finalResponse()).output_text, ANSWER);
    assert.equal(text, ANSWER);
  },
  tools: () => responsesTools(false),
  streamed_tools: () => responsesTools(true),
  async structured() {
    const answer = await client.responses.parse({
      model,
      input: common.ASK_CITY,
      text: { format: zodTextFormat(City, "city") },
    });
    assert.equal(typeof answer.output_parsed.city, "string");
  },
  error: () => common.check429(() => responsesAnswer(impatient, common.ASK_429), isLimit),
  async retry() {
    await common.failOnce();
    await responsesAnswer();
  },
};

await common.run(common.way === "chat" ? chat : responses);
