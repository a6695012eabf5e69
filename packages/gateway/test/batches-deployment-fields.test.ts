import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";
import { until } from "./support/until.ts";

/** What a provider was sent that has rows in it. */
const sent: string[] = [];
let upstream: Server;
let gateway: TestGateway;
let port: number;
beforeAll(async () => {
  upstream = createServer(async (request, response) => {
    const { url = "", method } = request;
    const body = await text(request);
    if (body.includes("custom_id")) sent.push(body);
    const answer = url.includes("/files")
      ? {
          id: `file-${sent.length}`,
          object: "file",
          purpose: "batch",
          bytes: 1,
          filename: "r",
          status: "processed",
        }
      : url.includes("/messages/batches")
        ? { id: "msgbatch_1", type: "message_batch", processing_status: "in_progress" }
        : {
            id: `batch_${sent.length}`,
            object: "batch",
            status: "in_progress",
            endpoint: "/v1/chat/completions",
          };
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(method === "GET" && url.endsWith("/batches") ? { data: [] } : answer));
  }).listen(0, "127.0.0.1");
  await once(upstream, "listening");
  ({ port } = upstream.address() as AddressInfo);
  gateway = await startTestGateway({ config: configWith(false) });
});
afterAll(async () => {
  await gateway?.close();
  upstream?.closeAllConnections();
  upstream?.close();
});

function configWith(store: boolean): string {
  const at = (path: string) => `api_base: "http://127.0.0.1:${port}${path}", api_key: k`;
  const fields = `temperature: 0.5, additional_drop_params: [seed], extra_body: {store: ${store}, stop: [END]}`;
  return `model_list:
  - {model_name: gpt, litellm_params: {model: openai/gpt-4o, ${at("/v1")}, ${fields}}}
  - {model_name: ${store ? "later" : "plain"}, litellm_params: {model: openai/gpt-4o, ${at("/v1")}}}
  - {model_name: claude, litellm_params: {model: anthropic/claude-sonnet-4-5, ${at("")}, ${fields}}}
router_settings: {num_retries: 0}
`;
}

/** Sends a batch of one row to a model's provider. @returns the row's body as it arrived */
async function rowSent(model: string, fields: object = {}, named = model): Promise<Record<string, unknown>> {
  const body = {
    model: named,
    max_tokens: 9,
    seed: 7,
    messages: [{ role: "user", content: "x" }],
    ...fields,
  };
  const row = { custom_id: "one", method: "POST", url: "/v1/chat/completions", body };
  const form = new FormData();
  form.append("purpose", "batch");
  form.append("model", model);
  form.append("file", new File([JSON.stringify(row)], "rows.jsonl"));
  const { id } = await gateway.must("/v1/files", form);
  return bodySentOf(String(id), model);
}

async function bodySentOf(id: string, model: string): Promise<Record<string, unknown>> {
  sent.length = 0;
  const endpoint = "/v1/chat/completions";
  await gateway.must("/v1/batches", {
    input_file_id: id,
    endpoint,
    model,
    completion_window: "24h",
    execution: "provider",
  });
  const [arrived] = await until(
    () => sent,
    (all) => all.length > 0,
  );
  const line = arrived!.split("\n").find((each) => each.startsWith("{"))!;
  const parsed = JSON.parse(line) as { body?: object; requests?: [{ params: object }] };
  return (parsed.body ?? parsed.requests![0].params) as Record<string, unknown>;
}

it.each(["gpt", "claude"])(
  "Rows of a batch at a provider have what the deployment of %s adds and drops",
  async (model) => {
    const body = await rowSent(model, { metadata: { tags: ["a"] }, tags: ["b"], drop_params: false });
    expect(body).toMatchObject({ temperature: 0.5, max_tokens: 9 });
    expect(body).toMatchObject(
      model === "gpt" ? { store: false, stop: ["END"] } : { stop_sequences: ["END"] },
    );
    for (const name of ["seed", "metadata", "tags", "drop_params"]) expect(body).not.toHaveProperty(name);
    expect((await rowSent(model, { temperature: 0.1, store: true })).temperature).toBe(0.1);
  },
);

it("and rows of a deployment that changes nothing go out as they are", async () => {
  const body = { ...(await rowSent("plain", { metadata: { a: "b" } }, "gpt-4o")) };
  expect(body).toEqual({
    model: "gpt-4o",
    max_tokens: 9,
    seed: 7,
    messages: [{ role: "user", content: "x" }],
    metadata: { a: "b" },
  });
});

it("and a file that was copied before its deployment was changed is copied anew", async () => {
  const row = {
    custom_id: "one",
    method: "POST",
    url: "/v1/chat/completions",
    body: { model: "gpt", messages: [{ role: "user", content: "x" }] },
  };
  const form = new FormData();
  form.append("purpose", "batch");
  form.append("model", "gpt");
  form.append("file", new File([JSON.stringify(row)], "rows.jsonl"));
  const { id } = await gateway.must("/v1/files", form);
  expect((await bodySentOf(String(id), "gpt")).store).toBe(false);
  gateway.writeConfig(configWith(true));
  await until(async () => JSON.stringify(await gateway.must("/v1/models")).includes("later"));
  expect((await bodySentOf(String(id), "gpt")).store).toBe(true);
});
