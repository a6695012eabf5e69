import { describe, expect, it } from "vitest";
import { format } from "../../format/format-string.ts";
import { isNormalDocstring } from "./docstring.ts";

const WIDTH = 50;

/** A function with the docstring, and where that begins and ends. */
function withDocstring(content: string): [source: string, start: number, end: number] {
  const before = "def f():\n    ";
  const literal = `"""${content}"""`;
  return [`${before}${literal}\n    return 1\n`, before.length, before.length + literal.length];
}

describe("isNormalDocstring", () => {
  it.each([
    "A line.",
    'It is "quoted" here.',
    "A line.\n\n    Another.\n      Deeper.\n    ",
    "\n    A line.\n    ",
    "A line.\n    The last.",
  ])("is true of %j, which stays as it is", (content) => {
    const [source, start, end] = withDocstring(content);
    expect(isNormalDocstring(source, start, end, WIDTH)).toBe(true);
    expect(format(source, { lineLength: WIDTH })).toBe(source);
  });

  it.each([
    " A line.",
    "A line. ",
    "A line. \n    Another.",
    "A line.\n     Another.",
    "A line.\n  Another.",
    "A line.\n    Another. \n    ",
    "A line.\n \n    Another.",
    "A line.\n\n    ",
    "A line.\n    Another.\n",
    "A line.\n    Another.\n     ",
    "A line.\n    \tAnother.",
    "A line.\\n\n    Another.",
    `A line.\n    ${"a".repeat(WIDTH)}`,
    "é",
  ])("is false of %j", (content) => {
    const [source, start, end] = withDocstring(content);
    expect(isNormalDocstring(source, start, end, WIDTH)).toBe(false);
  });
});
