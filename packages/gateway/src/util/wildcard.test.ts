import { describe, expect, it } from "vitest";
import { matchesWildcard } from "./wildcard.ts";

describe("matchesWildcard", () => {
  it("lets a star stand for any text", () => {
    expect(matchesWildcard("*", "anything")).toBe(true);
    expect(matchesWildcard("anthropic/*", "anthropic/claude")).toBe(true);
    expect(matchesWildcard("*-mini", "gpt-4o-mini")).toBe(true);
    expect(matchesWildcard("a*b*c", "a-b-b-c")).toBe(true);
  });

  it("wants everything else letter by letter", () => {
    expect(matchesWildcard("gpt-4o", "gpt-4o-mini")).toBe(false);
    expect(matchesWildcard("anthropic/*", "openai/claude")).toBe(false);
    expect(matchesWildcard("aba*aba", "aba")).toBe(false);
    expect(matchesWildcard("a.c*", "abc")).toBe(false);
    expect(matchesWildcard("a*b*c", "acb")).toBe(false);
  });
});
