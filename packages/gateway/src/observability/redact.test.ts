import { expect, it } from "vitest";
import { redact } from "./redact.ts";

it("masks keys, tokens and passwords and leaves the rest", () => {
  expect(redact("Incorrect API key provided: sk-proj-abcdef123456. Try again")).toBe(
    "Incorrect API key provided: ***. Try again",
  );
  expect(redact("Authorization: Bearer abcdefgh.ijkl")).not.toContain("abcdefgh");
  expect(redact("GET https://host/path?key=AIzaSyA1234567890&alt=sse")).toBe(
    "GET https://host/path?key=***&alt=sse",
  );
  expect(redact('{"api_key": "secret-value", "model": "m"}')).toBe('{"api_key": "***", "model": "m"}');
  expect(redact("postgres://user:pass@host/db")).toBe("postgres://***@host/db");
  expect(redact("max_tokens is too large: 5000")).toBe("max_tokens is too large: 5000");
});

// What grows with the square of the length takes hours here instead of a moment.
it.each(["a-", "a.", "a://", "key ", "key=", '"key" : "', "bearer ", "sk-", "\n ", "http://"])(
  "reads a long text of %j in one go",
  (part) => {
    expect(redact(part.repeat(4_000_000 / part.length)).length).toBeGreaterThan(0);
  },
);
