// @google/genai: contents, streams, functions that the client calls by itself.
import assert from "node:assert/strict";
import { ApiError, GoogleGenAI } from "@google/genai";
import * as common from "./common.js";

const { ANSWER, ASK, model } = common;

function clientWith(attempts) {
  return new GoogleGenAI({
    apiKey: common.key,
    httpOptions: { baseUrl: common.url, retryOptions: { attempts } },
  });
}

const client = clientWith(3);

async function answer(by = client, contents = ASK) {
  const content = await by.models.generateContent({ model, contents });
  assert.equal(content.text, ANSWER);
  assert.ok(content.usageMetadata.totalTokenCount > 0);
}

/** Functions that the client calls by itself. */
const callable = {
  tool: async () => ({
    functionDeclarations: Object.entries(common.tools).map(([name, { description }]) => ({
      name,
      description,
      parametersJsonSchema: common.citySchema,
    })),
  }),
  callTool: async (calls) =>
    calls.map(({ id, name }) => ({
      functionResponse: { ...(id && { id }), name, response: { output: common.tools[name].run() } },
    })),
};

const withTools = { model, contents: common.ASK_TOOLS, config: { tools: [callable] } };

await common.run({
  answer: () => answer(),
  async stream() {
    let text = "";
    let last;
    for await (const chunk of await client.models.generateContentStream({ model, contents: ASK })) {
      text += chunk.text ?? "";
      last = chunk;
    }
    assert.equal(text, ANSWER);
    assert.ok(last.usageMetadata.totalTokenCount > 0);
  },
  tools: async () => common.checkLoop((await client.models.generateContent(withTools)).text),
  async streamed_tools() {
    let text = "";
    for await (const chunk of await client.models.generateContentStream(withTools))
      for (const part of chunk.candidates?.[0]?.content?.parts ?? []) text += part.text ?? "";
    common.checkLoop(text);
  },
  async structured() {
    const config = { responseMimeType: "application/json", responseJsonSchema: common.citySchema };
    const content = await client.models.generateContent({ model, contents: common.ASK_CITY, config });
    assert.equal(typeof JSON.parse(content.text).city, "string");
  },
  error: () =>
    common.check429(
      () => answer(clientWith(1), common.ASK_429),
      (error) => error instanceof ApiError && error.status === 429,
    ),
  async retry() {
    await common.failOnce();
    await answer();
  },
});
