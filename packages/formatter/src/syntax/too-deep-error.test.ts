import { describe, expect, it } from "vitest";
import { checkEquivalence } from "../equivalence/check-equivalence.ts";
import { failureMessage } from "../files/failure-message.ts";
import { formatSource } from "../format/format-source.ts";
import { failureOf } from "../language-server/document-result.ts";
import { defaultMode } from "../mode/mode.ts";
import { ParseError } from "../parse/errors.ts";
import { parse } from "../parse/parse.ts";
import { TooDeepError, withinStack } from "./too-deep-error.ts";

/** More levels than the stack of any thread here holds. */
const LEVELS = 12_000;

/** What may hold itself without a bracket, of which the tokenizer counts the levels. */
const nestings: Readonly<Record<string, string>> = {
  "negated powers": `x = a${" ** -a.b".repeat(LEVELS)}\n`,
  powers: `x = a${" ** a".repeat(LEVELS)}\n`,
  signs: `x = ${"- + ~ ".repeat(LEVELS / 2)}a\n`,
  "`not`": `x = ${"not ".repeat(LEVELS)}a\n`,
  lambdas: `x = ${"lambda: ".repeat(LEVELS)}a\n`,
  "lambdas as defaults": `x = ${"lambda a=".repeat(LEVELS)}b${": c".repeat(LEVELS)}\n`,
  "lambdas in branches": `x = ${"a if b else lambda: ".repeat(LEVELS)}c\n`,
  "replacement fields": `x = ${'f"{'.repeat(LEVELS)}a${'}"'.repeat(LEVELS)}\n`,
  "format specs": `x = f"${"{a:".repeat(LEVELS)}${"}".repeat(LEVELS)}"\n`,
  blocks: `${Array.from({ length: 4_000 }, (_, depth) => `${" ".repeat(depth)}if a:\n`).join("")}${" ".repeat(4_000)}pass\n`,
};

function caught(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

describe("a source nested deeper than the stack", () => {
  it.each(Object.entries(nestings))("is refused in one line: %s", (_, source) => {
    const error = caught(() => formatSource(source, defaultMode));
    expect(error).toBeInstanceOf(TooDeepError);
    expect(failureMessage("a.py", error)).toBe("error: cannot format a.py: the source is nested too deeply");
    expect(failureOf("a.py", error)).toBe("a.py cannot be formatted: the source is nested too deeply");
    // The parser alone and the safety check may go deeper, or give a reason of their own.
    for (const other of [() => parse(source, []), () => checkEquivalence(source, source, [])])
      expect(String(caught(other))).not.toContain("call stack");
  });
});

describe("an error of another kind", () => {
  it("stays what it is", () => {
    const error = new RangeError("Invalid array length");
    expect(
      caught(() =>
        withinStack(() => {
          throw error;
        }),
      ),
    ).toBe(error);
    expect(caught(() => formatSource("x = (\n", defaultMode))).toBeInstanceOf(ParseError);
  });
});
