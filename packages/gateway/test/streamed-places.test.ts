import { createServer, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";
import { until } from "./support/until.ts";

/** Streams that the provider has begun and not ended. */
const open: ServerResponse[] = [];

/** Makes whatever it is asked for; contents and `/stream` begin, and end when the test says so. */
const upstream = createServer(async (request, response) => {
  await text(request);
  const { method = "", url = "" } = request;
  if (/\/(?:content|stream)$/.test(url)) {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write('data: {"n":1}\n\n');
    open.push(response);
    return;
  }
  response.setHeader("content-type", "application/json");
  const [, kind = "thing"] = /\/v1\/(\w+?)s?(?:\/|$)/.exec(url) ?? [];
  const id = url.endsWith("/files") && kind === "container" ? "cfile_1" : `${kind}_${Date.now()}`;
  response.end(JSON.stringify({ id, object: kind, status: method === "POST" ? "completed" : "running" }));
});

const KEY = "sk-one-at-a-time-0123456789";
let gateway: TestGateway;

beforeAll(async () => {
  await new Promise<void>((ready) => upstream.listen(0, "127.0.0.1", ready));
  const url = `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`;
  const params = `api_base: "${url}/v1", api_key: sk-provider`;
  gateway = await startTestGateway({
    config: `model_list:
  - {model_name: gpt, litellm_params: {model: openai/gpt-4o, ${params}}}
  - {model_name: film, litellm_params: {model: openai/sora-2, ${params}}}
general_settings:
  master_key: sk-test-master-key-0123456789
  pass_through_endpoints: [{path: /target, target: "${url}/stream"}]
keys:
  - {key: ${KEY}, max_parallel_requests: 1, allowed_passthrough_routes: [/openai, /target]}
`,
  });
});
afterAll(async () => {
  await gateway?.close();
  upstream.closeAllConnections();
  upstream.close();
});

/** What an upload through the gateway made, by its id. */
async function made(path: string, body: unknown): Promise<string> {
  const answer = await gateway.call(path, { key: KEY, body });
  const object = (await answer.json()) as { id: string };
  expect([answer.status, object]).toEqual([200, expect.objectContaining({ id: expect.anything() })]);
  return object.id;
}

function form(fields: Readonly<Record<string, string>> = {}): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.append(name, value);
  data.append("file", new Blob(["one"]), "one.txt");
  return data;
}

/** Every operation that passes on what a provider streams, beside the calls of models. */
const streams: Readonly<Record<string, () => Promise<{ method: string; path: string }>>> = {
  "what passes to a provider": async () => ({ method: "POST", path: "/openai/v1/stream" }),
  "what is read there": async () => ({ method: "GET", path: "/openai/v1/stream" }),
  "what passes to an endpoint": async () => ({ method: "POST", path: "/target" }),
  "a file": async () => ({
    method: "GET",
    path: `/v1/files/${await made("/v1/files", form({ purpose: "user_data" }))}/content`,
  }),
  "a container's file": async () => {
    const container = await made("/v1/containers", { name: "box" });
    const file = await made(`/v1/containers/${container}/files`, form());
    return { method: "GET", path: `/v1/containers/${container}/files/${file}/content` };
  },
  "a video": async () => ({
    method: "GET",
    path: `/v1/videos/${await made("/v1/videos", { model: "film", prompt: "a cat" })}/content`,
  }),
};

async function statusNow(): Promise<number> {
  const answer = await gateway.call("/openai/v1/assistants", { key: KEY });
  await answer.text();
  return answer.status;
}

/** A request whose answer nobody has to read. */
function begun(method: string, path: string): Socket {
  const { hostname, port } = new URL(gateway.url);
  const socket = connect(Number(port), hostname).on("error", () => undefined);
  const body = method === "POST" ? "content-type: application/json\r\ncontent-length: 2\r\n\r\n{}" : "\r\n";
  socket.write(`${method} ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${KEY}\r\n${body}`);
  return socket;
}

/** How a stream may end. */
const ends: Readonly<Record<string, (caller: Socket, provider: ServerResponse) => void>> = {
  ends: (_caller, provider) => void provider.end(),
  breaks: (_caller, provider) => void provider.destroy(),
  "is left": (caller) => void caller.destroy(),
};

describe.each(Object.entries(streams))("The place of %s among the parallel requests", (_kind, path) => {
  it.each(Object.entries(ends))("is free when the stream %s, and not before", async (name, end) => {
    const { method, path: address } = await path();
    open.length = 0;
    const caller = begun(method, address);
    // The head has come, so that nothing but the stream goes on; one who leaves has not even read that.
    if (name !== "is left") await new Promise((came) => caller.once("data", came));
    await until(() => open[0]);
    expect(await Promise.all([statusNow(), statusNow()])).toEqual([429, 429]);
    expect(open).toHaveLength(1);
    end(caller, open[0]!);
    await until(statusNow, (status) => status === 200);
    caller.destroy();
  });
});
