import { createServer as createSecureServer } from "node:https";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { certificateFor } from "../../../test/support/certificate.ts";
import {
  startTestProxy,
  type TestProxy,
  type TestProxyOptions,
} from "../../../test/support/forward-proxy.ts";
import { until } from "../../../test/support/until.ts";
import { Proxies, proxyProblems } from "./proxies.ts";
import { Upstream, type UpstreamRequest } from "./upstream.ts";

const proxyOf = (environment: Record<string, string>, url: string) => {
  const proxy = new Proxies(environment).for(new URL(url));
  return proxy && `${proxy.hostname}:${proxy.port}`;
};

describe("proxies of the environment", () => {
  const both = { HTTPS_PROXY: "http://secure:1", HTTP_PROXY: "http://plain:2" };
  it.each([
    [both, "https://api.example.com/v1", "secure:1"],
    [both, "http://api.example.com/v1", "plain:2"],
    [{ HTTPS_PROXY: "http://secure:1" }, "http://api.example.com", undefined],
    [{ ...both, https_proxy: "http://small:3" }, "https://a.example", "small:3"],
    [{ ...both, https_proxy: "" }, "https://a.example", "secure:1"],
    [{ ALL_PROXY: "http://all:4" }, "https://a.example", "all:4"],
    [{ ...both, ALL_PROXY: "http://all:4" }, "http://a.example", "plain:2"],
    [{ HTTPS_PROXY: "proxy.corp" }, "https://a.example", "proxy.corp:80"],
    [{ HTTPS_PROXY: "https://proxy.corp" }, "https://a.example", "proxy.corp:443"],
    [{ HTTPS_PROXY: "http://[fd00::1]:3128" }, "https://a.example", "fd00::1:3128"],
    [{}, "https://a.example", undefined],
  ])("%j for %s", (environment, url, expected) => {
    expect(proxyOf(environment as unknown as Record<string, string>, url)).toBe(expected);
  });

  it.each([
    ["example.com", "https://example.com", true],
    ["example.com", "https://api.EXAMPLE.com", true],
    ["example.com", "https://api.example.com.", true],
    [".example.com", "https://api.example.com", true],
    [".example.com", "https://example.com", true],
    ["*.example.com", "https://api.example.com", true],
    ["example.com", "https://notexample.com", false],
    ["ample.com", "https://example.com", false],
    ["a.example, b.example", "https://b.example", true],
    ["a.example b.example", "https://b.example", true],
    ["*", "https://b.example", true],
    ["b.example:8443", "https://b.example:8443", true],
    ["b.example:8443", "https://b.example", false],
    ["b.example:443", "https://b.example", true],
    ["10.0.0.0/8", "https://10.20.30.40", true],
    ["10.0.0.0/8", "https://11.0.0.1", false],
    ["10.1.2.3", "http://10.1.2.3:8000", true],
    ["fd00::/8", "http://[fd12::1]:8000", true],
    ["[fd12::1]", "http://[fd12::1]:8000", true],
    ["", "https://example.com", false],
    [",, ,", "https://example.com", false],
  ])("NO_PROXY=%j for %s", (list, url, isExcepted) => {
    expect(proxyOf({ ...both, NO_PROXY: list }, url) === undefined).toBe(isExcepted);
    expect(proxyOf({ ...both, NO_PROXY: "unlike.example", no_proxy: list || " " }, url) === undefined).toBe(
      isExcepted,
    );
  });

  it.each([
    "http://localhost:11434",
    "http://0.0.0.0:11434",
    "http://[::]:11434",
    "http://a.localhost",
    "http://127.1.2.3",
    "http://[::1]:1",
    "http://169.254.169.254",
    "http://metadata.google.internal",
  ])("never take %s", (url) => expect(proxyOf(both, url)).toBeUndefined());

  it("are refused where the gateway cannot speak to them, without their password", () => {
    const wrong = {
      HTTPS_PROXY: "socks5://u:hunter2@proxy:1080",
      http_proxy: "http://",
      ALL_PROXY: "nonsense://",
    };
    const said = proxyProblems(wrong);
    expect(said).toHaveLength(2);
    expect(said.join()).toContain("HTTPS_PROXY must name a proxy by http:// or https://");
    expect(said.join()).toContain("http_proxy must be the address of a proxy");
    expect(said.join()).not.toContain("hunter2");
    expect(proxyProblems({ HTTPS_PROXY: " ", ALL_PROXY: "http://p:1" })).toEqual([]);
  });
});

const ends: (() => unknown)[] = [];
const certificate = certificateFor("api.test");
const proxyCertificate = certificateFor("localhost");
const trusted = getCACertificates("default");
let securePort = 0;
let plainPort = 0;
const bodies: string[] = [];
const seen: Record<string, unknown>[] = [];

beforeAll(async () => {
  setDefaultCACertificates([certificate.cert, proxyCertificate.cert]);
  const answer = (body: string, response: import("node:http").ServerResponse, url: string) => {
    bodies.push(body);
    if (url === "/large") response.end(Buffer.alloc(3_000_000, "x"));
    else response.end(`answer to ${body.length}`);
  };
  const { createServer: createPlainServer } = await import("node:http");
  const listener: import("node:http").RequestListener = (request, response) => {
    seen.push(request.headers);
    let body = "";
    request.on("data", (piece) => {
      body += piece;
    });
    request.on("end", () => answer(body, response, request.url!));
  };
  const secure = createSecureServer(certificate, listener).listen(0, "127.0.0.1");
  const plain = createPlainServer(listener).listen(0, "127.0.0.1");
  await Promise.all(
    [secure, plain].map(
      (server) => server.listening || new Promise((ready) => server.once("listening", ready)),
    ),
  );
  securePort = (secure.address() as AddressInfo).port;
  plainPort = (plain.address() as AddressInfo).port;
  ends.push(() => {
    for (const server of [secure, plain]) {
      server.close();
      server.closeAllConnections();
    }
  });
});
const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
  bodies.length = 0;
  seen.length = 0;
});
afterAll(() => {
  setDefaultCACertificates(trusted);
  for (const end of ends) end();
});

const AUTHORIZATION = `Basic ${Buffer.from("us er:p@ss").toString("base64")}`;

async function open(options: Partial<TestProxyOptions> & { scheme?: "http" | "https" } = {}, usesOwn = true) {
  const { scheme = "https" } = options;
  const port = scheme === "https" ? securePort : plainPort;
  const proxy: TestProxy = await startTestProxy({
    hosts: { "api.test": port, "93.184.216.34": port },
    ...options,
  });
  const url = options.authorization === undefined ? proxy.url : proxy.url.replace("//", "//us%20er:p%40ss@");
  const environment = { HTTPS_PROXY: url, HTTP_PROXY: url };
  const settings = { commandLine: {}, routerSettings: {}, gatewaySettings: {}, environment };
  const upstream = new Upstream({ current: settings as never }, usesOwn);
  closers.push(() => upstream.destroy(), proxy.close);
  const send = async (more: Partial<UpstreamRequest> = {}) => {
    const { status, body } = await upstream.request({
      url: `${scheme}://api.test/v1?q=1`,
      method: "POST",
      headers: { authorization: "Bearer upstream-key" },
      body: Buffer.from("{}"),
      ...more,
    });
    return { status, text: (await body.bytes(1e8)).toString() };
  };
  return { proxy, upstream, send };
}

describe.each([
  ["our own connections", true],
  ["undici", false],
])("a request through a proxy by %s", (_, usesOwn) => {
  it("goes through a tunnel to a server with TLS, on a connection that is kept", async () => {
    const { proxy, send } = await open({}, usesOwn);
    for (let index = 0; index < 3; index += 1) {
      expect(await send({ isRepeatable: true })).toEqual({ status: 200, text: "answer to 2" });
      // A connection is free two turns of the event loop after its answer.
      for (let turn = 0; turn < 3; turn += 1) await setImmediate();
    }
    expect(proxy.requests.map(({ method, target }) => `${method} ${target}`)).toEqual([
      "CONNECT api.test:443",
    ]);
    expect(JSON.stringify(proxy.requests)).not.toContain("upstream-key");
    expect((await send({ url: "https://api.test/large" })).text).toHaveLength(3_000_000);
  });

  it("is passed on to a server without TLS", async () => {
    const { proxy, send } = await open({ scheme: "http", authorization: AUTHORIZATION }, usesOwn);
    expect(await send()).toEqual({ status: 200, text: "answer to 2" });
    expect(await send({ body: Readable.from(["streamed ", "body"]) })).toEqual({
      status: 200,
      text: "answer to 13",
    });
    expect(proxy.requests.map(({ method, target }) => `${method} ${target}`)).toEqual(
      Array(2).fill("POST http://api.test/v1?q=1"),
    );
    expect(seen[0]).toMatchObject({ host: "api.test", authorization: "Bearer upstream-key" });
    expect(seen[0]).not.toHaveProperty("proxy-authorization");
  });

  it("says who the gateway is", async () => {
    const { proxy, send } = await open({ authorization: AUTHORIZATION }, usesOwn);
    expect((await send()).status).toBe(200);
    expect((await send({ body: Readable.from(["upload"]) })).text).toBe("answer to 6");
    expect(proxy.requests.every(({ headers }) => headers["proxy-authorization"] === AUTHORIZATION)).toBe(
      true,
    );
    expect(JSON.stringify(seen)).not.toContain(AUTHORIZATION);
  });

  it("goes through a proxy that speaks TLS itself", async () => {
    const { proxy, send } = await open({ tls: proxyCertificate }, usesOwn);
    expect((await send()).text).toBe("answer to 2");
    expect((await send({ url: "https://api.test/large" })).text).toHaveLength(3_000_000);
    expect(proxy.requests[0]).toMatchObject({ method: "CONNECT", target: "api.test:443" });
    const plain = await open({ tls: proxyCertificate, scheme: "http" }, usesOwn);
    expect((await plain.send()).text).toBe("answer to 2");
  });

  it("fails where the proxy refuses, says nonsense, closes or answers nothing, and the log can say why", async () => {
    const failing: [Partial<TestProxyOptions> & { raw?: string }, string][] = [
      [{ hosts: {} }, "the proxy answered CONNECT with status 502"],
      [{ onConnect: (socket) => socket.end("SSH-2.0-x\r\n\r\n") }, "is not HTTP/1.1"],
      [{ onConnect: (socket) => socket.end() }, "closed the connection"],
      [{ onConnect: (socket) => socket.destroy() }, ""],
      [{ onConnect: (socket) => socket.write("HTTP/1.1 200 OK\r\n\r\nmore") }, "sent more than its answer"],
      [{ onConnect: (socket) => socket.write(`HTTP/1.1 200 OK\r\nx: ${"x".repeat(20_000)}`) }, "has no end"],
    ];
    for (const [options, cause] of failing) {
      const { send } = await open(options, usesOwn);
      const error = await send().catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({
        status: 502,
        message: "The provider could not be reached; the gateway's log says why.",
      });
      expect(String((error as Error).cause)).toContain(cause);
    }
    const refused = await startTestProxy({ hosts: {}, authorization: "Basic other" });
    closers.push(refused.close);
    const { send } = await open({ hosts: {} }, usesOwn);
    await expect(send()).rejects.toMatchObject({ status: 502 });
  });

  it("gives up in its time, and leaves no connection behind", async () => {
    const opened = new Set<Socket>();
    const { send } = await open(
      {
        onConnect: (socket) => {
          opened.add(socket.resume());
          socket.on("end", () => opened.delete(socket));
        },
      },
      usesOwn,
    );
    await expect(send({ timeouts: { connect: 0.1 } })).rejects.toMatchObject({ status: 504 });
    const leaving = new AbortController();
    const left = send({ signal: leaving.signal });
    await until(() => opened.size > 0 || !usesOwn);
    leaving.abort();
    await expect(left).rejects.toMatchObject({ status: 499 });
    if (usesOwn) await until(() => opened.size === 0);
  });

  it("checks the server's certificate, not the proxy's", async () => {
    const { send } = await open({ hosts: { "other.test": securePort } }, usesOwn);
    const error = await send({ url: "https://other.test/" }).catch((thrown: Error) => thrown);
    expect(error).toMatchObject({ status: 502, cause: { code: "ERR_TLS_CERT_ALTNAME_INVALID" } });
  });
});

describe("an address that a caller names, behind a proxy", () => {
  const guarded = { guarded: true, method: "GET", body: undefined, headers: {} } as const;

  it("is looked up and refused here where it is not public", async () => {
    const { proxy, send } = await open();
    for (const url of [
      "https://10.0.0.1/",
      "https://localhost/",
      "http://192.168.1.1/",
      "http://localhost./",
    ])
      await expect(send({ ...guarded, url })).rejects.toMatchObject({ status: 400 });
    // No resolver knows it: what the proxy would find is not known either.
    await expect(send({ ...guarded, url: "https://api.test/" })).rejects.toMatchObject({ status: 502 });
    expect(proxy.requests).toEqual([]);
  });

  it("goes to the address that was looked up", async () => {
    const { proxy, send } = await open({ scheme: "http" });
    expect((await send({ ...guarded, url: "http://93.184.216.34/x?y" })).status).toBe(200);
    expect(proxy.requests[0]).toMatchObject({ method: "GET", target: "http://93.184.216.34/x?y" });
    const secure = await open();
    // The certificate is for another host, which only shows behind the tunnel.
    await expect(secure.send({ ...guarded, url: "https://93.184.216.34/" })).rejects.toMatchObject({
      status: 502,
    });
    expect(secure.proxy.requests[0]).toMatchObject({ method: "CONNECT", target: "93.184.216.34:443" });
  });
});

it("a connection that waits for its tunnel keeps no process alive and is cut at the end", async () => {
  const server = createServer(() => undefined).listen(0, "127.0.0.1");
  await new Promise((ready) => server.once("listening", ready));
  closers.push(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const settings = {
    commandLine: {},
    routerSettings: {},
    gatewaySettings: {},
    environment: { HTTPS_PROXY: url },
  };
  const upstream = new Upstream({ current: settings as never });
  const waiting = upstream.request({ url: "https://api.test/", method: "GET", headers: {} });
  const failed = expect(waiting).rejects.toMatchObject({ status: 502 });
  await new Promise((done) => setTimeout(done, 50));
  await upstream.destroy();
  await failed;
});
