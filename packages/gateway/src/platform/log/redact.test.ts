import { expect, it } from "vitest";
import { hostsAlone, redact } from "./redact.ts";

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

it.each([
  ["api_key: hunter2", "api_key: ***"],
  ["password: hunter is wrong", "password: *** is wrong"],
  ["token: must-be-secret", "token: ***"],
  ["secret=required&x=1", "secret=***&x=1"],
  ['{"password": "two words, and more", "model": "m"}', '{"password": "***", "model": "m"}'],
  ['{"password": "a \\" quote", "model": "m"}', '{"password": "***", "model": "m"}'],
  ['{"api_key": "cut off in the mid', '{"api_key": "***'],
  ["{'secret': 'it is \"so\"'}", "{'secret': '***'}"],
  ['{"error": "{\\"api_key\\": \\"deep\\"}"}', '{"error": "{\\"api_key\\": \\"***\\"}"}'],
])("masks the value in %s, whatever it looks like", (text, expected) => {
  expect(redact(text)).toBe(expected);
});

it.each([
  "api_key: must be text",
  "api_key: Field required",
  "key: expected the name that callers use",
  "password: missing",
  "token: is not valid",
])("leaves the sentence %s", (text) => {
  expect(redact(text)).toBe(text);
});

// What grows with the square of the length takes many minutes here instead of a moment.
it.each([
  "a-",
  "a.",
  "a://",
  "key ",
  "key=",
  '"key" : "',
  "bearer ",
  "sk-",
  "\n ",
  "http://",
  'key:"',
  'key:\\"',
  "key: must ",
])("reads a long text of %j in one go", (part) => {
  expect(redact(part.repeat(1_000_000 / part.length)).length).toBeGreaterThan(0);
});

it.each([
  ["https://hooks.slack.com/services/T0/B0/secret", "https://hooks.slack.com/***"],
  ["names https://user:secret@example.com:8443/a?key=b, which", "names https://example.com:8443/***, which"],
  ["two: http://a/b http://c", "two: http://a/*** http://c/***"],
  ["`postgres://u:p@db/x` is none", "`postgres://db/***` is none"],
  ["no address: a//b, c:/d, ://", "no address: a//b, c:/d, ://"],
])("leaves of the addresses in %j their hosts", (text, expected) => {
  expect(hostsAlone(text)).toBe(expected);
});
