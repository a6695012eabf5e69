import { describe, expect, it } from "vitest";
import { formatContents } from "../src/files/format-contents.ts";
import { type FormatOptions, format } from "../src/index.ts";
import { defaultMode } from "../src/mode/mode.ts";
import { countWork } from "./count-work.ts";

const shapes: readonly (readonly [name: string, make: (count: number) => string])[] = [
  [
    "context managers without parentheses",
    (count) => `with a${", a".repeat(count)} as b${", b".repeat(count)}: pass\n`,
  ],
  [
    "context managers in parentheses that mean nothing",
    (count) => `with ${"(await (a)) as b, ".repeat(count)}c: pass\n`,
  ],
  ["a chain of calls and subscripts", (count) => `x = a${"[b](c)".repeat(count)}\n`],
  [
    "chains in both places of an assertion",
    // Shorter than the others: a part takes three times the work of one in a chain alone.
    (count) => `assert a${"[b](c)".repeat(count / 4)}, b${"[b](c)".repeat(count / 4)}\n`,
  ],
  ["a chain of assignments", (count) => `x = ${"a = ".repeat(count)}b\n`],
];

const styles: readonly FormatOptions[] = [{}, { lineLength: 1 }];

/** How much more work a text of twice the length is. */
function growth(make: (count: number) => string, options: FormatOptions): number {
  const work = (count: number): number => countWork(() => format(make(count), options));
  // What is made at its first use is not to count.
  work(200);
  const once = work(200);
  return work(400) / once;
}

it.each(shapes)("%s take work in proportion to their length", (_, make) => {
  for (const options of styles) expect(growth(make, options)).toBeLessThan(2.15);
});

it.each([", [b]", ", (b), [c]"])(
  "context managers like `%s` take work in proportion to their number",
  (managers) => {
    const withThem = (count: number): string => managers.repeat(count);
    const make = (count: number): string => `with a${withThem(count)} as b${withThem(count)}: pass\n`;
    const work = (count: number): number => countWork(() => format(make(count), { lineLength: 20 }));
    work(50);
    const once = work(50);
    expect(work(100) / once).toBeLessThan(2.15);
  },
);

describe("more brackets within brackets than Python takes", () => {
  const nested = (count: number): string => `x = ${"[".repeat(count)}${"]".repeat(count)}\n`;
  const job = { pythonCellMagics: [], fast: false, lineRanges: [] };

  it.each([
    ["", []],
    [", in the lines of a range", [[2, 2] as const]],
  ])("are refused before each of them becomes a line%s", (_, lineRanges) => {
    const source = `y\n${nested(250)}`;
    const refused = countWork(() =>
      expect(() => formatContents(source, defaultMode, { ...job, lineRanges })).toThrow(
        "too many nested parentheses",
      ),
    );
    const formatted = countWork(() =>
      formatContents(source, defaultMode, { ...job, lineRanges, fast: true }),
    );
    expect(refused).toBeLessThan(formatted / 4);
  });

  it("stay as they are outside the lines of a range", () => {
    const source = `y\n${nested(250)}`;
    expect(formatContents(source, defaultMode, { ...job, lineRanges: [[1, 1]] })).toBe(source);
  });

  it("stay on a line that has room for them", () => {
    const source = nested(250);
    expect(formatContents(source, { ...defaultMode, lineLength: 600 }, job)).toBe(source);
  });
});
