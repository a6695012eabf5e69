import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type FormatOptions, format, OptionError, ParseError } from "../index.ts";

describe("format", () => {
  it("returns the very string when nothing changes", () => {
    expect(format("x = 1\n")).toBe("x = 1\n");
    expect(format("")).toBe("");
  });

  it.each([
    ["white space alone becomes nothing", "  \t", ""],
    ["blank lines become one line end", "\n \n\n", "\n"],
    ["a missing last line end is added", "x=1", "x = 1\n"],
    ["leading blank lines go", "\n\n\nx=1\n", "x = 1\n"],
    ["CRLF stays", "x=1\r\ny=2\r\n", "x = 1\r\ny = 2\r\n"],
    ["the first line decides on line ends", "x=1\r\ny=2\n", "x = 1\r\ny = 2\r\n"],
    ["a lone CR in the first line decides too", "x=1\ry=2\r", "x = 1\ry = 2\r"],
    ["a byte order mark stays", "\ufeffx=1\n", "\ufeffx = 1\n"],
    [
      "an ignored encoding declaration stays ignored",
      "\n\n# coding: latin-1\nx=1\n",
      "\n\n# coding: latin-1\nx = 1\n",
    ],
  ])("%s", (_, source, expected) => {
    expect(format(source)).toBe(expected);
  });

  it("refuses an output of more than 1,000 nested brackets, which would grow with their square", () => {
    const nested = (count: number) => `x = a${" if a else b".repeat(count)}\n`;
    expect(format(nested(20))).toContain(" ".repeat(4 * 20));
    expect(() => format(nested(1_500))).toThrow("more than 1,000 nested brackets");
    // On a line that holds them all, none is printed.
    expect(format(nested(1_100), { lineLength: 20_000 })).toBe(nested(1_100));
  });

  it.each([
    // Each power was looked at once for each one around it, and a call in a return type for each one behind it.
    ["nested powers", (count: number) => `x = a${" ** -a.b".repeat(count)}\n`],
    ["calls in a return type", (count: number) => `def f() -> a${"(a,)".repeat(count)}: ...\n`],
    ["assignments to tuples", (count: number) => `x = a${", a = b".repeat(count)}\n`],
  ])("formats hundreds of %s", (_, make) => {
    const output = format(make(400), { unstable: true });
    expect(format(output, { unstable: true })).toBe(output);
  });

  it("loses the second of two continuations in a field, as blib2to3 does", () => {
    expect(format("x  = f'{a\\\n\\\n+b}'\n")).toBe("x = f'{a\\\n\n+b}'\n");
    expect(format("f\"{f'{a \\\n \\\n + b}'!r}\"\n")).toBe("f\"{f'{a \\\n\n + b}'!r}\"\n");
  });

  it("takes no line break at the start of a format spec between single quotes", () => {
    expect(() => format("x  = f'{a:\n}'\n")).toThrow("cannot parse: 1:10");
    expect(format("x  = f'{a:b\n}'\n")).toBe('x = f"{a:b\n}"\n');
  });

  it("leaves the first line alone on request", () => {
    expect(format("not  python\nx=1\n", { skipSourceFirstLine: true })).toBe("not  python\nx = 1\n");
  });

  it("formats the selected lines alone", () => {
    expect(format("a=1\nb=2\nc=3\n", { lineRanges: [[2, 2]] })).toBe("a=1\nb = 2\nc=3\n");
    expect(format("a=1\n", { lineRanges: [[5, 9]] })).toBe("a=1\n");
  });

  it("uses what the target versions allow", () => {
    const call = `f(${"a".repeat(50)}, *${"b".repeat(50)})\n`;
    expect(format(call, { targetVersions: ["py33"] })).not.toContain("b,\n");
    expect(format(call, { targetVersions: ["py38"] })).toContain("b,\n");
  });

  it("names the place of an error", () => {
    const error = caught(() => format("x = 1\ny = = 2\n"));
    expect(error).toBeInstanceOf(ParseError);
    expect(error).toMatchObject({ line: 2, sourceLine: "y = = 2" });
  });

  it.each([
    [{ lineLenght: 3 }, "did you mean lineLength?"],
    [{ __proto__x: 3 }, "There is no option"],
    [{ lineLength: -1 }, "lineLength"],
    [{ lineLength: 8.5 }, "lineLength"],
    [{ targetVersions: ["py27"] }, "py27"],
    [{ enableUnstableFeatures: ["no_such"] }, "no_such"],
    [{ lineRanges: [[3, 1]] }, "3-1"],
  ])("refuses %j", (options, named) => {
    const error = caught(() => format("x\n", options as unknown as FormatOptions));
    expect(error).toBeInstanceOf(OptionError);
    expect((error as Error).message).toContain(named);
  });
});

describe("formatting twice", () => {
  const name = fc.constantFrom("a", "bb", "some_longer_name", "x");
  const { expression } = fc.letrec<{ expression: string }>((tie) => ({
    expression: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      name,
      fc.constantFrom("1", "0XF", "'s'", '"it\'s"', "f'{a}'", "None"),
      fc
        .tuple(
          tie("expression"),
          fc.constantFrom("+", "*", "**", " and ", " if a else ", "==", "|"),
          tie("expression"),
        )
        .map((parts) => parts.join("")),
      tie("expression").map((inner) => `(${inner})`),
      fc.array(tie("expression"), { maxLength: 4 }).map((items) => `[${items.join(",")}]`),
      fc
        .tuple(name, fc.array(tie("expression"), { maxLength: 4 }))
        .map(([callee, items]) => `${callee}(${items.join(",")})`),
      fc.tuple(name, tie("expression")).map(([key, value]) => `{${key}:${value},}`),
      fc
        .tuple(name, tie("expression"))
        .map(([target, iterable]) => `[${target} for ${target} in (${iterable})]`),
    ),
  }));
  const statement = fc.oneof(
    fc.tuple(name, expression).map(([target, value]) => `${target}=${value}`),
    expression.map((value) => `if ${value}:\n  pass # why`),
    expression.map((value) => `def f(a,b=${value}):\n  return ${value}`),
    expression.map((value) => `assert ${value}, (${value})`),
    fc.constantFrom("# comment", "import a,b", "class A(): x=1", ""),
  );

  it("changes nothing the second time", () => {
    const program = fc.array(statement, { maxLength: 5 }).map((lines) => `${lines.join("\n")}\n`);
    fc.assert(
      fc.property(program, fc.constantFrom(20, 88), (source, lineLength) => {
        const once = format(source, { lineLength });
        return format(once, { lineLength }) === once;
      }),
      { numRuns: 200 },
    );
  });
});

function caught(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  return undefined;
}
