import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { legacyMessage, register } from "./support/a2a.ts";
import { startTestGateway, type TestGateway } from "./support/gateway.ts";
import { until } from "./support/until.ts";

/** Takes connections and what comes over them, and never says anything: TLS does not come about with it. */
let silent: Server;
let gateway: TestGateway;
const sockets: Socket[] = [];
/** Requests that have come in plain HTTP. */
let requests = 0;

beforeAll(async () => {
  silent = createServer((socket) => {
    sockets.push(socket);
    socket.on("error", () => undefined);
    socket.on("data", (piece) => {
      if (/^[A-Z]+ \//.test(piece.toString("latin1"))) requests += 1;
    });
  });
  await new Promise<void>((ready) => silent.listen(0, "127.0.0.1", ready));
  const at = `127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const models = (["http", "https"] as const).flatMap((scheme) => [
    `  - {model_name: ${scheme}-chat, litellm_params: {model: openai/m, api_key: k, api_base: "${scheme}://${at}/v1", input_cost_per_token: 1, output_cost_per_token: 1}}`,
    `  - {model_name: ${scheme}-claude, litellm_params: {model: anthropic/m, api_key: k, api_base: "${scheme}://${at}", input_cost_per_token: 1, output_cost_per_token: 1}}`,
  ]);
  gateway = await startTestGateway({
    config: `model_list:
${models.join("\n")}
router_settings: {num_retries: 0}
general_settings:
  master_key: sk-test-master-key-0123456789
  pass_through_endpoints:
    - {path: /http, target: "http://${at}/x", cost_per_request: 0.5}
    - {path: /https, target: "https://${at}/x", cost_per_request: 0.5}
`,
  });
  for (const scheme of ["http", "https"])
    await register(gateway, {
      agent_name: scheme,
      agent_card_params: { url: `${scheme}://${at}/` },
      gateway_params: { allow_private_networks: true, cost_per_query: 0.5 },
    });
});
afterAll(async () => {
  await gateway?.close();
  for (const socket of sockets) socket.destroy();
  silent.close();
});

const messages = [{ role: "user", content: "hello" }];
const message = { jsonrpc: "2.0", id: "1", method: "message/send", params: legacyMessage("hello") };

/** Every way on which a call can cost something: path and body, by scheme. */
const ways: readonly [string, (scheme: string) => readonly [string, object]][] = [
  ["native", (scheme) => ["/v1/chat/completions", { model: `${scheme}-chat`, messages }]],
  [
    "native stream",
    (scheme) => ["/v1/chat/completions", { model: `${scheme}-chat`, messages, stream: true }],
  ],
  ["translated", (scheme) => ["/v1/chat/completions", { model: `${scheme}-claude`, messages }]],
  ["messages", (scheme) => ["/v1/messages", { model: `${scheme}-chat`, messages, max_tokens: 5 }]],
  ["response", (scheme) => ["/v1/responses", { model: `${scheme}-claude`, input: "hello" }]],
  ["embedding", (scheme) => ["/v1/embeddings", { model: `${scheme}-chat`, input: "hello" }]],
  [
    "contents",
    (scheme) => [`/v1beta/models/${scheme}-chat:generateContent`, { contents: [{ parts: [{ text: "a" }] }] }],
  ],
  ["endpoint", (scheme) => [`/${scheme}`, {}]],
  ["agent", (scheme) => [`/a2a/${scheme}`, message]],
];

interface Row {
  readonly request_id: string;
  readonly spend: number | null;
  readonly prompt_tokens: number;
  readonly status: string;
}

/** What a call cost whose caller leaves when the gateway has connected, or when its request has arrived. */
async function costOf(scheme: "http" | "https", [path, body]: readonly [string, object]): Promise<Row> {
  const known = new Set((await rows()).map(({ request_id }) => request_id));
  const before = { connections: sockets.length, requests };
  const leaving = new AbortController();
  const call = gateway.call(path, { body, signal: leaving.signal }).catch(() => undefined);
  if (scheme === "http") await until(() => requests > before.requests);
  else await until(() => sockets.length > before.connections);
  leaving.abort();
  await call;
  return (await until(
    async () => (await rows()).find(({ request_id }) => !known.has(request_id)),
    (row) => row !== undefined,
  ))!;
}

async function rows(): Promise<Row[]> {
  const answer = await gateway.call("/spend/logs?limit=1000");
  return ((await answer.json()) as { data: Row[] }).data;
}

describe("A call whose caller leaves", () => {
  it.each(ways)("costs nothing before anything was sent: %s", async (_name, way) => {
    const { spend, prompt_tokens, status } = await costOf("https", way("https"));
    expect([spend ?? 0, prompt_tokens, status]).toEqual([0, 0, "aborted"]);
  });

  it.each(ways)("costs what the provider may bill once it was sent: %s", async (_name, way) => {
    const { spend, status } = await costOf("http", way("http"));
    expect([spend! > 0, status]).toEqual([true, "aborted"]);
  });
});
