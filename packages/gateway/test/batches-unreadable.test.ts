import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { JsonObject } from "../src/contract/json.ts";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";
import { until } from "./support/until.ts";

/** Batches at a provider of another format of which an answer says nothing that can be translated. */

const message = {
  ...{ id: "msg_1", type: "message", role: "assistant", model: "m", stop_reason: "end_turn" },
  ...{ content: [{ type: "text", text: "hi" }], usage: { input_tokens: 3, output_tokens: 4 } },
};
/** Answers of rows in their order. */
const answers: readonly JsonObject[] = [message, { ...message, content: "hi" }, message];

let upstream: Server;
let gateway: TestGateway;
/** How often the results were read. */
let looks = 0;
let sent: { custom_id: string }[] = [];

beforeAll(async () => {
  upstream = createServer(async (request, response) => {
    const body = await text(request);
    response.setHeader("content-type", "application/json");
    if (request.method === "POST") {
      ({ requests: sent } = JSON.parse(body) as { requests: typeof sent });
      response.end(
        JSON.stringify({ id: "msgbatch_1", type: "message_batch", processing_status: "in_progress" }),
      );
    } else if (request.url?.endsWith("/results") === true) {
      looks += 1;
      const lines = sent.map(({ custom_id }, row) =>
        JSON.stringify({ custom_id, result: { type: "succeeded", message: answers[row] } }),
      );
      response.end(lines.join("\n"));
    } else {
      response.end(JSON.stringify({ id: "msgbatch_1", type: "message_batch", processing_status: "ended" }));
    }
  }).listen(0, "127.0.0.1");
  await once(upstream, "listening");
  const { port } = upstream.address() as AddressInfo;
  gateway = await startTestGateway({
    config: `model_list:
  - {model_name: claude, litellm_params: {model: anthropic/claude-sonnet-4-5, api_base: "http://127.0.0.1:${port}", api_key: k}}
`,
  });
});
afterAll(async () => {
  await gateway?.close();
  upstream?.closeAllConnections();
  upstream?.close();
});

it("end with an error in that row's place", async () => {
  const rows = answers.map((_, index) => {
    const body = { model: "claude", max_tokens: 9, messages: [{ role: "user", content: "x" }] };
    return JSON.stringify({ custom_id: `row-${index}`, method: "POST", url: "/v1/chat/completions", body });
  });
  const form = new FormData();
  form.append("purpose", "batch");
  form.append("model", "claude");
  form.append("file", new File([rows.join("\n")], "rows.jsonl"));
  const file = (await (await gateway.call("/v1/files", { body: form })).json()) as { id: string };
  const fields = { endpoint: "/v1/chat/completions", completion_window: "24h", execution: "provider" };
  const made = await gateway.call("/v1/batches", { body: { input_file_id: file.id, ...fields } });
  const batch = (await made.json()) as { id: string };
  const done = await until(
    async () =>
      (await (await gateway.call(`/v1/batches/${batch.id}`)).json()) as {
        status: string;
        request_counts: object;
        error_file_id: string;
      },
    ({ status }) => ["completed", "failed", "expired"].includes(status) || looks > 3,
  );
  expect(done).toMatchObject({ status: "completed", request_counts: { total: 3, completed: 2, failed: 1 } });
  const errors = await (await gateway.call(`/v1/files/${done.error_file_id}/content`)).text();
  expect(JSON.parse(errors)).toMatchObject({ custom_id: "row-1", response: { status_code: 502 } });
});
