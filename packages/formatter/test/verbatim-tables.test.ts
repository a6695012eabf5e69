/**
 * The short cut for formatted statements and the rules agree on every entry of the tables of Python's grammar and of
 * the layout: what the rules make of a statement with the entry, and what comes of moving that statement's line breaks,
 * is the same with the short cut and without it, errors included.
 */
import { describe, expect, test } from "vitest";
import { format } from "../src/format/format-string.ts";
import { mathPriority, possibleDelimiters } from "../src/lines/delimiters.ts";
import { Kind } from "../src/syntax/kinds.ts";
import { keywordKinds } from "../src/tokenize/keywords.ts";
import { scanOperator } from "../src/tokenize/operators.ts";
import { formatTheLongWay, verbatimLines, WIDTH } from "./verbatim.ts";

const keywords = keywordKinds.map(([text]) => text);
const operators = operatorTexts();

/** Every text that the tokenizer's tables take for one operator. */
function operatorTexts(): string[] {
  const characters = [..."+-*/%@&|^~<>=!,;"];
  const longer = characters.flatMap((first) => characters.map((second) => first + second));
  const longest = longer.flatMap((start) => characters.map((last) => start + last));
  return [...characters, ...longer, ...longest].filter((text) => {
    const found = scanOperator(Buffer.from(`${text}\0\0`), 0, text.charCodeAt(0));
    return found >> 2 !== 0 && (found & 3) === text.length;
  });
}

/** What stands between two operands, for each kind that a line may break at. */
const delimiters = new Map<number, readonly string[]>([
  [Kind.COMMA, [","]],
  [Kind.STRING, ['"b"']],
  [Kind.DOT, [".a()."]],
  [Kind.KW_IS, ["is", "is not"]],
  [Kind.KW_AND, ["and"]],
  [Kind.KW_OR, ["or"]],
  [Kind.ASYNC, ["async for x in"]],
  [Kind.KW_FOR, ["for x in"]],
  [Kind.KW_IF, ["if c else", "for x in y if"]],
  [Kind.KW_ELSE, ["if c else"]],
  [Kind.KW_IN, ["in"]],
  [Kind.KW_NOT, ["not in"]],
]);
for (const text of operators) {
  const kind = scanOperator(Buffer.from(`${text}\0\0`), 0, text.charCodeAt(0)) >> 2;
  if (possibleDelimiters[kind] === 1 && kind !== Kind.COMMA)
    delimiters.set(kind, [...(delimiters.get(kind) ?? []), text]);
}
const delimiterTexts = [...new Set([...delimiters.values()].flat())];

/** What the short cut leaves to the rules: power operators may be hugged, `~` is none between operands, `<>` is Python 2's. */
const leftToRules = new Set(["**", "~", "<>", '"b"', ".a().", "async for x in"]);

const statements = [
  "%s",
  "x = %s",
  "return %s",
  "f(%s)",
  "x = [%s]",
  "if %s:\n    pass",
  "assert %s",
  "x = a[%s]",
];

/** The statement alone where it may be, else in a function. */
const inFunction = (statement: string): string =>
  `async def g():\n    ${statement.replace(/\n/g, "\n    ")}\n`;

function outcome(run: () => string): string {
  try {
    return run();
  } catch (error) {
    return String(error);
  }
}

/** Compares both ways; returns what they make of the source. */
function agree(source: string): string {
  const long = outcome(() => formatTheLongWay(source));
  expect(
    outcome(() => format(source, { lineLength: WIDTH })),
    source,
  ).toBe(long);
  return long;
}

/** Spaces, and those that no long name follows. */
const SPACES = { all: / (?=\S)/g, few: / (?=\S)(?!aaa|bbb|ccc|=)/g };

/** The text with one of its line breaks within brackets joined, or with one of its spaces broken. */
function* moved(text: string, spaces: keyof typeof SPACES): Generator<string> {
  for (const { index, 0: space } of text.matchAll(/(?<=[^:\n])\n +(?=\S)/g))
    yield `${text.slice(0, index)} ${text.slice(index + space.length)}`;
  for (const { index } of text.matchAll(SPACES[spaces])) {
    const line = text.slice(text.lastIndexOf("\n", index) + 1, index);
    if (line.trim() === "") continue;
    const indent = line.slice(0, line.length - line.trimStart().length);
    yield `${text.slice(0, index)}\n${indent}${text.slice(index + 1)}`;
  }
}

function agreeOnAllForms(statement: string, spaces: keyof typeof SPACES = "all"): string {
  const formatted = agree(inFunction(statement));
  if (agree(formatted) === formatted) for (const other of moved(formatted, spaces)) agree(other);
  return formatted;
}

describe("the tables", () => {
  test("have nothing that is not tried here", () => {
    const kinds = Array.from({ length: 256 }, (_, kind) => kind).filter(
      (kind) => possibleDelimiters[kind] === 1,
    );
    expect(kinds.filter((kind) => !delimiters.has(kind))).toEqual([]);
    const math = Array.from({ length: 256 }, (_, kind) => kind).filter((kind) => mathPriority(kind) > 0);
    expect(math.filter((kind) => !delimiters.has(kind))).toEqual([]);
    expect(keywords.length).toBeGreaterThan(35);
    expect(operators).toEqual(expect.arrayContaining(["+", "//=", "<>", ">>="]));
  });

  test.each(keywords)("agree on the keyword %s", (keyword) => {
    const places = [
      ...statements.map((statement) => statement.replace("%s", keyword)),
      ...statements.map((statement) => statement.replace("%s", `${keyword} a`)),
      ...statements.map((statement) => statement.replace("%s", `a ${keyword} b`)),
      ...statements.map((statement) => statement.replace("%s", `${keyword} (a)`)),
      ...[
        `${keyword}:\n    pass`,
        `${keyword} a:\n    pass`,
        `${keyword} a(b):\n    pass`,
        `${keyword}.a = 1`,
      ],
      ...[
        `${keyword} = 1`,
        `${keyword}: a = 1`,
        `x = a.${keyword}`,
        `f(${keyword}=1)`,
        `x = lambda ${keyword}: 1`,
      ],
      ...[`from . import ${keyword}`, `import ${keyword}`, `@${keyword}\ndef h():\n    pass`],
      ...[`def ${keyword}(a):\n    pass`, `class ${keyword}(a):\n    pass`, `for ${keyword} in a:\n    pass`],
      ...[
        `${keyword} ${"a".repeat(30)}, ${"b".repeat(30)}`,
        `x = ${keyword} f(${"a".repeat(30)}, ${"b".repeat(30)})`,
      ],
    ];
    for (const place of places) agreeOnAllForms(place);
  });

  test.each(operators)("agree on the operator %s", (operator) => {
    for (const statement of statements)
      for (const expression of [
        `a ${operator} b`,
        `${operator}a`,
        `${operator} a`,
        `a${operator}`,
        `(a) ${operator} (b)`,
      ])
        agreeOnAllForms(statement.replace("%s", expression));
  });

  test.each(delimiterTexts)("agree on splits at %s, alone and beside each other", (delimiter) => {
    const [a = "", b = "", c = ""] = ["a", "b", "c"].map((name) => name.repeat(22));
    let found = 0;
    for (const other of delimiterTexts)
      for (const statement of ["x = %s", "f(%s)", "x = [%s]", "if %s:\n    pass"]) {
        const source = statement.replace("%s", `${a} ${delimiter} ${b} ${other} ${c}`);
        const formatted = agreeOnAllForms(source, "few");
        if (formatted.startsWith("async def")) found += verbatimLines(formatted).length > 1 ? 1 : 0;
      }
    // The header of the function is one; were there no other, nothing would have been compared.
    if (!leftToRules.has(delimiter)) expect(found).toBeGreaterThan(0);
  });
});
