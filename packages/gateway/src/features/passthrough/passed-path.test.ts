import { describe, expect, it } from "vitest";
import { readPassedPath } from "./passed-path.ts";

describe("readPassedPath", () => {
  it("decodes each step once and keeps the colons of verbs", () => {
    expect(readPassedPath("/openai/v1/fine%5Ftuning/ft%3Aa::b", "/openai/v1")).toEqual({
      route: "/openai/v1/fine_tuning/ft:a::b",
      below: "/fine_tuning/ft:a::b",
    });
    expect(readPassedPath("/%62ria", "/bria")).toEqual({ route: "/bria", below: "" });
  });

  it.each([
    "",
    "a/",
    "a//b",
    "a.",
    "models/:generateContent",
    "models/a:",
    "a./b",
    ".",
    "a/..",
    "..%2fb",
    "%2e%2e",
    "%252e%252e",
    "a%2fb",
    "a%5cb",
    "a;b",
    "a%3bb",
    "a%3fb",
    "a%23b",
    "a%00",
    "a%20b",
    "a%",
    "%c3%a9",
    "%ff",
    "\uff0e\uff0e",
  ])("refuses %j", (rest) => {
    expect(() => readPassedPath(`/openai/v1/${rest}`, "/openai/v1")).toThrow(/path/);
  });
});
