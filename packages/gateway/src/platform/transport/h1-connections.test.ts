import { type AddressInfo, createServer, type Server, type Socket } from "node:net";
import { createServer as createSecureServer, getCACertificates, setDefaultCACertificates } from "node:tls";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { certificateFor } from "../../../test/support/certificate.ts";
import { Upstream } from "./upstream.ts";

/** Milliseconds of a clock that stands still unless a test moves it: how long a connection is free is no matter of the machine. */
let clock = 0;
beforeEach(() => {
  clock = performance.now();
  vi.spyOn(performance, "now").mockImplementation(() => clock);
});

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
  vi.restoreAllMocks();
});

/** A server that answers each piece it receives as `answer` says, and the connections it has had. */
async function serve(answer: (socket: Socket, request: string) => void) {
  const sockets: Socket[] = [];
  const server: Server = createServer((socket) => {
    sockets.push(socket);
    socket.on("error", () => undefined);
    socket.on("data", (piece) => answer(socket, piece.toString("latin1")));
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, sockets };
}

function open(): Upstream {
  const upstream = new Upstream();
  closers.push(() => upstream.destroy());
  return upstream;
}

const ok = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";

async function send(upstream: Upstream, url: string, body = "{}"): Promise<string> {
  const { body: answer } = await upstream.request({
    url,
    method: "POST",
    headers: {},
    body: Buffer.from(body),
  });
  return (await answer.bytes(1e7)).toString();
}

/** As `send`, until the connection is free again, which takes two turns of the event loop. */
async function post(upstream: Upstream, url: string, body?: string): Promise<string> {
  const answer = await send(upstream, url, body);
  for (let turn = 0; turn < 2; turn += 1) await new Promise(setImmediate);
  return answer;
}

describe("connections", () => {
  it("sends one request after the other on one connection", async () => {
    const requests: string[] = [];
    const { url, sockets } = await serve((socket, request) => {
      requests.push(request);
      socket.write(ok);
    });
    const upstream = open();
    for (let index = 0; index < 3; index += 1) expect(await post(upstream, url, `"${index}é"`)).toBe("ok");
    expect(sockets.length).toBe(1);
    const host = new URL(url).host;
    expect(requests[2]).toBe(
      `POST /v1 HTTP/1.1\r\nhost: ${host}\r\nconnection: keep-alive\r\ncontent-length: 5\r\n\r\n"2Ã©"`,
    );
  });

  it("opens as many connections as calls run at once, and goes on using them", async () => {
    const { url, sockets } = await serve((socket) => setTimeout(() => socket.write(ok), 20));
    const upstream = open();
    for (let round = 0; round < 3; round += 1)
      await Promise.all(Array.from({ length: 4 }, () => post(upstream, url)));
    expect(sockets.length).toBe(4);
  });

  it("speaks TLS with a server whose certificate it trusts, and with no other", async () => {
    const { key, cert } = certificateFor("localhost");
    const names: unknown[] = [];
    const resumed: boolean[] = [];
    const server = createSecureServer({ key, cert }, (socket) => {
      names.push(socket.servername);
      resumed.push(socket.isSessionReused());
      socket.on("error", () => undefined);
      socket.on("data", () => socket.write(`HTTP/1.1 200 OK\r\nconnection: close\r\n${ok.slice(17)}`));
    });
    await new Promise<void>((ready) => server.listen(0, "localhost", ready));
    closers.push(() => server.close());
    const url = `https://localhost:${(server.address() as AddressInfo).port}/`;
    const upstream = open();
    await expect(post(upstream, url)).rejects.toMatchObject({ status: 502 });
    const trusted = getCACertificates("default");
    closers.push(() => setDefaultCACertificates(trusted));
    setDefaultCACertificates([cert]);
    for (let index = 0; index < 2; index += 1) expect(await post(upstream, url)).toBe("ok");
    expect(names).toEqual(["localhost", "localhost"]);
    expect(resumed).toEqual([false, true]);
  });

  it("sends a large body as it is", async () => {
    let received = 0;
    const { url } = await serve((socket, piece) => {
      received += piece.length;
      if (piece.endsWith("!")) socket.write(ok);
    });
    expect(await post(open(), url, `${"x".repeat(3_000_000)}!`)).toBe("ok");
    expect(received).toBeGreaterThan(3_000_000);
  });

  it.each([
    [
      "says that it closes",
      (socket: Socket) => socket.write(`HTTP/1.1 200 OK\r\nconnection: close\r\n${ok.slice(17)}`),
    ],
    [
      "keeps it for too short a time",
      (socket: Socket) => socket.write(`HTTP/1.1 200 OK\r\nkeep-alive: timeout=2\r\n${ok.slice(17)}`),
    ],
    ["speaks HTTP/1.0", (socket: Socket) => socket.write(ok.replace("1.1", "1.0"))],
    ["ends it behind the answer", (socket: Socket) => socket.end("HTTP/1.1 200 OK\r\n\r\nok")],
    ["writes more than the answer", (socket: Socket) => socket.write(`${ok}${ok}`)],
    ["answers before it has everything", (socket: Socket) => socket.write(ok)],
  ])("uses no connection again whose server %s", async (what, answer) => {
    const { url, sockets } = await serve((socket) => {
      if (what.startsWith("answers before")) socket.pause();
      answer(socket);
    });
    const upstream = open();
    const body = what.startsWith("answers before") ? "x".repeat(30_000_000) : "{}";
    expect(await post(upstream, url, body)).toBe("ok");
    expect(await post(upstream, url)).toBe("ok");
    expect(sockets.length).toBe(2);
  });

  it("never takes what comes unasked for an answer", async () => {
    const { url, sockets } = await serve((socket, request) => {
      socket.write(ok.replace("ok", request.endsWith("first") ? "1." : "2."));
    });
    const upstream = open();
    expect(await post(upstream, url, "first")).toBe("1.");
    const closed = new Promise((resolve) => sockets[0]!.on("close", resolve));
    sockets[0]!.write(ok);
    await closed;
    expect(await post(upstream, url, "second")).toBe("2.");
  });

  it("waits for a server that closes the connection behind the answer without saying so", async () => {
    const { url } = await serve((socket) => socket.end(ok));
    const upstream = open();
    for (let index = 0; index < 20; index += 1) expect(await send(upstream, url)).toBe("ok");
  });

  it("keeps the process alive while calls run, not while connections are idle", async () => {
    const { url, sockets } = await serve((socket) => setTimeout(() => socket.write(ok), 20));
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
    const upstream = open();
    const before = timers();
    const answer = post(upstream, url);
    expect(timers()).toBe(before + 1);
    expect(await answer).toBe("ok");
    await expect.poll(timers).toBeLessThanOrEqual(before);
    expect(sockets[0]!.destroyed).toBe(false);
  });

  it("leaves connections alone that the server has closed", async () => {
    const { url, sockets } = await serve((socket) => socket.write(ok));
    const upstream = open();
    expect(await post(upstream, url)).toBe("ok");
    const closed = new Promise((resolve) => sockets[0]!.on("close", resolve));
    sockets[0]!.end();
    await closed;
    expect(await post(upstream, url)).toBe("ok");
    expect(sockets.length).toBe(2);
  });

  it("reports a malformed answer, and one that breaks off", async () => {
    for (const text of ["HTTP/1.1 200 OK\nx: y\r\n\r\n", "HTTP/1.1 200 OK\r\n", ""]) {
      const { url } = await serve((socket) => socket.end(text));
      await expect(post(open(), url)).rejects.toMatchObject({ status: 502, retryable: true });
    }
    const { url } = await serve((socket) =>
      socket.end("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok"),
    );
    await expect(post(open(), url)).rejects.toMatchObject({ status: 502 });
  });

  it("cuts the connection of an aborted call, also while it is being made", async () => {
    const { url, sockets } = await serve(() => undefined);
    const upstream = open();
    for (const wait of [0, 50]) {
      const leaving = new AbortController();
      const call = upstream.request({ url, method: "GET", headers: {}, signal: leaving.signal });
      setTimeout(() => leaving.abort(), wait);
      await expect(call).rejects.toMatchObject({ status: 499 });
    }
    await expect.poll(() => sockets.every(({ closed }) => closed)).toBe(true);
  });

  it("goes on reading for the next call after one that was slow", async () => {
    const size = 2_000_000;
    const { url, sockets } = await serve((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${size}\r\n\r\n${"x".repeat(size)}`);
    });
    const upstream = open();
    const slow = await upstream.request({ url, method: "GET", headers: {} });
    let read = 0;
    for await (const chunk of slow.body) {
      read += chunk.length;
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    expect(read).toBe(size);
    expect((await post(upstream, url)).length).toBe(size);
    expect(sockets.length).toBe(1);
  });

  describe("a kept connection that its server closes on the next request", () => {
    /**
     * Answers the first request of a connection, and none after it.
     * @param end how it closes the connection when the second one comes
     */
    async function closing(end: (socket: Socket) => void, text = "") {
      const requests: string[] = [];
      const seen = new Set<Socket>();
      const served = await serve((socket, request) => {
        requests.push(request.slice(0, request.indexOf(" ")));
        if (seen.has(socket)) {
          socket.write(text);
          end(socket);
        } else socket.write(ok);
        seen.add(socket);
      });
      return { ...served, requests };
    }

    const ends: [string, (socket: Socket) => void][] = [
      ["in good order", (socket) => socket.end()],
      ["by a reset", (socket) => socket.resetAndDestroy()],
    ];

    const ask = async (upstream: Upstream, url: string, method: string, isRepeatable?: boolean) => {
      const body = method === "GET" ? undefined : Buffer.from("{}");
      const answer = await upstream.request({ url, method, headers: {}, body, isRepeatable });
      const text = (await answer.body.bytes(100)).toString();
      for (let turn = 0; turn < 2; turn += 1) await new Promise(setImmediate);
      return text;
    };

    for (const [how, end] of ends) {
      it.each(["GET", "PUT", "DELETE"])(`has %s sent once more on a new one: ${how}`, async (method) => {
        const { url, sockets, requests } = await closing(end);
        const upstream = open();
        for (let index = 0; index < 3; index += 1) expect(await ask(upstream, url, method)).toBe("ok");
        expect(requests).toEqual([method, method, method, method, method]);
        expect(sockets).toHaveLength(3);
      });

      it(`has a POST sent once more that changes nothing: ${how}`, async () => {
        const { url, requests } = await closing(end);
        const upstream = open();
        for (let index = 0; index < 2; index += 1) expect(await ask(upstream, url, "POST", true)).toBe("ok");
        expect(requests).toHaveLength(3);
      });

      it.each(["POST", "PATCH"])(`fails %s, which it may have read: ${how}`, async (method) => {
        const { url, requests } = await closing(end);
        const upstream = open();
        expect(await ask(upstream, url, method)).toBe("ok");
        await expect(ask(upstream, url, method)).rejects.toMatchObject({ status: 502 });
        expect(requests).toHaveLength(2);
      });
    }

    it("is one that no POST meets: a connection that was free for long serves none", async () => {
      const { url, sockets, requests } = await closing((socket) => socket.end());
      const upstream = open();
      for (let index = 0; index < 3; index += 1) {
        expect(await ask(upstream, url, "POST")).toBe("ok");
        clock += 1001;
      }
      expect(requests).toHaveLength(3);
      await expect.poll(() => sockets.filter(({ closed }) => !closed)).toHaveLength(1);
    });

    it("fails a request whose answer has begun, and one that fails on a new connection, too", async () => {
      const { url, requests } = await closing((socket) => socket.end(), "HTTP/1.1 2");
      const upstream = open();
      expect(await ask(upstream, url, "GET")).toBe("ok");
      await expect(ask(upstream, url, "GET")).rejects.toMatchObject({ status: 502 });
      expect(requests).toHaveLength(2);
      const never = await serve((socket) => socket.end());
      await expect(ask(upstream, never.url, "GET")).rejects.toMatchObject({ status: 502 });
      expect(never.sockets).toHaveLength(1);
    });

    it("has nothing sent once more whose caller left, or when the gateway ends", async () => {
      let hears: (() => void) | undefined;
      const seen = new Set<Socket>();
      const requests: string[] = [];
      const { url } = await serve((socket, request) => {
        requests.push(request);
        if (seen.has(socket)) hears?.();
        else socket.write(ok);
        seen.add(socket);
      });
      for (const cut of [
        (_upstream: Upstream, leaving: AbortController) => leaving.abort(),
        (upstream: Upstream) => void upstream.destroy(),
      ]) {
        requests.length = 0;
        const upstream = open();
        expect(await ask(upstream, url, "GET")).toBe("ok");
        const heard = new Promise<void>((resolve) => {
          hears = resolve;
        });
        const leaving = new AbortController();
        const call = upstream.request({ url, method: "GET", headers: {}, signal: leaving.signal });
        const failed = expect(call).rejects.toThrow();
        await heard;
        cut(upstream, leaving);
        await failed;
        await new Promise((resolve) => setTimeout(resolve, 20));
        expect(requests).toHaveLength(2);
      }
    });
  });
});
