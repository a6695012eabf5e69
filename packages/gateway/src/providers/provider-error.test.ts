import { describe, expect, it } from "vitest";
import { providerError } from "./provider-error.ts";

function read(status: number, body: unknown, headers: Record<string, string> = {}) {
  return providerError(status, headers, typeof body === "string" ? body : JSON.stringify(body));
}

describe("providerError", () => {
  it.each([
    [
      "OpenAI",
      {
        error: {
          message: "No such model",
          type: "invalid_request_error",
          param: "model",
          code: "model_not_found",
        },
      },
    ],
    ["Anthropic", { type: "error", error: { type: "not_found_error", message: "No such model" } }],
    ["Google", [{ error: { code: 404, message: "No such model", status: "NOT_FOUND" } }]],
    ["a plain text member", { error: "No such model" }],
    ["FastAPI", { detail: "No such model" }],
    ["FastAPI's validation", { detail: [{ msg: "No such model", loc: ["body"] }] }],
  ])("keeps the message of %s", (_name, body) => {
    expect(read(404, body)).toMatchObject({ status: 404, type: "not_found_error", message: "No such model" });
  });

  it("keeps param, code and retry-after", () => {
    const error = read(429, { error: { message: "Slow", param: "p", code: "rate" } }, { "retry-after": "7" });
    expect(error).toMatchObject({ param: "p", providerCode: "rate", retryAfter: 7, retryable: true });
  });

  it.each([
    "This model's maximum context length is 8192 tokens",
    "prompt is too long: 210000 tokens > 200000 maximum",
    "The input token count (1048577) exceeds the maximum number of tokens allowed",
  ])("recognises a prompt that is too long: %s", (message) => {
    expect(read(400, { error: { message } }).providerCode).toBe("context_length_exceeded");
  });

  it("recognises refused content, also where Azure hides its code", () => {
    const inner = { message: "no", innererror: { code: "ResponsibleAIPolicyViolation" } };
    expect(read(400, { error: inner }).providerCode).toBe("content_policy_violation");
    expect(read(400, { error: { code: "content_filter", message: "no" } }).providerCode).toBe(
      "content_policy_violation",
    );
  });

  it("shows no key, inner address or stack", () => {
    const message =
      "Incorrect key sk-abcdef1234567890 at http://10.0.0.3:8000/v1?key=zzz, see https://platform.openai.com/docs\n    at run (/srv/app.js:1:1)";
    const shown = read(401, { error: { message } }).message;
    expect(shown).not.toMatch(/abcdef|10\.0\.0\.3|zzz|srv/);
    expect(shown).toContain("https://platform.openai.com/docs");
  });

  it("answers for bodies that say nothing, and for statuses that are no errors", () => {
    expect(read(500, "<html>oops</html>").message).toBe("The provider answered with status 500");
    expect(read(302, "").status).toBe(502);
    expect(read(529, {}).type).toBe("overloaded_error");
  });

  // What grows with the square of the length takes hours here instead of a moment.
  it.each([
    "a-",
    "\n",
    "\n ",
    "http://a.",
    "context ",
    "input token count ",
    "exceeds the maximum ",
    "content ",
  ])("reads a long message of %j in one go, and keeps its beginning", (part) => {
    const error = read(400, { error: { message: `x${part.repeat(4_000_000 / part.length)}` } });
    expect(error.message.length).toBeGreaterThan(0);
    expect(error.message.length).toBeLessThanOrEqual(2000);
  });
});
