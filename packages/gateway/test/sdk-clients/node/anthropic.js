// @anthropic-ai/sdk: messages with their stream helper, parser and the runner of tools.
import assert from "node:assert/strict";
import Anthropic from "@anthropic-ai/sdk";
import { betaTool } from "@anthropic-ai/sdk/helpers/beta/json-schema";
import { zodOutputFormat } from "@anthropic-ai/sdk/helpers/zod";
import { z } from "zod";
import * as common from "./common.js";

const { ANSWER, ASK, model } = common;
const client = new Anthropic({ baseURL: common.url, apiKey: common.key });
const request = (content) => ({ model, max_tokens: 1000, messages: [{ role: "user", content }] });

async function answer(by = client, text = ASK) {
  const message = await by.messages.create(request(text));
  assert.equal(message.content[0].text, ANSWER);
  assert.ok(message.usage.output_tokens > 0);
}

const withTools = {
  ...request(common.ASK_TOOLS),
  tools: Object.entries(common.tools).map(([name, { description, run }]) =>
    betaTool({ name, description, inputSchema: common.citySchema, run }),
  ),
};

await common.run({
  answer: () => answer(),
  async stream() {
    let text = "";
    const stream = client.messages.stream(request(ASK)).on("text", (delta) => {
      text += delta;
    });
    assert.equal((await stream.finalMessage()).content[0].text, ANSWER);
    assert.equal(text, ANSWER);
  },
  async tools() {
    const message = await client.beta.messages.toolRunner(withTools);
    common.checkLoop(message.content.at(-1).text);
  },
  async streamed_tools() {
    let last;
    for await (const stream of client.beta.messages.toolRunner({ ...withTools, stream: true }))
      last = await stream.finalMessage();
    common.checkLoop(last.content.at(-1).text);
  },
  async structured() {
    const format = zodOutputFormat(z.object({ city: z.string() }));
    const message = await client.messages.parse({ ...request(common.ASK_CITY), output_config: { format } });
    assert.equal(typeof message.parsed_output.city, "string");
  },
  error: () =>
    common.check429(
      () => answer(client.withOptions({ maxRetries: 0 }), common.ASK_429),
      (error) => error instanceof Anthropic.RateLimitError,
    ),
  async retry() {
    await common.failOnce();
    await answer();
  },
});
