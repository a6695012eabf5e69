import { createServer, request as httpRequest, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { text } from "node:stream/consumers";
import { type Simulator, startSimulator } from "portico-simulator";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { JsonObject } from "../src/contract/json.ts";
import { Authenticator } from "../src/core/auth/authenticate.ts";
import { Dispatcher } from "../src/core/http/dispatcher.ts";
import { GatewayServer } from "../src/core/http/server.ts";
import { SocketServer } from "../src/core/http/socket/socket-server.ts";
import { responseSocket } from "../src/features/responses/socket/response-socket.ts";
import { fixedConfig } from "../src/platform/config/gateway-config.ts";
import { readConfig } from "../src/platform/config/read/read-config.ts";
import { MASTER_KEY, startTestGateway, type TestGateway } from "./support/gateway.ts";
import { responsesConfig } from "./support/responses.ts";
import { isEnd, SocketClient } from "./support/socket-client.ts";
import { until } from "./support/until.ts";

const key = "sk-socket-one-0123456789";
const other = "sk-socket-two-0123456789";
const blocked = "sk-socket-blocked-0123456789";
/** Two keys of one user, and three of one team. */
const ofUser = ["sk-socket-user-one-01234", "sk-socket-user-two-01234"] as const;
const ofTeam = ["sk-socket-team-one-01234", "sk-socket-team-two-01234", "sk-socket-team-three-012"] as const;
const slow = "sk-socket-slow-0123456789";

let simulator: Simulator;
let gateway: TestGateway;
const clients: SocketClient[] = [];

/** A provider that sends more than any buffer holds. */
let sent = 0;
const MEGABYTE = 1024 * 1024;
const FLOOD = 64 * MEGABYTE;
const flood = createServer((_request, response) => {
  response.writeHead(200, { "content-type": "text/event-stream" });
  void pour(response);
});
let floodUrl: string;

async function pour(response: ServerResponse): Promise<void> {
  let number = 0;
  const send = (type: string, rest: object): boolean => {
    const data = { type, sequence_number: number, ...rest };
    number += 1;
    return response.write(`event: ${type}\ndata: ${JSON.stringify(data)}\n\n`);
  };
  const of = (status: string, output: object[]): object => ({
    response: { id: "resp_flood", object: "response", status, model: "gpt-4o", output },
  });
  send("response.created", of("in_progress", []));
  const item = { id: "msg_1", type: "message", role: "assistant", status: "in_progress", content: [] };
  send("response.output_item.added", { output_index: 0, item });
  const part = { type: "output_text", text: "", annotations: [] };
  const place = { item_id: "msg_1", output_index: 0, content_index: 0 };
  send("response.content_part.added", { ...place, part });
  const delta = "x".repeat(MEGABYTE);
  for (sent = 0; sent < FLOOD && !response.destroyed; sent += MEGABYTE)
    if (!send("response.output_text.delta", { ...place, delta }))
      await new Promise((go) => response.once("drain", go));
  send("response.output_text.done", { ...place, text: "" });
  send("response.content_part.done", { ...place, part });
  send("response.output_item.done", { output_index: 0, item: { ...item, status: "completed" } });
  send("response.completed", of("completed", [item]));
  response.end();
}

beforeAll(async () => {
  await new Promise<void>((ready) => flood.listen(0, "127.0.0.1", ready));
  floodUrl = `http://127.0.0.1:${(flood.address() as AddressInfo).port}`;
  simulator = await startSimulator({ port: 0 });
  gateway = await startTestGateway({
    config: `${responsesConfig(simulator.url).replace(
      "router_settings",
      `  - model_name: cut-off
    litellm_params: {model: anthropic/claude-sonnet-4-5, api_base: "${simulator.url}/anthropic", api_key: simulated}
  - model_name: flood
    litellm_params: {model: openai/gpt-4o, api_base: "${floodUrl}/v1", api_key: simulated}
router_settings`,
    )}
general_settings: {master_key: "${MASTER_KEY}", max_request_size_mb: 1}
gateway_settings: {max_websockets: 8}
keys:
  - {key: ${key}}
  - {key: ${other}}
  - {key: ${blocked}, blocked: true}
  - {key: ${slow}, rpm_limit: 2}
${ofUser.map((each) => `  - {key: ${each}, user_id: ann}`).join("\n")}
${ofTeam.map((each) => `  - {key: ${each}, team_id: crew}`).join("\n")}
`,
  });
});

afterAll(async () => {
  await gateway.close();
  await simulator.close();
  flood.closeAllConnections();
  await new Promise((closed) => flood.close(closed));
});

beforeEach(() => simulator.reset());
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
});

async function open(withKey = key, path?: string): Promise<SocketClient> {
  // The places of the last test's connections are free again when the gateway has seen their ends.
  for (;;) {
    try {
      const client = await SocketClient.open(gateway.url, withKey, path);
      clients.push(client);
      return client;
    } catch (error) {
      if (![429, 503].includes((error as { status: number }).status)) throw error;
    }
  }
}

/** The answer to a request with an `Upgrade` header that leads to no WebSocket. */
function upgrade(path: string, method: string, protocol: string, body?: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(gateway.url + path, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        connection: "Upgrade, HTTP2-Settings",
        upgrade: protocol,
        "http2-settings": "AAMAAABkAAQAAP__",
        "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
        "sec-websocket-version": "13",
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
    });
    request.on("response", (response) => {
      void text(response).then(() => resolve(response.statusCode ?? 0));
    });
    request.on("upgrade", (_response, socket) => {
      socket.destroy();
      resolve(101);
    });
    request.on("error", reject);
    request.end(body);
  });
}

describe("A WebSocket is refused", () => {
  it.each([
    ["without a known key", "sk-nobody-0123456789", 401],
    ["with a blocked key", blocked, 403],
  ])("%s", async (_name, withKey, status) => {
    await expect(SocketClient.open(gateway.url, withKey)).rejects.toMatchObject({
      status,
      body: { error: { code: String(status) } },
    });
  });

  it("past the share of a key, and past what the gateway has", async () => {
    await open();
    await open();
    await expect(SocketClient.open(gateway.url, key)).rejects.toMatchObject({ status: 429 });
    await open(other);
    await clients.shift()?.close();
    await open();
  });

  it("past the share of a user, whichever of the keys", async () => {
    await open(ofUser[0]);
    const second = await open(ofUser[1]);
    const refused = { status: 429, body: { error: { message: "This user has too many WebSockets open" } } };
    for (const each of ofUser)
      await expect(SocketClient.open(gateway.url, each)).rejects.toMatchObject(refused);
    await open(other);
    await second.close();
    await open(ofUser[0]);
  });

  it("past the share of a team, whichever of the keys", async () => {
    for (const each of [ofTeam[0], ofTeam[0], ofTeam[1], ofTeam[1]]) await open(each);
    const refused = { status: 429, body: { error: { message: "This team has too many WebSockets open" } } };
    await expect(SocketClient.open(gateway.url, ofTeam[2])).rejects.toMatchObject(refused);
    await open(other);
  });

  it("where there is none: the request is answered as if it had not asked", async () => {
    const body = JSON.stringify({ model: "claude", input: "hello" });
    expect(await upgrade("/v1/responses", "POST", "h2c", body)).toBe(200);
    expect(await upgrade("/v1/models", "GET", "websocket")).toBe(200);
    expect(await upgrade("/v1/models", "GET", "h2c")).toBe(200);
    expect(await upgrade("/v1/chat/completions", "GET", "websocket")).toBe(405);
    expect(await upgrade("/nowhere", "GET", "websocket")).toBe(404);
    expect(await upgrade("/v1/responses", "POST", "websocket", body)).toBe(200);
  });
});

describe("A frame", () => {
  it.each([
    "",
    " ",
    "hello",
    "null",
    "[]",
    "5",
    '"response.create"',
    "{",
    "{}",
    '{"type":5}',
    '{"type":"session.update"}',
    '{"type":"response.create","type":null}',
    '{"type":"response.create"',
    '{"type":"response.create","model":"claude","input":"x"]}',
    '{"type":"response.create","model":"claude","input":"x","background":true}',
    '{"type":"response.create","model":"claude","input":"x","stream_id":""}',
    `{"type":"response.create","model":"claude","input":"x","stream_id":"${"x".repeat(300)}"}`,
    '{"type":"response.create","model":"claude","input":"x","previous_response_id":5}',
    `{"type":"response.create","model":"claude","input":${"[".repeat(100_000)}`,
    `{"type":"response.create","model":"claude","input":${"[".repeat(500)}${"]".repeat(500)}}`,
    '{"type":"response.create","model":"claude","input":"x","__proto__":{"stream":false},"__proto__":5',
  ])("that is no request is an error, and the connection goes on: %#", async (frame) => {
    const client = await open();
    client.send(frame);
    const [error] = await client.until(() => true);
    expect(error).toMatchObject({ type: "error", status: 400, error: { type: "invalid_request_error" } });
    expect((await client.turn({ model: "claude", input: "hello" })).at(-1)?.type).toBe("response.completed");
    expect(simulator.received()).toHaveLength(1);
  });

  it("that tells of an answer taken in is no request; steering is refused with its input", async () => {
    const client = await open();
    client.send({ type: "response.processed", response_id: "resp_a" });
    client.send({ type: "response.steer", previous_response_id: "resp_a", input: "stop" });
    expect(await client.until(() => true)).toEqual([
      expect.objectContaining({
        type: "response.steer.failed",
        steer: { previous_response_id: "resp_a", input: "stop" },
        error: expect.objectContaining({ code: "steering_not_supported" }),
      }),
    ]);
  });

  it("of bytes ends the connection", async () => {
    const client = await open();
    client.ws.send(Buffer.from("{}"));
    expect((await client.until(() => true))[0]).toMatchObject({ type: "error", status: 400 });
    expect(await client.closed()).toBe(1003);
  });

  it("larger than a body may be ends the connection, also in pieces and packed", async () => {
    const whole = await open();
    whole.send("x".repeat(2 * MEGABYTE));
    expect(await whole.closed()).toBe(1009);
    const pieces = await open();
    for (let piece = 0; piece < 8; piece += 1) pieces.ws.send("x".repeat(MEGABYTE / 4), { fin: false });
    expect(await pieces.closed()).toBe(1009);
    const bomb = await open();
    expect(bomb.ws.extensions).toContain("permessage-deflate");
    bomb.ws.send("x".repeat(64 * MEGABYTE), { compress: true });
    expect(await bomb.closed()).toBe(1009);
  });

  it("that goes on from more than a request may have is an error", async () => {
    const client = await open();
    let previous: unknown;
    const input = "x".repeat(600 * 1024);
    for (let turn = 0; turn < 2; turn += 1) {
      const frames = await client.turn({
        model: "claude",
        input,
        store: false,
        ...(previous === undefined ? {} : { previous_response_id: previous }),
      });
      const last = frames.at(-1)!;
      if (turn === 1) expect(last).toMatchObject({ type: "error", status: 413 });
      previous = (last.response as { id?: string } | undefined)?.id;
    }
  });

  it("counts against the requests per minute of its key, over all of its connections", async () => {
    const [one, two] = [await open(slow), await open(slow)];
    const ends: unknown[] = [];
    for (const client of [one, two, one, two, one, two])
      ends.push((await client.turn({ model: "claude", input: "hello" })).at(-1)?.status ?? 200);
    // The minute may end in between, but only once.
    expect(ends[0]).toBe(200);
    expect(ends.filter((status) => status === 429).length).toBeGreaterThanOrEqual(2);
  });

  it("comes through a flood of pings and of frames in single bytes", async () => {
    const client = await open();
    let pongs = 0;
    client.ws.on("pong", () => {
      pongs += 1;
    });
    for (let sent = 0; sent < 20_000; sent += 1) client.ws.ping("x".repeat(125));
    const frame = JSON.stringify({ type: "response.create", model: "claude", input: "hello" });
    for (const letter of frame.slice(0, -1)) client.ws.send(letter, { fin: false });
    client.ws.send("}");
    const frames = await client.until(isEnd);
    expect(frames.at(-1)?.type).toBe("response.completed");
    expect(pongs).toBeGreaterThan(0);
  });

  it("beyond those that may wait is an error", async () => {
    simulator.setFault({ path: "/anthropic", fault: "hang" });
    const client = await open();
    for (let frame = 0; frame < 20; frame += 1)
      client.send({ type: "response.create", model: "claude", input: "hello", stream_id: `${frame % 2}` });
    for (let error = 0; error < 4; error += 1)
      expect((await client.until(() => true))[0]).toMatchObject({ type: "error", status: 429 });
    // The next test counts what arrives.
    await until(() => simulator.received().length === 2);
  });
});

describe("A connection", () => {
  it("that breaks off ends its calls, which are written down once", async () => {
    simulator.setFault({ path: "/anthropic", fault: "stall" });
    const client = await open();
    const input = "tell me something long ".repeat(50);
    client.send({ type: "response.create", model: "cut-off", input, store: false });
    client.send({ type: "response.create", model: "cut-off", input: "never", store: false });
    await client.until(({ type }) => type === "response.output_text.delta");
    await client.close();
    await until(() => simulator.received().at(-1)?.aborted === true);
    expect(simulator.received()).toHaveLength(1);
    const rows = async (): Promise<JsonObject[]> =>
      ((await (await gateway.call("/spend/logs?limit=100")).json()) as { data: JsonObject[] }).data;
    const isCutOff = (row: JsonObject): boolean => JSON.stringify(row).includes("cut-off");
    const before = (await until(rows, (found) => found.some(isCutOff))).map(({ request_id: id }) => id);
    await open().then((next) => next.turn({ model: "gpt-4o", input: "hello" }));
    const all = await until(rows, (found) => found.some(({ request_id: id }) => !before.includes(id)));
    expect(all.filter(isCutOff)).toHaveLength(1);
  });

  it("that nobody reads holds its provider up, and loses nothing", async () => {
    // Packed, all of it would fit into the buffers of the connection.
    const client = await SocketClient.open(gateway.url, other, undefined, { perMessageDeflate: false });
    clients.push(client);
    client.ws.pause();
    client.send({ type: "response.create", model: "flood", input: "hello", store: false });
    let seen = -1;
    let same = 0;
    await until(
      () => {
        same = sent > 0 && sent === seen ? same + 1 : 0;
        seen = sent;
        return same;
      },
      (times) => times >= 20,
    );
    expect(sent).toBeLessThan(FLOOD);
    client.ws.resume();
    const frames = await client.until(isEnd);
    expect(JSON.stringify(frames.at(-1))).toContain("response.completed");
    const bytes = frames.reduce((sum, { delta }) => sum + String(delta ?? "").length, 0);
    expect(bytes).toBe(FLOOD);
  });

  it("whose answer breaks off hears of it, and goes on", async () => {
    simulator.setFault({ path: "/openai", fault: "cut=600", times: 1 });
    const client = await open();
    const frames = await client.turn({ model: "gpt-4o", input: "hello", store: false });
    expect(frames.at(-1)?.type).toMatch(/^(?:error|response\.failed)$/);
    expect((await client.turn({ model: "gpt-4o", input: "hello" })).at(-1)?.type).toBe("response.completed");
  });

  it("ends with the gateway, after the running answer", async () => {
    const going = await startTestGateway({ config: responsesConfig(simulator.url) });
    simulator.setFault({ path: "/anthropic", fault: "slow=20" });
    const busy = await SocketClient.open(going.url, going.masterKey);
    const idle = await SocketClient.open(going.url, going.masterKey);
    busy.send({ type: "response.create", model: "claude", input: "hello", store: false });
    await busy.until(({ type }) => type === "response.created");
    const closed = going.close();
    expect(await idle.closed()).toBe(1001);
    expect((await busy.until(({ type }) => type === "response.completed")).length).toBeGreaterThan(0);
    expect(await busy.closed()).toBe(1001);
    await closed;
  });
});

describe("A server of WebSockets", () => {
  let server: GatewayServer | undefined;

  afterEach(() => server?.drain());

  async function serve(timing: { beat: number; lifetime: number }): Promise<string> {
    const config = fixedConfig(readConfig("test", `general_settings: {master_key: ${key}}`, {}).config);
    const route = {
      method: "POST",
      path: "/v1/responses",
      access: "key",
      family: "openai",
      callType: "aresponses",
      handler: async () => ({ status: 200, body: {} }),
      socket: responseSocket({ warmUp: async () => ({ status: 200, body: {} }), hasStore: false }),
    } as const;
    const dispatcher = new Dispatcher({
      routes: [route],
      authenticator: new Authenticator(config, undefined, undefined),
      config,
      observe: () => {},
    });
    server = new GatewayServer(dispatcher, new SocketServer(dispatcher, config, timing));
    const { port } = await server.listen(0, "127.0.0.1");
    return `http://127.0.0.1:${port}`;
  }

  it("keeps callers who answer, cuts those who do not", async () => {
    const url = await serve({ beat: 20, lifetime: 60_000 });
    const alive = await SocketClient.open(url, key);
    clients.push(alive);
    const dead = connect(Number(new URL(url).port), "127.0.0.1");
    const cut = new Promise((resolve) => dead.once("close", resolve));
    dead.on("error", () => {}).resume();
    const head = `GET /v1/responses HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${key}\r\nconnection: upgrade\r\n`;
    const keys = "sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\nsec-websocket-version: 13\r\n";
    dead.write(`${head}upgrade: websocket\r\n${keys}\r\n`);
    let pings = 0;
    alive.ws.on("ping", () => {
      pings += 1;
    });
    await cut;
    const before = pings;
    await until(() => pings > before + 2);
    expect(alive.ws.readyState).toBe(alive.ws.OPEN);
    alive.ws.ping("still there?");
    await new Promise((resolve) => alive.ws.once("pong", resolve));
  });

  it("tells a connection that is too old to open another one", async () => {
    const url = await serve({ beat: 60_000, lifetime: 50 });
    const client = await SocketClient.open(url, key);
    expect((await client.until(() => true))[0]).toMatchObject({
      type: "error",
      status: 400,
      error: { code: "websocket_connection_limit_reached" },
    });
    expect(await client.closed()).toBe(1001);
  });
});
