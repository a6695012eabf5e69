import type { TextEdit } from "vscode-languageserver-protocol";
import type { TextDocument } from "vscode-languageserver-textdocument";
import { opcodes } from "../util/difflib/sequence-matcher.ts";

/**
 * The edits that turn the document into the new text, whole lines each and none where nothing changes, so that the
 * editor keeps cursors, folds and breakpoints.
 */
export function lineEdits(document: TextDocument, newText: string): TextEdit[] {
  const text = document.getText();
  if (text === newText) return [];
  const before = linesOf(text);
  const after = linesOf(newText);
  const prefix = sharedPrefix(before, after);
  const suffix = sharedSuffix(before, after, prefix);
  const middle = before.slice(prefix, before.length - suffix);
  const offsets = lineOffsets(before);
  return opcodes(middle, after.slice(prefix, after.length - suffix))
    .filter(({ tag }) => tag !== "equal")
    .map(({ aStart, aEnd, bStart, bEnd }) => ({
      range: {
        start: document.positionAt(offsets[prefix + aStart]!),
        end: document.positionAt(offsets[prefix + aEnd]!),
      },
      newText: after.slice(prefix + bStart, prefix + bEnd).join(""),
    }));
}

/** Lines with their ends. */
function linesOf(text: string): string[] {
  return text.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+$/g) ?? [];
}

/** Where each line starts, and where the last one ends. */
function lineOffsets(lines: readonly string[]): number[] {
  const offsets = [0];
  for (const line of lines) offsets.push(offsets.at(-1)! + line.length);
  return offsets;
}

function sharedPrefix(before: readonly string[], after: readonly string[]): number {
  let length = 0;
  while (length < Math.min(before.length, after.length) && before[length] === after[length]) length++;
  return length;
}

function sharedSuffix(before: readonly string[], after: readonly string[], prefix: number): number {
  const most = Math.min(before.length, after.length) - prefix;
  let length = 0;
  while (length < most && before.at(-1 - length) === after.at(-1 - length)) length++;
  return length;
}
