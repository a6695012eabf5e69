import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseJson, writeJson } from "./python-json.ts";

const roundTrip = (text: string): string => writeJson(parseJson(text));

describe("JSON as Python writes it", () => {
  it("keeps the order of keys, long integers and the look of floats", () => {
    const text =
      '{\n "10": 1,\n "2": 12345678901234567890123,\n "f": 1.0,\n "e": 1e-07,\n "big": 1e+22,\n "n": -0.0\n}';
    expect(roundTrip(text)).toBe(text);
  });

  it("writes floats as Python's repr, and what is no float as Python's json", () => {
    const text = "[1e+16,1.2345678901234568e+17,1000000000000000.0,0.0001,1e-05,1E400,-1E400,NaN,100.0,0.1]";
    expect(roundTrip(text).replace(/\s/g, "")).toBe(text.replaceAll("1E400", "Infinity"));
  });

  it("indents by one space and keeps empty containers on one line", () => {
    expect(roundTrip('{"a":[],"b":{},"c":[1,{"d":null}]}')).toBe(
      '{\n "a": [],\n "b": {},\n "c": [\n  1,\n  {\n   "d": null\n  }\n ]\n}',
    );
  });

  it("takes the last of several members with one name, at the first one's place", () => {
    expect(roundTrip('{"a":1,"b":2,"a":3}')).toBe('{\n "a": 3,\n "b": 2\n}');
  });

  it("reads back any JSON value", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(roundTrip(JSON.stringify(value)))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it.each(["", "{", "[1,]", '{"a" 1}', "[1] 2", '"\\x"', '"\n"', "nul", "[".repeat(100_000)])(
    "refuses %j",
    (text) => {
      expect(() => parseJson(text)).toThrow(/line \d+ column \d+/);
    },
  );
});
