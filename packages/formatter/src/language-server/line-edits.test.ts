import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TextDocument } from "vscode-languageserver-textdocument";
import { lineEdits } from "./line-edits.ts";

function documentOf(text: string): TextDocument {
  return TextDocument.create("file:///a.py", "python", 1, text);
}

const text = fc
  .array(fc.tuple(fc.constantFrom("a", "b", "é😀", ""), fc.constantFrom("\n", "\r\n", "\r")), {
    maxLength: 12,
  })
  .chain((lines) =>
    fc.constantFrom("", "a").map((last) => lines.map((line) => line.join("")).join("") + last),
  );

describe("line edits", () => {
  it("turn any text into any other", () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const document = documentOf(before);
        expect(TextDocument.applyEdits(document, lineEdits(document, after))).toBe(after);
      }),
    );
  });

  it("are none between equal texts and touch only lines that differ", () => {
    expect(lineEdits(documentOf("a\nb\n"), "a\nb\n")).toEqual([]);
    expect(lineEdits(documentOf("a\nb\nc\n"), "a\nc\nd\n")).toEqual([
      { range: { start: { line: 1, character: 0 }, end: { line: 2, character: 0 } }, newText: "" },
      { range: { start: { line: 3, character: 0 }, end: { line: 3, character: 0 } }, newText: "d\n" },
    ]);
  });
});
