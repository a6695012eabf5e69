import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MalformedResponse, type ResponseHead } from "./h1-heads.ts";
import { ResponseParser } from "./h1-response-parser.ts";

/** What a parser said of an answer that came in these pieces. */
function parse(pieces: readonly string[]) {
  const heads: ResponseHead[] = [];
  let body = "";
  let ends = 0;
  let unused = 0;
  const parser = new ResponseParser({
    onHead: (head) => heads.push(head),
    onBody: (chunk) => {
      body += chunk.toString("latin1");
    },
    onEnd: () => {
      ends += 1;
    },
  });
  // As with a connection's buffer: what is behind the piece is left from before.
  const buffer = Buffer.alloc(70_000, "\r\n");
  for (const piece of pieces) {
    const length = buffer.write(piece, "latin1");
    unused += length - parser.feed(buffer, length);
  }
  return { parser, heads, body: () => body, ends: () => ends, unused };
}

function chunked(chunks: readonly string[], trailers = ""): string {
  const sizes = [
    (size: string) => size,
    (size: string) => `${size};note="x"`,
    (size: string) => `00${size.toUpperCase()}`,
    (size: string) => `${size} `,
  ];
  const parts = chunks.map((chunk, index) => {
    const size = sizes[index % sizes.length]!(chunk.length.toString(16));
    return `${size}\r\n${chunk}\r\n`;
  });
  return `HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n${parts.join("")}0\r\n${trailers}\r\n`;
}

/** Cuts a text at the given places. */
function cut(text: string, places: readonly number[]): string[] {
  const sorted = [...new Set(places.map((place) => place % text.length))].sort((a, b) => a - b);
  return [0, ...sorted].map((from, index) => text.slice(from, sorted[index])).filter((piece) => piece !== "");
}

describe("ResponseParser", () => {
  it("reads a body of a known length", () => {
    const answer = parse([
      "HTTP/1.1 201 Created\r\nX-A:  one \r\nx-b:\r\nX-A: two\r\nConnection: keep-alive, X-B\r\ncontent-length: 5\r\n\r\nhello",
    ]);
    expect(answer.heads).toEqual([
      {
        status: 201,
        headers: { "x-a": ["one", "two"], "content-length": "5" },
        framing: 5,
        keepAlive: undefined,
      },
    ]);
    expect([answer.body(), answer.ends(), answer.unused]).toEqual(["hello", 1, 0]);
  });

  it.each(Object.getOwnPropertyNames(Object.prototype))("reads a header of the name %s", (name) => {
    const answer = parse([`HTTP/1.1 200 OK\r\n${name}: one\r\ncontent-length: 0\r\n\r\n`]);
    const own = name.toLowerCase() === "__proto__" ? {} : { [name.toLowerCase()]: "one" };
    expect(answer.heads[0]!.headers).toEqual({ ...own, "content-length": "0" });
  });

  it("reads the same from pieces of any size", () => {
    const binary = fc.string({
      unit: fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)),
    });
    fc.assert(
      fc.property(
        fc.array(binary.filter((chunk) => chunk !== "")),
        fc.array(fc.nat(500)),
        fc.boolean(),
        (chunks, places, isChunked) => {
          const body = chunks.join("");
          const text = isChunked
            ? chunked(chunks, "x-trailer: 1\r\n")
            : `HTTP/1.1 103 Early Hints\r\nlink: <a>\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
          const answer = parse(cut(text, places));
          expect([answer.heads.length, answer.body(), answer.ends(), answer.unused]).toEqual([1, body, 1, 0]);
        },
      ),
    );
  });

  it("reads one answer after the other", () => {
    const one = "HTTP/1.1 204 No Content\r\n\r\n";
    expect(parse([one, chunked(["ab"]), one]).ends()).toBe(3);
  });

  it("says how much came behind the answer", () => {
    const answer = parse(["HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nokHTTP/1.1 200 OK\r\n"]);
    expect([answer.body(), answer.unused]).toEqual(["ok", 17]);
  });

  it("reads a body that ends with its connection", () => {
    const answer = parse(["HTTP/1.0 200 OK\r\n\r\n", "all ", "of it"]);
    expect([answer.body(), answer.ends(), answer.heads[0]?.keepAlive]).toEqual(["all of it", 0, 0]);
    answer.parser.finish();
    expect(answer.ends()).toBe(1);
  });

  it("finds an end of the connection in the middle of the answer malformed", () => {
    for (const pieces of [
      [],
      ["HTTP/1.1 200 OK\r\n"],
      ["HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhell"],
      ["HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n"],
    ])
      expect(() => parse(pieces).parser.finish()).toThrow(MalformedResponse);
  });

  it("takes keep-alive as it is announced", () => {
    const keepAliveOf = (lines: string) => parse([`HTTP/1.1 204 x\r\n${lines}\r\n`]).heads[0]!.keepAlive;
    expect(keepAliveOf("Connection: Close\r\n")).toBe(0);
    expect(keepAliveOf("connection: keep-alive\r\nKeep-Alive: max=9, timeout=5\r\n")).toBe(5000);
    expect(keepAliveOf("")).toBeUndefined();
  });

  it.each([
    ["no HTTP", "SSH-2.0-x\r\n\r\n"],
    ["HTTP/2", "HTTP/2 200 OK\r\n\r\n"],
    ["a wrong status", "HTTP/1.1 099 No\r\n\r\n"],
    ["an empty line first", "\r\nHTTP/1.1 200 OK\r\n\r\n"],
    ["another protocol", "HTTP/1.1 101 Switching\r\nupgrade: x\r\n\r\n"],
    ["a folded line", "HTTP/1.1 200 OK\r\nx: 1\r\n 2\r\n\r\n"],
    ["a blank before the colon", "HTTP/1.1 200 OK\r\ncontent-length : 2\r\n\r\n"],
    ["no name", "HTTP/1.1 200 OK\r\n: 2\r\n\r\n"],
    ["no colon", "HTTP/1.1 200 OK\r\nnothing\r\nx: y\r\n\r\n"],
    ["a lone LF", "HTTP/1.1 200 OK\r\nx: 1\ny: 2\r\n\r\n"],
    ["a lone CR", "HTTP/1.1 200 OK\r\nx: 1\ry: 2\r\n\r\n"],
    ["a NUL", "HTTP/1.1 200 OK\r\nx: \0\r\n\r\n"],
    ["two lengths", "HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 2\r\n\r\n"],
    ["a length and chunks", "HTTP/1.1 200 OK\r\ncontent-length: 2\r\ntransfer-encoding: chunked\r\n\r\n"],
    ["a negative length", "HTTP/1.1 200 OK\r\ncontent-length: -2\r\n\r\n"],
    ["a length of words", "HTTP/1.1 200 OK\r\ncontent-length: 0x2\r\n\r\n"],
    ["an unknown encoding", "HTTP/1.1 200 OK\r\ntransfer-encoding: gzip, chunked\r\n\r\n"],
    ["chunks twice", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\ntransfer-encoding: chunked\r\n\r\n"],
    ["a size that is none", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nx\r\n"],
    ["a size with a sign", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n+2\r\nab\r\n"],
    ["a size that ends in LF", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\nab\r\n"],
    ["a chunk beyond its size", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nabc\r\n"],
    ["an endless head", `HTTP/1.1 200 OK\r\nx: ${"y".repeat(65_530)}`],
    ["an endless size", `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2;${"y".repeat(2000)}`],
    ["endless trailers", `${chunked([]).slice(0, -2)}${"x: y\r\n".repeat(6000)}`],
  ])("refuses %s", (_what, text) => {
    expect(() => parse([text])).toThrow(MalformedResponse);
  });
});
