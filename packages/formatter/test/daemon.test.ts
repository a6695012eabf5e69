import { once } from "node:events";
import { type AddressInfo, connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createFormatServer } from "../src/server/server.ts";

const server = createFormatServer({ corsAllowOrigins: ["https://allowed.example"], maxBodySize: 1000 });
let url = "";
beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(() => {
  server.close();
});

async function post(
  body: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; text: string }> {
  const response = await fetch(url, {
    method: "POST",
    body,
    headers: { "content-type": "text/plain", ...headers },
  });
  return { status: response.status, text: await response.text() };
}

describe("jetblackd", () => {
  it("answers 200 with the formatted source and names the style's version", async () => {
    const response = await fetch(url, { method: "POST", body: "x = 'a'\n" });
    expect(response.headers.get("x-black-version")).toBe("26.10.1");
    expect(await response.text()).toBe('x = "a"\n');
  });

  it("answers 204 when nothing changes", async () => {
    expect(await post('x = "a"\n')).toEqual({ status: 204, text: "" });
  });

  it("answers 400 with the place of a syntax error", async () => {
    const { status, text } = await post("def f(:\n  pass\n");
    expect(status).toBe(400);
    expect(text).toContain("cannot parse: 1:6");
  });

  it.each([
    [{ "x-line-length": "20" }, "call(aaaa, bbbb, cccc)\n", "call(\n    aaaa, bbbb, cccc\n)\n"],
    [{ "x-skip-string-normalization": "1" }, "x  = 'a'\n", "x = 'a'\n"],
    [{ "x-skip-magic-trailing-comma": "1" }, "call(a, b,)\n", "call(a, b)\n"],
    [{ "x-python-variant": "pyi" }, "def f(): ...\n\n\ndef g(): ...\n", "def f(): ...\ndef g(): ...\n"],
    [{ "x-skip-source-first-line": "1" }, "x = 'a'\ny = 'b'\n", "x = 'a'\ny = \"b\"\n"],
  ])("obeys %j", async (headers, source, expected) => {
    expect(await post(source, headers as Record<string, string>)).toEqual({ status: 200, text: expected });
  });

  it("keeps CRLF line ends", async () => {
    expect((await post("x = 'a'\r\ny = 'b'\r\n")).text).toBe('x = "a"\r\ny = "b"\r\n');
  });

  it("answers with a diff when asked", async () => {
    const { text } = await post("x = 'a'\n", { "x-diff": "1" });
    expect(text).toMatch(/^--- In\t.*\n\+\+\+ Out\t.*\n@@ -1 \+1 @@\n-x = 'a'\n\+x = "a"\n$/);
  });

  it.each([
    ["x-line-length", "wide", "Invalid line length header value"],
    ["x-python-variant", "2.7", "Invalid value for X-Python-Variant: Python 2 is not supported"],
    ["x-enable-unstable-feature", "magic", "Invalid value for X-Enable-Unstable-Feature: magic"],
  ])("refuses the header %s: %s", async (name, value, message) => {
    expect(await post("x=1\n", { [name]: value })).toEqual({ status: 400, text: message });
  });

  it("tells of several wrong headers the one that blackd reads first", async () => {
    const wrong = {
      "x-enable-unstable-feature": "magic",
      "x-python-variant": "2.7",
      "x-line-length": "wide",
    };
    expect((await post("x=1\n", wrong)).text).toBe("Invalid line length header value");
  });

  it("refuses other protocol versions, paths and methods, and bodies past the limit", async () => {
    expect((await post("x=1\n", { "x-protocol-version": "2" })).status).toBe(501);
    expect((await fetch(`${url}other`, { method: "POST", body: "" })).status).toBe(404);
    expect((await fetch(url)).status).toBe(405);
    expect((await post("#".repeat(1001))).status).toBe(413);
  });

  it("answers pages of allowed origins only", async () => {
    const allowed = await fetch(url, {
      method: "POST",
      body: "x=1\n",
      headers: { origin: "https://allowed.example" },
    });
    expect(allowed.headers.get("access-control-allow-origin")).toBe("https://allowed.example");
    expect((await post("x=1\n", { origin: "https://other.example" })).status).toBe(403);
  });

  it.each([
    ["another path", "POST", "other", "x=1\n", 404, null],
    ["another method", "PUT", "", "x=1\n", 405, null],
    ["too large a body", "POST", "", "#".repeat(1001), 413, null],
    ["no Python", "POST", "", "(", 400, "https://allowed.example"],
    ["an empty body", "POST", "", "", 204, "https://allowed.example"],
  ])("names the allowed origin for %s as blackd does", async (_, method, path, body, status, origin) => {
    const headers = { origin: "https://allowed.example", "content-type": "text/x; charset=nonsense" };
    if (body !== "") headers["content-type"] = "text/x";
    const answer = await fetch(url + path, { method, headers, body });
    expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([status, origin]);
  });
});

/** Sends bytes as they are and returns all that comes back. */
async function sendRaw(request: string): Promise<string> {
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.on("error", () => {});
  socket.end(Buffer.from(request, "latin1"));
  const chunks: Buffer[] = [];
  socket.on("data", (chunk: Buffer) => chunks.push(chunk));
  await once(socket, "close");
  return Buffer.concat(chunks).toString("latin1");
}

function rawPost(headers: readonly string[], body: string): string {
  const lines = ["POST / HTTP/1.1", ...headers, `Content-Length: ${body.length}`, "Connection: close"];
  return `${lines.join("\r\n")}\r\n\r\n${body}`;
}

describe("jetblackd answers every request and goes on", () => {
  const inherited = Object.getOwnPropertyNames(Object.prototype);
  it.each([...inherited, "rot13", "base64", "idna", "undefined", "", '"', "\u00e9", "utf-16", "../x"])(
    "with 500 and a reason when the charset is %j",
    async (charset) => {
      const answer = await sendRaw(rawPost(["Host: a", `Content-Type: text/x; charset=${charset}`], "x=1"));
      const isDefault = charset === "" || charset === '"';
      expect(answer.split("\r\n")[0]).toBe(
        isDefault ? "HTTP/1.1 200 OK" : "HTTP/1.1 500 Internal Server Error",
      );
      if (!isDefault) expect(answer).toContain("unknown encoding");
    },
  );

  it.each([
    "X-Protocol-Version",
    "X-Line-Length",
    "X-Python-Variant",
    "X-Enable-Unstable-Feature",
    "X-Fast-Or-Safe",
    "X-Diff",
    "Origin",
    "Content-Type",
  ])("whatever %s holds, in an encoding without these characters", async (name) => {
    for (const value of [
      "\xe9\xe9",
      "constructor",
      "__proto__",
      "9".repeat(400),
      "\t",
      ",",
      "-1",
      "3.",
      "py",
    ]) {
      const headers = ["Host: a", "Content-Type: text/plain; charset=ascii", `${name}: ${value}`];
      for (const body of ["x = 'a'\n", "f(\n", "\xe9", "def f(a, a): pass\nf(a=1, a=2) = 3\n"])
        expect(await sendRaw(rawPost(headers, body)), `${value} ${body}`).toMatch(/^HTTP\/1.1 [2-5]\d\d /);
    }
  });

  it("refuses two hosts and what is no host", async () => {
    for (const headers of [["Host: a", "Host: a"], ["Host: a b/c"], ["Host: a\u00e9"]])
      expect(await sendRaw(rawPost(headers, "x=1")), headers.join()).toMatch(/^HTTP\/1.1 400 /);
    expect(await sendRaw(rawPost(["Host: [::1]:45484"], "x=1"))).toMatch(/^HTTP\/1.1 200 /);
  });

  it("says what went wrong in UTF-8, whatever the encoding of the request", async () => {
    const { status, text } = await post("x=1\n", {
      "content-type": "text/plain; charset=ascii",
      "x-enable-unstable-feature": "\u00e9",
    });
    expect({ status, text }).toEqual({
      status: 400,
      text: "Invalid value for X-Enable-Unstable-Feature: \u00e9",
    });
  });
});
