import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { usageOfNativeAnswer } from "./native-usage.ts";

/** What one way of reading makes of an answer: its usage, or that it is refused. */
function outcome(text: string, looksOver: boolean): unknown {
  try {
    return usageOfNativeAnswer(Buffer.from(text), "embeddings", looksOver);
  } catch (error) {
    return (error as Error).message;
  }
}

const usage = fc.record(
  { prompt_tokens: fc.nat(), total_tokens: fc.nat(), note: fc.string() },
  { requiredKeys: ["prompt_tokens"] },
);
const filling = fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), {
  minLength: 5,
  maxLength: 20,
});
/** Long answers with the usage anywhere, once, twice or not at all, and texts that look like one. */
const answers = fc
  .array(
    fc.oneof(
      usage.map((value) => `"usage":${JSON.stringify(value)}`),
      fc.constantFrom(
        '"usage":null',
        '"usage":[]',
        '"model":"a \\"usage\\":{}"',
        '"model":"é{[","x":{"usage":{}}',
      ),
      filling.map((numbers) => `"data":[{"embedding":${JSON.stringify(Array(300).fill(numbers))}}]`),
    ),
    { minLength: 1, maxLength: 5 },
  )
  .map((members) => `{"pad":"${"x".repeat(17_000)}",${members.join(",")}}`);

describe("the usage of long embeddings", () => {
  it("is the same looked for as parsed", () => {
    fc.assert(
      fc.property(answers, (text) => {
        expect(outcome(text, true)).toEqual(outcome(text, false));
      }),
      { numRuns: 300 },
    );
  });

  it("is that of no answer that was cut off", () => {
    fc.assert(
      fc.property(answers, fc.nat(), (text, at) => {
        const cut = text.slice(0, at % text.length);
        expect(outcome(cut, true)).toBe("The provider's answer is not a JSON object.");
        expect(outcome(cut, false)).toBe("The provider's answer is not a JSON object.");
      }),
      { numRuns: 300 },
    );
  });
});
