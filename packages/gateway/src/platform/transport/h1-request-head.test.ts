import { describe, expect, it } from "vitest";
import { plainHead } from "./h1-heads.ts";

const target = "POST / HTTP/1.1\r\nhost: a\r\n";

describe("plainHead", () => {
  it("writes the headers and the body's length", () => {
    expect(plainHead(target, "POST", { accept: "*/*", "x-a": "é\t1" }, 3)).toBe(
      `${target}accept: */*\r\nx-a: é\t1\r\ncontent-length: 3\r\n\r\n`,
    );
    expect(plainHead(target, "POST", {}, 0)).toBe(`${target}content-length: 0\r\n\r\n`);
    expect(plainHead("GET /", "GET", {}, 0)).toBe("GET /\r\n");
  });

  it("leaves requests to others that are not plain", () => {
    for (const headers of [
      { "Transfer-Encoding": "chunked" },
      { connection: "upgrade" },
      { "Content-Length": "4" },
      { host: "b" },
      { "x-a": "1\r\nx-b: 2" },
      { "x-a": "1\n" },
      { "x-a": "€" },
      { "x a": "1" },
      { "x-a:": "1" },
      { "": "1" },
    ])
      expect(plainHead(target, "POST", headers as unknown as Record<string, string>, 1)).toBeUndefined();
    expect(plainHead(target, "HEAD", {}, 0)).toBeUndefined();
    expect(plainHead(target, "CONNECT", {}, 0)).toBeUndefined();
  });
});
