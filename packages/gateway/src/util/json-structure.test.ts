import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyText } from "../../test/support/any-text.ts";
import { hasObjectStructure } from "./json-structure.ts";

const objects = fc.dictionary(anyText, fc.jsonValue(), { minKeys: 1 });

describe("hasObjectStructure", () => {
  it("holds for every object that JSON can write", () => {
    fc.assert(
      fc.property(objects, fc.nat(2), (object, space) => {
        expect(hasObjectStructure(` ${JSON.stringify(object, null, space)}\n`)).toBe(true);
      }),
    );
  });

  it("does not hold for an object that was cut off, or that others follow", () => {
    fc.assert(
      fc.property(objects, fc.nat(), (object, at) => {
        const text = JSON.stringify(object);
        const cut = text.slice(0, at % text.length);
        expect(hasObjectStructure(cut)).toBe(false);
        expect(hasObjectStructure(`${text}${cut}`)).toBe(cut === "");
      }),
    );
  });

  it.each(['{"a":[1}', '{"a":{"b":1]}', '{"a":"x}', '{"a":"x\\"}', "[]", '"{}"', "{}}", "", "null"])(
    "does not hold for %s",
    (text) => expect(hasObjectStructure(text)).toBe(false),
  );
});
