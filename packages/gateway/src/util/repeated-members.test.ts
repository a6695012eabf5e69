import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyText } from "../../test/support/any-text.ts";
import { countMembers, repeatsMembers } from "./repeated-members.ts";

const repeats = (text: string): boolean => repeatsMembers(text, countMembers(JSON.parse(text) as object));

describe("repeatsMembers", () => {
  it("finds none in what a writer of JSON wrote", () => {
    const values = fc.dictionary(anyText, fc.jsonValue());
    fc.assert(
      fc.property(values, fc.nat(3), (value, indent) => !repeats(JSON.stringify(value, undefined, indent))),
    );
  });

  it.each([
    '{"a":1,"a":2}',
    '{"a" : 1, "\\u0061":2}',
    '{"a":[{"b":{"c":1,"c":1}}]}',
    '{"a\\"":1,"a\\"":":"}',
    '{"\\\\":{"x":":"},"\\\\":"\\\\"}',
    '{"__proto__":1,"__proto__":2}',
    '{"a":[": x",": y"],"a":2}',
    '{"a":{"\\\\":1,"\\\\":2}}',
    `{"a":"${":".repeat(500)}\\":","a"  \n :2}`,
  ])("finds them in %s", (text) => expect(repeats(text)).toBe(true));

  it("finds them in prose", () => {
    expect(repeats(`{"a":"${"b: ".repeat(120_000)}","a":2}`)).toBe(true);
    expect(repeats(`{"a":"${"b: ".repeat(120_000)}","b":2}`)).toBe(false);
  });

  it("takes texts however deep and long", () => {
    expect(repeats(`{"a":${"[".repeat(50_000)}${"]".repeat(50_000)}}`)).toBe(false);
    expect(repeats(`{"a":"${"\\\\".repeat(500_000)}\\""}`)).toBe(false);
  });
});
