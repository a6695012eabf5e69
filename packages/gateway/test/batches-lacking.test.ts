import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";
import { until } from "./support/until.ts";

/** Hosts that have the calls of their format and no batches, and how these say so. */

interface Lack {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

const JSON_TYPE = "application/json";
const lacks: readonly (readonly [string, Lack])[] = [
  ["404 in HTML", { status: 404, type: "text/html", body: "<html>Not Found</html>" }],
  ["404 without a body", { status: 404, type: JSON_TYPE, body: "" }],
  ["405", { status: 405, type: JSON_TYPE, body: '{"detail":"Method Not Allowed"}' }],
  ["501", { status: 501, type: "text/plain", body: "no" }],
  ["200 without an id", { status: 200, type: JSON_TYPE, body: '{"detail":"Not Found"}' }],
  ["200 with an id that is none", { status: 200, type: JSON_TYPE, body: '{"id":null}' }],
];

let upstream: Server;
let gateway: TestGateway;
let lack: Lack;
/** Paths that were asked for. */
const asked: string[] = [];
beforeAll(async () => {
  upstream = createServer(async (request, response) => {
    asked.push(request.url!);
    await text(request);
    const { url = "" } = request;
    const usage = {
      prompt_tokens: 1,
      completion_tokens: 1,
      total_tokens: 2,
      input_tokens: 1,
      output_tokens: 1,
    };
    const send = (status: number, type: string, body: string): void => {
      response.writeHead(status, { "content-type": type });
      response.end(body);
    };
    const answer = (body: object): void =>
      send(200, JSON_TYPE, JSON.stringify({ model: "m", usage, ...body }));
    const message = { role: "assistant", content: "y" };
    if (url.includes("/batches")) send(lack.status, lack.type, lack.body);
    else if (url.endsWith("/chat/completions"))
      answer({ id: "c", object: "chat.completion", choices: [{ index: 0, message, finish_reason: "stop" }] });
    else if (url.endsWith("/messages"))
      answer({
        id: "msg_1",
        type: "message",
        role: "assistant",
        content: [{ type: "text", text: "y" }],
        stop_reason: "end_turn",
      });
    else if (url.endsWith("/files"))
      answer({
        id: "file-1",
        object: "file",
        purpose: "batch",
        bytes: 1,
        filename: "r",
        status: "processed",
      });
    else send(404, JSON_TYPE, "{}");
  }).listen(0, "127.0.0.1");
  await once(upstream, "listening");
  const { port } = upstream.address() as AddressInfo;
  const at = (path: string) => `api_base: "http://127.0.0.1:${port}${path}", api_key: k`;
  gateway = await startTestGateway({
    config: `model_list:
  - {model_name: gpt, litellm_params: {model: openai/gpt-4o, ${at("/v1")}}}
  - {model_name: claude, litellm_params: {model: anthropic/claude-sonnet-4-5, ${at("")}}}
router_settings: {num_retries: 0}
`,
  });
});
afterAll(async () => {
  await gateway?.close();
  upstream?.closeAllConnections();
  upstream?.close();
});
beforeEach(() => {
  asked.length = 0;
});

const cases = ["gpt", "claude"].flatMap((model) => lacks.map(([name, how]) => [model, name, how] as const));
it.each(cases)("The gateway runs batches of %s where the host's answer is %s", async (model, _, how) => {
  lack = how;
  const body = { model, max_tokens: 9, messages: [{ role: "user", content: "x" }] };
  const row = { custom_id: "one", method: "POST", url: "/v1/chat/completions", body };
  const form = new FormData();
  form.append("purpose", "batch");
  form.append("model", model);
  form.append("file", new File([JSON.stringify(row)], "rows.jsonl"));
  const file = (await (await gateway.call("/v1/files", { body: form })).json()) as { id: string };
  const made = await gateway.call("/v1/batches", {
    body: { input_file_id: file.id, endpoint: row.url, completion_window: "24h", model },
  });
  const batch = (await made.json()) as { id: string };
  expect(batch).toMatchObject({ object: "batch" });
  const done = await until(
    async () =>
      (await (await gateway.call(`/v1/batches/${batch.id}`)).json()) as {
        status: string;
        request_counts: object;
      },
    ({ status }) => ["completed", "failed", "expired"].includes(status),
  );
  expect(done).toMatchObject({ status: "completed", request_counts: { total: 1, completed: 1, failed: 0 } });
  expect(asked.some((path) => path.includes("/batches"))).toBe(true);
});
