import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AlikeEvents, namedEvent } from "./sse-event.ts";

/** What stands for texts and numbers while the rest is serialised, as somebody may write it who wants to disturb that. */
const MARKS = ["\u{e000}text\u{e000}", "5304989477173", 'a"\u{e000}text\u{e000}"b'];

const anyText = fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom(...MARKS));

describe("AlikeEvents", () => {
  it("are what each of them is alone, with the speed path and without", () => {
    fc.assert(
      fc.property(
        anyText,
        fc.oneof(fc.nat(), fc.constant(5_304_989_477_173)),
        fc.array(fc.tuple(anyText, fc.nat()), { maxLength: 5 }),
        (model, index, deltas) => {
          const write = (text: string, sequence_number: number): string =>
            namedEvent("delta", { sequence_number, model, index, delta: text, logprobs: [] });
          for (const isSpeedPath of [true, false]) {
            const alike = new AlikeEvents(write, isSpeedPath);
            for (const [text, number] of deltas) expect(alike.next(text, number)).toBe(write(text, number));
          }
        },
      ),
    );
  });

  it("are serialised once", () => {
    let written = 0;
    const alike = new AlikeEvents((text, number) => {
      written += 1;
      return namedEvent("delta", { number, text });
    }, true);
    for (const [at, text] of ["a", 'b"\n', ""].entries())
      expect(alike.next(text, at)).toBe(namedEvent("delta", { number: at, text }));
    expect(written).toBe(1);
  });
});
