import { describe, expect, it } from "vitest";
import { retryAfterSeconds } from "./headers.ts";

describe("retryAfterSeconds", () => {
  const now = Date.parse("2026-01-01T00:00:00Z");
  it.each([
    [{ "retry-after": "7" }, 7],
    [{ "retry-after": "1.5" }, 1.5],
    [{ "retry-after-ms": "250", "retry-after": "9" }, 0.25],
    [{ "retry-after": "Thu, 01 Jan 2026 00:00:30 GMT" }, 30],
    [{ "retry-after": "Wed, 31 Dec 2025 00:00:00 GMT" }, 0],
    [{ "retry-after": "999999999" }, 3600],
    [{ "retry-after": ["3", "4"] }, 3],
    [{ "retry-after": "soon" }, undefined],
    [{}, undefined],
  ])("reads %o as %s", (headers, seconds) => {
    expect(retryAfterSeconds(headers, now)).toBe(seconds);
  });
});
