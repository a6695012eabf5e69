import { describe, expect, it } from "vitest";
import { headersForProvider, headersForTarget, headersOfAnswer } from "./passed-headers.ts";

describe("Headers that pass", () => {
  it("are a provider's own words", () => {
    const headers = {
      accept: "*/*",
      "openai-beta": "a",
      "openai-organization": "b",
      cookie: "c",
      authorization: "d",
    };
    expect(headersForProvider(headers)).toEqual({ accept: "*/*", "openai-beta": "a" });
  });

  it.each([
    "authorization",
    "proxy-authorization",
    "x-api-key",
    "api-key",
    "x-auth-token",
    "x-goog-api-key",
    "ocp-apim-subscription-key",
    "x-litellm-api-key",
    "x-portico-api-key",
    "x-portico-tags",
    "cookie",
    "host",
    "content-length",
    "transfer-encoding",
    "te",
    "upgrade",
    "connection",
    "expect",
    "idempotency-key",
    "x-forwarded-for",
    "x-http-method-override",
    "x-method-override",
    "sec-websocket-key",
    "x-hop",
    "x-our-key",
  ])("to a target never have %s", (name) => {
    const headers = { connection: "x-hop", [name]: "x-hop", "x-mine": "1" };
    expect(headersForTarget(headers, true, "X-Our-Key")).toEqual({ "x-mine": "1" });
  });

  it("of an answer say nothing about the provider's own house", () => {
    const upstream = {
      "content-type": "text/plain",
      "set-cookie": ["a=b"],
      server: "c",
      location: "d",
      "x-request-id": "e",
      "x-ratelimit-limit-requests": "5",
    };
    expect(headersOfAnswer(upstream, "openai")).toEqual({
      "content-type": "text/plain",
      "x-request-id": "e",
      "x-ratelimit-limit-requests": "5",
    });
  });
});
