import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { fetchPublic } from "./fetch-public.ts";
import { Upstream } from "./upstream.ts";
import { chunksOf, upstreamFetch } from "./upstream-fetch.ts";

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function serve(listener: RequestListener): Promise<string> {
  const server: Server = createServer(listener);
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

let usesOwnConnections = true;

function open(allowPrivate = false): Upstream {
  const gatewaySettings = { allowPrivateNetworks: allowPrivate, requestTimeout: 600 };
  const current = { commandLine: {}, routerSettings: { timeout: undefined }, gatewaySettings };
  const upstream = new Upstream({ current }, usesOwnConnections);
  closers.push(() => upstream.destroy());
  return upstream;
}

describe.each([
  ["on its own connections", true],
  ["through undici", false],
])("Upstream %s", (_way, isOwn) => {
  beforeAll(() => {
    usesOwnConnections = isOwn;
  });

  it("sends a buffer and hands back status, end-to-end headers and the body", async () => {
    const url = await serve(async (request, response) => {
      response.writeHead(201, { "x-kept": "yes", "x-hop": "no", connection: "keep-alive, x-hop" });
      response.end(`${request.method} ${request.url} ${await text(request)}`);
    });
    const answer = await open().request({
      url: `${url}/a?b=c`,
      method: "POST",
      headers: {},
      body: Buffer.from("hello"),
    });
    expect(answer.status).toBe(201);
    expect(answer.headers["x-kept"]).toBe("yes");
    expect(answer.headers).not.toHaveProperty("connection");
    expect(answer.headers).not.toHaveProperty("x-hop");
    expect((await answer.body.bytes(1000)).toString()).toBe("POST /a?b=c hello");
  });

  it("streams a request body", async () => {
    const url = await serve(async (request, response) => response.end(await text(request)));
    const body = Readable.from([Buffer.from("one "), Buffer.from("two")]);
    const answer = await open().request({ url, method: "POST", headers: {}, body });
    expect((await answer.body.bytes(1000)).toString()).toBe("one two");
  });

  it("does not decompress", async () => {
    const url = await serve((_request, response) => {
      response.writeHead(200, { "content-encoding": "gzip" });
      response.end(Buffer.from([0x1f, 0x8b, 1, 2]));
    });
    const answer = await open().request({ url, method: "GET", headers: {} });
    expect([...(await answer.body.bytes(1000))]).toEqual([0x1f, 0x8b, 1, 2]);
  });

  it("holds back an upstream whose reader is slow", async () => {
    let written = 0;
    const url = await serve((_request, response) => {
      const block = Buffer.alloc(65_536);
      const write = (): void => {
        while (written < 64 * 1024 * 1024) {
          written += block.length;
          if (!response.write(block)) {
            response.once("drain", write);
            return;
          }
        }
        response.end();
      };
      write();
    });
    const answer = await open().request({ url, method: "GET", headers: {} });
    await answer.body.next();
    let before = -1;
    while (before !== written) {
      before = written;
      await new Promise((wait) => setTimeout(wait, 50));
    }
    expect(written).toBeLessThan(32 * 1024 * 1024);
    answer.body.cancel();
  });

  it("gives others their turn while an answer comes faster than it is read", async () => {
    const block = Buffer.alloc(4 * 1024 * 1024);
    const url = await serve((_request, response) => response.end(block));
    const answer = await open().request({ url, method: "GET", headers: {} });
    const turns = [0];
    let timer = setImmediate(function next() {
      turns.push(0);
      timer = setImmediate(next);
    });
    for await (const chunk of answer.body) turns[turns.length - 1]! += chunk.length;
    clearImmediate(timer);
    expect(turns.reduce((sum, bytes) => sum + bytes)).toBe(block.length);
    expect(Math.max(...turns)).toBeLessThan(3 * 65_536);
  });

  it("refuses a body past the limit", async () => {
    const url = await serve((_request, response) => response.end(Buffer.alloc(200_000)));
    const answer = await open().request({ url, method: "GET", headers: {} });
    await expect(answer.body.bytes(1000)).rejects.toMatchObject({ status: 502 });
  });

  it("reads the start of an endless error body", async () => {
    const url = await serve((_request, response) => {
      response.statusCode = 500;
      const timer = setInterval(() => response.write("x".repeat(10_000)), 1);
      response.on("close", () => clearInterval(timer));
    });
    const answer = await open().request({ url, method: "GET", headers: {} });
    expect(await answer.body.startOfText(1000)).toBe("x".repeat(1000));
  });

  it("rejects with 502 when nobody listens, without naming the address", async () => {
    const failure = await open()
      .request({ url: "http://127.0.0.1:1/secret", method: "GET", headers: {} })
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ status: 502, retryable: true });
    expect((failure as Error).message).toContain("log says why");
    expect((failure as Error).message).not.toContain("127.0.0.1");
  });

  it("rejects with 504 when no first byte comes", async () => {
    const url = await serve(() => undefined);
    await expect(
      open().request({ url, method: "GET", headers: {}, timeouts: { firstByte: 0.05 } }),
    ).rejects.toMatchObject({ status: 504, type: "timeout_error" });
  });

  it("breaks a body that does not end in time, and one that pauses too long", async () => {
    const url = await serve((_request, response) => void response.write("start"));
    for (const timeouts of [{ whole: 1 }, { betweenChunks: 1 }]) {
      const answer = await open().request({ url, method: "GET", headers: {}, timeouts });
      expect((await answer.body.next()).value?.toString()).toBe("start");
      await expect(answer.body.next()).rejects.toMatchObject({ status: 504 });
    }
  });

  it("reports a connection that breaks in the middle of the body", async () => {
    const url = await serve((_request, response) => {
      response.writeHead(200, { "content-length": "100" });
      response.write("half", () => response.destroy());
    });
    const answer = await open().request({ url, method: "GET", headers: {} });
    await expect(answer.body.bytes(1000)).rejects.toMatchObject({ status: 502 });
  });

  it("closes the upstream connection when the signal aborts, and when the reader leaves", async () => {
    const left: (() => void)[] = [];
    const url = await serve((_request, response) => {
      response.write("start");
      response.on("close", () => left.shift()?.());
    });
    const controller = new AbortController();
    const answer = await open().request({ url, method: "GET", headers: {}, signal: controller.signal });
    const aborted = new Promise<void>((done) => left.push(done));
    controller.abort();
    await aborted;
    await answer.body.next();
    await expect(answer.body.next()).rejects.toMatchObject({ status: 499, retryable: false });

    const second = await open().request({ url, method: "GET", headers: {} });
    const gone = new Promise<void>((done) => left.push(done));
    for await (const _chunk of second.body) break;
    await gone;
  });

  it("refuses guarded addresses that are private unless the configuration allows them", async () => {
    const url = await serve((_request, response) => response.end("inside"));
    const request = { url, method: "GET", headers: {}, guarded: true };
    await expect(open().request(request)).rejects.toMatchObject({ status: 400 });
    await expect(
      open().request({ ...request, url: url.replace("127.0.0.1", "localhost.") }),
    ).rejects.toMatchObject({ status: 400 });
    const allowed = await open(true).request(request);
    expect((await allowed.body.bytes(100)).toString()).toBe("inside");
  });
});

describe("fetchPublic", () => {
  it("follows redirects and guards each hop", async () => {
    const url = await serve((request, response) => {
      if (request.url === "/end") response.end("there");
      else response.writeHead(302, { location: request.url === "/loop" ? "/loop" : "/end" }).end();
    });
    const answer = await fetchPublic(open(true), `${url}/start`);
    expect((await answer.body.bytes(100)).toString()).toBe("there");
    await expect(fetchPublic(open(true), `${url}/loop`)).rejects.toMatchObject({ status: 400 });
    await expect(fetchPublic(open(), `${url}/start`)).rejects.toMatchObject({ status: 400 });
  });
});

describe("upstreamFetch", () => {
  it("speaks fetch: method, headers, body, streamed answer", async () => {
    const url = await serve(async (request, response) => {
      response.setHeader("x-echo", String(request.headers["x-test"]));
      response.end(`${request.method} ${await text(request)}`);
    });
    const fetch = upstreamFetch(open());
    const answer = await fetch(`${url}/x`, { method: "POST", headers: { "x-test": "1" }, body: "data" });
    expect(answer.ok).toBe(true);
    expect(answer.headers.get("x-echo")).toBe("1");
    expect(await answer.text()).toBe("POST data");
  });

  it("sends the headers that fetch would", async () => {
    const url = await serve((request, response) => void response.end(JSON.stringify(request.rawHeaders)));
    const fetch = upstreamFetch(open());
    const sent = async (headers: Record<string, string> | Headers | undefined): Promise<string[]> => {
      const answer = await fetch(url, { method: "POST", body: "{}", ...(headers && { headers }) });
      const raw = (await answer.json()) as string[];
      return raw.flatMap((name, index) =>
        index % 2 === 1 || /^(host|connection)$/.test(name)
          ? []
          : [`${name.toLowerCase()}: ${raw[index + 1]}`],
      );
    };
    for (const headers of [
      undefined,
      { "Content-Type": "application/json", Authorization: " Bearer k\n" },
      { "X-One": "1", "x-one": "2", "Accept-Encoding": "gzip", "Content-Length": "9" },
    ])
      expect((await sent(headers)).sort()).toEqual((await sent(new Headers(headers))).sort());
  });

  it("hands out the answer in every shape, once", async () => {
    const url = await serve((request, response) => {
      response.statusCode = request.url === "/none" ? 204 : 200;
      response.setHeader("x-two", ["1", "2"]);
      response.end(request.url === "/none" ? undefined : '\ufeff{"a":1}');
    });
    const get = () => upstreamFetch(open())(url);
    expect(await (await get()).json()).toEqual({ a: 1 });
    expect(await (await get()).text()).toBe('{"a":1}');
    expect((await (await get()).arrayBuffer()).byteLength).toBe(10);
    expect((await (await get()).bytes()).length).toBe(10);
    expect((await (await get()).blob()).size).toBe(10);
    expect((await get()).headers.get("x-two")).toBe("1, 2");
    const answer = await get();
    expect(answer).toBeInstanceOf(Response);
    expect(await answer.clone().text()).toBe(await answer.text());
    expect(answer.bodyUsed).toBe(true);
    await expect(answer.text()).rejects.toThrow(TypeError);
    const none = await upstreamFetch(open())(`${url}/none`);
    expect([none.status, none.body, await none.text()]).toEqual([204, null, ""]);
  });

  it.each(["body", "arrayBuffer", "text"] as const)(
    "breaks an endless answer off, read by its %s, and no stream of events",
    { timeout: 60_000 },
    async (shape) => {
      const url = await serve((request, response) => {
        const type = request.url === "/events" ? "text/event-stream; charset=utf-8" : "application/json";
        response.setHeader("content-type", type);
        const fill = (): void => {
          while (!response.destroyed && response.write(Buffer.alloc(2 ** 20, " ")));
        };
        response.on("drain", fill);
        fill();
      });
      const fetch = upstreamFetch(open());
      const read = async (path: string, limit: number): Promise<number> => {
        let size = 0;
        for await (const chunk of (await fetch(url + path)).body!) {
          size += chunk.length;
          if (size > limit) break;
        }
        return size;
      };
      const answer = await fetch(url);
      await expect(shape === "body" ? read("", Number.POSITIVE_INFINITY) : answer[shape]()).rejects.toThrow(
        "larger than the gateway accepts",
      );
      if (shape === "body") expect(await read("/events", 200 * 2 ** 20)).toBeGreaterThan(200 * 2 ** 20);
      await answer.body?.cancel().catch(() => undefined);
    },
  );

  it("hands out the chunks as they come, once, and cuts what is left", async () => {
    const left = Promise.withResolvers<void>();
    const url = await serve((request, response) => {
      response.statusCode = request.url === "/none" ? 204 : 200;
      if (request.url === "/none") return void response.end();
      response.setHeader("content-type", request.url === "/json" ? "application/json" : "text/event-stream");
      response.write("one");
      if (request.url !== "/endless") return void response.end("two");
      response.on("close", left.resolve);
    });
    const get = (path: string) => upstreamFetch(open())(url + path);
    const whole = await get("/whole");
    const chunks: Uint8Array[] = [];
    for await (const chunk of chunksOf(whole)!) chunks.push(chunk);
    expect(Buffer.concat(chunks).toString()).toBe("onetwo");
    expect(whole.bodyUsed).toBe(true);
    expect(() => chunksOf(whole)).toThrow(TypeError);
    await expect(whole.text()).rejects.toThrow(TypeError);
    for await (const chunk of chunksOf(await get("/endless"))!) {
      expect(Buffer.from(chunk).toString()).toBe("one");
      break;
    }
    await left.promise;
    expect(chunksOf(await get("/none"))).toBe(null);
    // Its length has a limit, which the web stream holds.
    const json = await get("/json");
    expect(chunksOf(json)).toBe(json.body);
    await json.body!.cancel();
    const other = new Response("three");
    expect(chunksOf(other)).toBe(other.body);
  });

  it("gives up the upstream call when its signal aborts", async () => {
    const url = await serve((_request, response) => void response.write("start"));
    const controller = new AbortController();
    const answer = await upstreamFetch(open())(url, { signal: controller.signal });
    controller.abort();
    await expect(answer.text()).rejects.toMatchObject({ status: 499 });
  });
});
