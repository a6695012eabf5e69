import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
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
          const data = (delta: string, sequence_number: number) => ({
            ...{ type: "delta", sequence_number, model, index, delta },
            logprobs: [],
          });
          for (const isSpeedPath of [true, false]) {
            const alike = new AlikeEvents("delta", data("", 0), isSpeedPath);
            for (const [text, number] of deltas) {
              const checked = vi.fn((_name: string | undefined, written: unknown) => {
                expect(written).toEqual(data(text, number));
              });
              expect(alike.next(text, number, checked)).toBe(namedEvent("delta", data(text, number)));
              expect(checked).toHaveBeenCalledOnce();
            }
          }
        },
      ),
    );
  });

  it("are serialised once", () => {
    let written = 0;
    const toJSON = (): string => {
      written += 1;
      return "x";
    };
    const alike = new AlikeEvents("delta", { sequence_number: 0, delta: "", rest: { toJSON } }, true);
    for (const [at, text] of ["a", 'b"\n', ""].entries())
      expect(alike.next(text, at, () => {})).toBe(
        namedEvent("delta", { sequence_number: at, delta: text, rest: "x" }),
      );
    expect(written).toBe(1);
  });
});
