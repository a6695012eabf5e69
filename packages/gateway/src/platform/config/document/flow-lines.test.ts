import { describe, expect, it } from "vitest";
import { YamlText } from "./yaml-text.ts";

const read = (text: string) => new YamlText(text).value;

describe("Brackets that close further to the left than YAML has it", () => {
  it.each([
    ["a map", "a:\n  b: {\n    c: 1,\n  }\n  d: 2\n", { a: { b: { c: 1 }, d: 2 } }],
    ["a list", "a:\n  b: [\n    1,\n    2\n  ]\nd: 2\n", { a: { b: [1, 2] }, d: 2 }],
    ["at the margin", 'a:\n  b: {\n"c": 1,\n"d": [\n2]\n}\n', { a: { b: { c: 1, d: [2] } } }],
    ["in a list", "- a:\n    b: {\n      c: 1\n    }\n- 2\n", [{ a: { b: { c: 1 } } }, 2]],
    [
      "behind comments",
      "a:\n  b: {\n    c: 'x # y', # it's {\n    # \"\n    d: 2 # end\n  } # over\n  e: 3\n",
      { a: { b: { c: "x # y", d: 2 }, e: 3 } },
    ],
    ["twice", "a:\n  b: {\n    c: {\n  }\n  }\n  d: [\n  ]\n", { a: { b: { c: {} }, d: [] } }],
  ])("are read as Python's YAML reads them: %s", (_, text, value) => {
    expect(read(text)).toEqual(value);
  });

  it("keep each part in its place", () => {
    const text = "a:\n  b: {\n    c: 1 # one\n  }\n  d: wrong\n";
    expect(new YamlText(text).offsetOf(["a", "d"])).toBe(text.indexOf("d: wrong"));
  });

  it.each([
    ["a bracket that never closes", "a:\n  b: [1, 2\nc: 3\n"],
    ["one that closes much later", `a:\n  b: [1\n${"c: 3\n".repeat(300)}]\n`],
    ["a text that goes on", 'a:\n  b: "x\n y\nz"\n'],
    ["a plain text that goes on", "a:\n  b: [x\ny]\n"],
  ])("leave %s an error", (_, text) => {
    expect(() => read(text)).toThrow("never closed");
  });
});
