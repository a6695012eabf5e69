import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { compareAnswers } from "../conformance/compare.ts";
import type { Answer } from "../conformance/item.ts";
import { knownKinds } from "../conformance/known-kinds.ts";
import { type Refusal, readRefusal } from "../conformance/refusal.ts";

const black = "Black 26.10.1 on Python (CPython) 3.13.0";
const report = "Please report a bug on https://github.com/psf/black/issues.";

const messages: readonly (readonly [string, string, Refusal])[] = [
  [
    "a source that cannot be parsed",
    "cannot parse for target version Python 3.9: <file>:4:19\n    with (\n         ^\nParseError: bad input",
    {
      kind: "syntax",
      line: 4,
      column: 19,
      sentence: "cannot parse for target version Python 3.9\n    with (\n         ^\nParseError: bad input",
    },
  ],
  [
    "a second pass that cannot parse",
    `INTERNAL ERROR: ${black} produced invalid code:\ncannot parse: <file>:6:0\n    x\n    ^\nParseError: bad input\n${report}  This invalid output might be helpful: /tmp/a.log`,
    {
      kind: "broken pass",
      line: 6,
      column: 0,
      sentence: "cannot parse\n    x\n    ^\nParseError: bad input",
    },
  ],
  [
    "a source that the interpreter refuses",
    "cannot format <file>: cannot use --safe with this file; failed to parse source file AST: invalid syntax (<unknown>, line 3)\nThis could be caused by running Black with an older Python version that does not support new syntax used in your source file.",
    { kind: "source", line: 3, sentence: "invalid syntax" },
  ],
  [
    "an output that the interpreter refuses",
    `cannot format <file>: INTERNAL ERROR: ${black} produced invalid code: unexpected indent (<unknown>, line 3). ${report}  This invalid output might be helpful: /tmp/a.log`,
    { kind: "output", line: 3, sentence: "unexpected indent" },
  ],
  [
    "an output that means something else",
    `cannot format <file>: INTERNAL ERROR: ${black} produced code that is not equivalent to the source.  ${report}  This diff might be helpful: /tmp/a.log`,
    { kind: "not equivalent", sentence: "" },
  ],
  [
    "an output that does not format to itself",
    `cannot format <file>: INTERNAL ERROR: ${black} produced different code on the second pass of the formatter.  ${report}  This diff might be helpful: /tmp/a.log`,
    { kind: "unstable", sentence: "" },
  ],
  ["a traceback", "cannot format <file>: '~='", { kind: "other", sentence: "'~='" }],
];

describe("A refusal", () => {
  test.each(messages)("is read from the line that is printed: %s", (_, message, refusal) => {
    expect(readRefusal(message)).toEqual(refusal);
  });

  const refusal: Refusal = { kind: "syntax", line: 1, column: 2, sentence: "cannot parse" };
  const others: readonly Answer[] = [
    { text: "x\n" },
    { refusal: { ...refusal, kind: "broken pass" } },
    { refusal: { ...refusal, line: 2 } },
    { refusal: { ...refusal, column: 3 } },
    { refusal: { ...refusal, sentence: "cannot parse for target version Python 3.9" } },
  ];
  test("equals one in kind, line, column and sentence only", () => {
    expect(compareAnswers({ source: "", black: { refusal }, ours: { refusal: { ...refusal } } }).kind).toBe(
      "identical",
    );
    for (const ours of others)
      expect(compareAnswers({ source: "", black: { refusal }, ours }).kind, JSON.stringify(ours)).toBe(
        "different",
      );
  });
});

test("Every known kind of difference stands in deviations.md", () => {
  const page = readFileSync(new URL("../../../docs/formatter/deviations.md", import.meta.url), "utf8");
  for (const { documented } of knownKinds) expect(page).toContain(documented);
});
