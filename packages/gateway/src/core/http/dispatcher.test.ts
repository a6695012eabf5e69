import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { GatewayError } from "../../contract/errors.ts";
import type { Handler, Route } from "../../contract/exchange.ts";
import { parseJsonBody } from "../../contract/json-body.ts";
import { fixedConfig } from "../../platform/config/gateway-config.ts";
import { readConfig } from "../../platform/config/read/read-config.ts";
import { Authenticator } from "../auth/authenticate.ts";
import { Dispatcher } from "./dispatcher.ts";
import type { AnsweredRequest } from "./log-request.ts";
import { GatewayServer } from "./server.ts";
import { SocketServer } from "./socket/socket-server.ts";

const key = "sk-test-dispatcher";

describe("Dispatcher", () => {
  let server: GatewayServer;
  let url: string;
  let port: number;
  let answered: AnsweredRequest[];
  let onAnswered: ((request: AnsweredRequest) => void) | undefined;
  let aborted: Promise<void>;

  beforeEach(async () => {
    const text = `{general_settings: {master_key: ${key}, max_request_size_mb: 1, body_timeout: 2}}`;
    const config = fixedConfig(readConfig("test", text, {}).config);
    answered = [];
    onAnswered = undefined;
    const dispatcher = new Dispatcher({
      routes: testRoutes(),
      authenticator: new Authenticator(config, undefined, undefined),
      config,
      observe: (request) => {
        answered.push(request);
        onAnswered?.(request);
      },
    });
    server = new GatewayServer(dispatcher, new SocketServer(dispatcher, config));
    ({ port } = await server.listen(0, "127.0.0.1"));
    url = `http://127.0.0.1:${port}`;
  });

  afterEach(() => server.drain());

  function testRoutes(): Route[] {
    const route = (method: Route["method"], path: string, handler: Handler): Route => ({
      method,
      path,
      handler,
      access: "key",
      family: path.startsWith("/v1/messages") ? "anthropic" : "openai",
      callType: "test",
    });
    let stopped: () => void;
    aborted = new Promise((resolve) => {
      stopped = resolve;
    });
    return [
      route("POST", "/echo", async (exchange) => ({ status: 200, body: await parseJsonBody(exchange) })),
      route("POST", "/v1/messages", async (exchange) => ({
        status: 200,
        body: await parseJsonBody(exchange),
      })),
      route("GET", "/batches/*", async ({ params, query }) => ({
        status: 200,
        body: { id: params["*"], limit: query.get("limit") },
      })),
      route("GET", "/secret", async () => {
        throw new Error("connection to postgres://user:hunter2@db failed");
      }),
      route("GET", "/limited", async () => {
        throw new GatewayError(429, "rate_limit_error", "slow down", { retryAfter: 1.2 });
      }),
      route("GET", "/inject", async ({ call }) => {
        call.apiBase = "http://host/\r\nset-cookie: evil=1?key=secret";
        return { status: 200, headers: { "x-name": "a\r\nb: ü" }, body: {} };
      }),
      route("GET", "/numbers", async ({ query }) => ({
        status: 200,
        headers: { "content-type": "text/event-stream" },
        stream: numbers(Number(query.get("n")), query.get("break") === "yes"),
      })),
      route("GET", "/endless", async ({ signal }) => {
        signal.addEventListener("abort", () => stopped());
        return { status: 200, headers: {}, stream: endless(signal) };
      }),
    ];
  }

  function post(path: string, body: string, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(url + path, {
      method: "POST",
      body,
      headers: { authorization: `Bearer ${key}`, ...headers },
    });
  }

  function get(path: string): Promise<Response> {
    return fetch(url + path, { headers: { "x-api-key": key } });
  }

  async function raw(text: string): Promise<string> {
    const socket = connect(port, "127.0.0.1");
    socket.write(text);
    return readAll(socket);
  }

  it("answers with the handler's body and says what it knows about the call", async () => {
    const response = await post("/echo", '{"a":1}', { "x-portico-call-id": "my-call-id-1" });
    expect(await response.json()).toEqual({ a: 1 });
    expect(response.headers.get("x-portico-call-id")).toBe("my-call-id-1");
    expect(response.headers.get("x-portico-version")).toMatch(/^\d/);
    expect(response.headers.get("x-portico-duration-ms")).toMatch(/^\d+$/);
  });

  it("makes a call id of its own when the caller's is not a plain token", async () => {
    const response = await post("/echo", "{}", { "x-litellm-call-id": "has spaces and <tags>" });
    expect(response.headers.get("x-portico-call-id")).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("takes the rest of a path with slashes as one parameter, decoded", async () => {
    expect(await (await get("/batches/a/b%20c?limit=3")).json()).toEqual({ id: "a/b c", limit: "3" });
  });

  it("answers 404 and 405 in the words of the path's family", async () => {
    const unknown = await get("/v1/messages/nothing");
    expect(unknown.status).toBe(404);
    expect(await unknown.json()).toMatchObject({
      type: "error",
      error: { type: "not_found_error", code: "404" },
    });
    const wrong = await get("/echo");
    expect(wrong.status).toBe(405);
    expect(wrong.headers.get("allow")).toBe("POST");
    expect(await wrong.json()).not.toHaveProperty("type");
  });

  it("refuses invalid JSON in the caller's dialect", async () => {
    const response = await post("/v1/messages", "{oops");
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      type: "error",
      error: { type: "invalid_request_error", param: "request_body", code: "400" },
      request_id: response.headers.get("x-portico-call-id"),
    });
  });

  it("shows nothing of an unforeseen error but logs it", async () => {
    const response = await get("/secret");
    expect(response.status).toBe(500);
    expect(await response.text()).not.toMatch(/hunter2|postgres/);
    expect(answered[0]?.error?.cause).toBeInstanceOf(Error);
  });

  it("sends retry-after in whole seconds", async () => {
    expect((await get("/limited")).headers.get("retry-after")).toBe("2");
  });

  it("lets no value break out of its header, nor show an address's query", async () => {
    const response = await get("/inject");
    expect(response.headers.get("set-cookie")).toBeNull();
    expect(response.headers.get("x-portico-model-api-base")).not.toContain("secret");
    expect(response.headers.get("x-name")).toBe("a%0D%0Ab:%20%C3%BC");
  });

  it("refuses a body past the limit before reading it", async () => {
    const answer = await raw(
      `POST /echo HTTP/1.1\r\nhost: x\r\nconnection: close\r\nauthorization: Bearer ${key}\r\ncontent-length: 30000000\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toContain("1 MiB");
  });

  it("refuses a body past the limit that hid its length", async () => {
    const response = await fetch(`${url}/echo`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}` },
      body: new ReadableStream({
        pull: (controller) => controller.enqueue(new Uint8Array(400_000)),
      }),
      duplex: "half",
    } as RequestInit);
    expect(response.status).toBe(413);
  });

  it("gives up on a body that stalls", async () => {
    const answer = await raw(
      `POST /echo HTTP/1.1\r\nhost: x\r\nconnection: close\r\nauthorization: Bearer ${key}\r\ncontent-length: 10\r\n\r\n{"a"`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  });

  it("answers 100-continue only to a body that it would take", async () => {
    const head = `POST /echo HTTP/1.1\r\nhost: x\r\nconnection: close\r\nauthorization: Bearer ${key}\r\nexpect: 100-continue\r\n`;
    expect(await raw(`${head}content-length: 2\r\n\r\n{}`)).toMatch(
      /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /,
    );
    expect(await raw(`${head}content-length: 30000000\r\n\r\n`)).toMatch(/^HTTP\/1\.1 413 /);
  });

  it("refuses headers past the limit and what is not HTTP, and lives on", async () => {
    expect(await raw(`GET /echo HTTP/1.1\r\nhost: x\r\nx-long: ${"a".repeat(100_000)}\r\n\r\n`)).toMatch(
      /^HTTP\/1\.1 431 /,
    );
    expect(await raw("nonsense\r\n\r\n")).toMatch(/^HTTP\/1\.1 400 /);
    expect((await post("/echo", "{}")).status).toBe(200);
  });

  it("refuses an encoded body", async () => {
    expect((await post("/echo", "{}", { "content-encoding": "gzip" })).status).toBe(415);
  });

  it("streams what the handler yields", async () => {
    expect(await (await get("/numbers?n=3")).text()).toBe("1\n2\n3\n");
  });

  it("cuts the connection when a stream breaks, so that the answer does not look complete", async () => {
    const response = await get("/numbers?n=3&break=yes");
    await expect(response.text()).rejects.toThrow();
  });

  it("aborts the call when the caller leaves", async () => {
    const leaving = new AbortController();
    const response = await fetch(`${url}/endless`, { headers: { "x-api-key": key }, signal: leaving.signal });
    await response.body?.getReader().read();
    leaving.abort();
    await aborted;
  });

  it("stops reading a stream that the caller does not take", async () => {
    sent = 0;
    const socket = connect(port, "127.0.0.1");
    socket.pause();
    socket.write(`GET /endless HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\n\r\n`);
    const settled = await sentUntilBlocked();
    socket.destroy();
    await aborted;
    expect(settled).toBeLessThan(64 * 2 ** 20);
  });

  it("refuses new calls while draining and finishes the running stream", async () => {
    const response = await get("/numbers?n=5");
    const reader = response.body!.getReader();
    await reader.read();
    const second = connect(port, "127.0.0.1");
    await once(second, "connect");
    const drained = server.drain();
    second.write(`GET /batches/x HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\n\r\n`);
    const refused = await readAll(second);
    expect(refused === "" || refused.startsWith("HTTP/1.1 503 ")).toBe(true);
    let rest = "";
    for (let next = await reader.read(); !next.done; next = await reader.read())
      rest += Buffer.from(next.value).toString();
    expect(rest.endsWith("5\n")).toBe(true);
    await drained;
  });

  it("tells the observer of a caller that left before the answer", async () => {
    const observed = new Promise<AnsweredRequest>((resolve) => {
      onAnswered = resolve;
    });
    const socket = connect(port, "127.0.0.1");
    socket.write(`POST /echo HTTP/1.1\r\nhost: x\r\nx-api-key: ${key}\r\ncontent-length: 10\r\n\r\n{"a"`);
    await once(socket, "connect");
    setImmediate(() => socket.destroy());
    expect((await observed).status).toBeGreaterThanOrEqual(400);
  });
});

/** Bytes that the endless stream has produced. */
let sent = 0;

async function* endless(signal: AbortSignal): AsyncGenerator<Uint8Array> {
  while (!signal.aborted) {
    sent += 2 ** 20;
    yield new Uint8Array(2 ** 20);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Bytes produced when the count stands still. */
async function sentUntilBlocked(): Promise<number> {
  let before = -1;
  while (sent === 0 || sent !== before) {
    before = sent;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return sent;
}

async function* numbers(count: number, breaks: boolean): AsyncGenerator<Uint8Array> {
  for (let number = 1; number <= count; number++) {
    yield Buffer.from(`${number}\n`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  if (breaks) throw new Error("upstream broke");
}

async function readAll(socket: Socket): Promise<string> {
  let text = "";
  socket.setEncoding("utf8");
  socket.on("data", (chunk) => {
    text += chunk;
  });
  socket.on("error", () => {});
  await once(socket, "close");
  return text;
}
