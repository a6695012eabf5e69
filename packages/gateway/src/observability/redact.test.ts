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
