import { afterEach, describe, expect, it } from "vitest";
import { formatted } from "../../test/formatted.ts";
import { DwindlingList } from "../lines/dwindling-list.ts";
import { Line } from "../lines/line.ts";
import type { Mode } from "../mode/mode.ts";
import { previewBits } from "../mode/preview.ts";
import { Tree } from "../syntax/tree.ts";

const { append, renderBare } = Line.prototype;
const { filter } = DwindlingList.prototype;
const { textLength } = Tree.prototype;

afterEach(() => {
  Object.assign(Line.prototype, { append, renderBare });
  Object.assign(DwindlingList.prototype, { filter });
  Object.assign(Tree.prototype, { textLength });
});

/** How many leaves are put on lines while the source is formatted. */
function workFor(source: string): number {
  let calls = 0;
  Line.prototype.append = function (this: Line, ...leaf: Parameters<typeof append>): void {
    calls++;
    append.apply(this, leaf);
  };
  formatted(source);
  return calls;
}

/** How many characters of lines are made texts of while the source is formatted. */
function textFor(source: string, changes: Partial<Mode>): number {
  let length = 0;
  Line.prototype.renderBare = function (this: Line): string {
    const text = renderBare.call(this);
    length += text.length;
    return text;
  };
  formatted(source, changes);
  return length;
}

/** How many optional parentheses are looked at for those outside brackets while the source is formatted. */
function parenthesesListedFor(source: string, changes: Partial<Mode>): number {
  let count = 0;
  DwindlingList.prototype.filter = function (this: DwindlingList, test: (entry: number) => boolean) {
    return filter.call(this, (entry) => {
      count++;
      return test(entry);
    });
  };
  formatted(source, changes);
  return count;
}

/** How many times a leaf's length is asked for while the source is formatted. */
function leavesMeasuredFor(source: string, changes: Partial<Mode>): number {
  let count = 0;
  Tree.prototype.textLength = function (this: Tree, leaf: number): number {
    count++;
    return textLength.call(this, leaf);
  };
  formatted(source, changes);
  return count;
}

/** How much more work twice the size is. */
function growth(sourceOf: (size: number) => string): number {
  return workFor(sourceOf(200)) / workFor(sourceOf(100));
}

describe("the work of splitting", () => {
  it("doubles with a list of twice the length", () => {
    expect(growth((size) => `x = [${"element, ".repeat(size)}]`)).toBeLessThan(2.1);
  });

  it("doubles with twice the operands", () => {
    expect(growth((size) => `x = ${"operand + ".repeat(size)}1`)).toBeLessThan(2.1);
  });

  it("doubles with twice the calls in a chain", () => {
    expect(growth((size) => `x = a${".method(argument)".repeat(size)}`)).toBeLessThan(2.1);
  });

  it.each([
    ["with string processing", { preview: previewBits(true, true, []) }],
    ["in preview", { preview: previewBits(true, false, []), lineLength: 200 }],
  ])("makes no text of each part of a chain behind a string, %s", (_, changes) => {
    const source = (size: number) => `x = {"k": a${"[a.b + 1, c]".repeat(size)}}`;
    expect(textFor(source(200), changes) / textFor(source(100), changes)).toBeLessThan(2.5);
  });

  it("lists the optional parentheses of a chain of assignments once", () => {
    const source = (size: number) => `match${", a=b".repeat(size)}`;
    const unstable = { preview: previewBits(true, true, []) };
    expect(parenthesesListedFor(source(200), unstable)).toBeGreaterThan(0);
    expect(
      parenthesesListedFor(source(400), unstable) / parenthesesListedFor(source(200), unstable),
    ).toBeLessThan(2.5);
  });

  it("passes over the names of a chain of assignments at once, also before a value that is split", () => {
    const source = (size: number) => {
      const names = " = a".repeat(size);
      return `x = not a${names} and b${names}`;
    };
    const narrow = { lineLength: 1 };
    expect(leavesMeasuredFor(source(200), narrow) / leavesMeasuredFor(source(100), narrow)).toBeLessThan(2.2);
  });

  it("grows with the square of subscripts and calls without a name between them", () => {
    expect(growth((size) => `x = a${"[index](argument)".repeat(size)}`)).toBeLessThan(4.2);
  });

  it("grows with the square of the nesting, as the indentation of the output does", () => {
    expect(growth((size) => `x = ${"[".repeat(size)}1${"]".repeat(size)}`)).toBeLessThan(4.2);
  });

  it("grows with the square of the nesting of calls that get second opinions", () => {
    expect(growth((size) => `x = ${"function(a + ".repeat(size)}1${")".repeat(size)}`)).toBeLessThan(4.2);
  });
});

describe("transforming a line", () => {
  it("leaves a line alone that fits", () => {
    expect(formatted("x = call(a, b)")).toBe("x = call(a, b)");
  });

  it("leaves a line alone that cannot be broken", () => {
    const name = "a".repeat(100);
    expect(formatted(`${name}.${name}`)).toBe(`${name}.${name}`);
  });

  it("measures wide characters by their columns", () => {
    const text = "あ".repeat(41);
    expect(formatted(`call("${text}")`)).toBe(`call(\n    "${text}"\n)`);
  });
});
