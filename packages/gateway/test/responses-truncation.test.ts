import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";

/** US dollars of an answer, and messages that fit into the model's window. */
const PRICE = 0.25;
const WINDOW = 3;

let upstream: Server;
let gateway: TestGateway;
/** Messages of each request. */
const asked: number[] = [];
beforeAll(async () => {
  upstream = createServer(async (request, response) => {
    const { messages, stream } = JSON.parse(await text(request)) as { messages: object[]; stream?: boolean };
    asked.push(messages.length);
    response.setHeader("content-type", stream ? "text/event-stream" : "application/json");
    if (messages.length > WINDOW) {
      response.writeHead(400, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: { message: "too long", code: "context_length_exceeded" } }));
      return;
    }
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    const base = { id: "c", created: 1, model: "m", usage };
    const said = { role: "assistant", content: "y" };
    const choice = { index: 0, finish_reason: "stop" };
    if (!stream)
      response.end(
        JSON.stringify({ ...base, object: "chat.completion", choices: [{ ...choice, message: said }] }),
      );
    else
      response.end(
        `data: ${JSON.stringify({ ...base, object: "chat.completion.chunk", choices: [{ ...choice, delta: said }] })}\n\ndata: [DONE]\n\n`,
      );
  }).listen(0, "127.0.0.1");
  await once(upstream, "listening");
  const { port } = upstream.address() as AddressInfo;
  gateway = await startTestGateway({
    config: `model_list:
  - {model_name: m, litellm_params: {model: hosted_vllm/m, api_base: "http://127.0.0.1:${port}/v1", api_key: k, input_cost_per_token: 0, output_cost_per_token: ${PRICE}}, model_info: {max_output_tokens: 1}}
router_settings: {num_retries: 0}
`,
  });
});
afterAll(async () => {
  await gateway?.close();
  upstream?.closeAllConnections();
  upstream?.close();
});

interface Row {
  readonly status: string;
  readonly spend: number;
  readonly call_type: string;
}

it.each([false, true])(
  "An answer after truncation by auto is accounted once (stream: %s)",
  async (stream) => {
    const made = await gateway.call("/key/generate", { body: { max_budget: 3 * PRICE } });
    const { key } = (await made.json()) as { key: string };
    const items = Array.from({ length: 8 }, (_, index) => ({ role: "user", content: `message ${index}` }));
    const begun = await gateway.call("/v1/conversations", { key, body: { items } });
    const { id: conversation } = (await begun.json()) as { id: string };
    asked.length = 0;
    const body = { model: "m", input: "last", conversation, truncation: "auto", stream };
    const answer = await gateway.call("/v1/responses", { key, body });
    expect(await answer.text()).toContain('"completed"');
    expect(asked.length).toBeGreaterThan(1);
    expect(asked.at(-1)).toBeLessThanOrEqual(WINDOW);
    const rowsOf = async (): Promise<Row[]> => {
      const page = await gateway.call(`/spend/logs?api_key=${key}`);
      const { data } = (await page.json()) as { data: Row[] };
      return data.filter(({ call_type }) => call_type === "aresponses");
    };
    await expect.poll(rowsOf).toMatchObject([{ status: "success", spend: PRICE }]);
    // What was held for the longer requests is free again.
    for (let left = 2; left > 0; left -= 1) {
      const next = await gateway.call("/v1/responses", { key, body: { model: "m", input: "x" } });
      expect(next.status).toBe(200);
    }
    const spent = await gateway.call("/v1/responses", { key, body: { model: "m", input: "x" } });
    expect(spent.status).toBe(402);
  },
);
