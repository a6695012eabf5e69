import { applyEdits, type DocumentResult, formatSource, type ProjectSettings } from "jetblack/editor";
import { TextDocument } from "vscode-languageserver-textdocument";
import type { CodeEditor, SharedText } from "./jupyterlab.ts";
import { mapOffset } from "./map-offset.ts";

/** A text of the page: a file, or a cell of a notebook. */
export interface Target {
  readonly text: SharedText;
  /** Path of the file or of the notebook. */
  readonly path: string;
  readonly isCell: boolean;
  /** The editor that shows it, if one does; its cursor stays where it is in the code. */
  readonly editor: CodeEditor | null;
}

/** What came of it: whether the text changed, or why it stays as it is. */
export type Outcome =
  | { readonly kind: "changed" | "unchanged" }
  | { readonly kind: "failed"; readonly reason: string };

/** Formats a text as one step for undo. A text that cannot be formatted stays as it is. */
export function formatTarget({ text, path, isCell, editor }: Target, project: ProjectSettings): Outcome {
  const source = text.getSource();
  const result = formatSource({ text: source, path, isCell }, project);
  const reason = reasonOf(result);
  if (reason !== undefined) return { kind: "failed", reason };
  if (result.edits.length === 0) return { kind: "unchanged" };
  const restore = editor === null ? undefined : keepSelection(editor, source, applyEdits(source, result));
  change(text, source, result);
  restore?.();
  return { kind: "changed" };
}

function reasonOf({ diagnostics, message }: DocumentResult): string | undefined {
  const [fault] = diagnostics;
  if (fault === undefined) return message;
  const { line, character } = fault.range.start;
  return `line ${line + 1}, column ${character + 1}: ${fault.message}`;
}

/** From the last edit to the first, so that the places of those before stay true. */
function change(text: SharedText, source: string, { edits }: DocumentResult): void {
  const document = TextDocument.create("", "python", 0, source);
  // Without these what was typed less than half a second before would be undone with it.
  text.undoManager?.stopCapturing();
  text.transact(() => {
    for (const { range, newText } of edits.toReversed())
      text.updateSource(document.offsetAt(range.start), document.offsetAt(range.end), newText);
  });
  text.undoManager?.stopCapturing();
}

/** Looks where the selection is; the function that comes back puts it there in the new text. */
function keepSelection(editor: CodeEditor, before: string, after: string): () => void {
  const { start, end } = editor.getSelection();
  const [from, to] = [start, end].map((position) =>
    mapOffset(before, after, editor.getOffsetAt(position)),
  ) as [number, number];
  return () => {
    const [first, last] = [editor.getPositionAt(from), editor.getPositionAt(to)];
    if (first !== undefined && last !== undefined) editor.setSelection({ start: first, end: last });
  };
}
