import type { Target } from "./format-text.ts";
import type { Cell, DocumentContext, EditorPanel, NotebookPanel } from "./jupyterlab.ts";

/** A code cell of a notebook, by its place from 1. */
export interface CellTarget extends Target {
  readonly number: number;
}

/** The code cells of a Python notebook that may be edited; none of a notebook in another language. */
export function cellTargets({ context, content }: NotebookPanel): CellTarget[] {
  if (!isWritable(context) || !isPythonNotebook(context)) return [];
  return content.widgets.flatMap((cell, index) =>
    isEditableCode(cell)
      ? [
          {
            number: index + 1,
            text: cell.model.sharedModel,
            path: pathOf(context),
            isCell: true,
            editor: cell === content.activeCell ? cell.editor : null,
          },
        ]
      : [],
  );
}

/** The cell with the cursor, if it is one of them. */
export function activeCellTarget(panel: NotebookPanel): CellTarget | undefined {
  const active = panel.content.activeCell?.model.sharedModel;
  return cellTargets(panel).find(({ text }) => text === active);
}

/** A Python file or stub that may be edited. */
export function fileTarget(panel: EditorPanel): Target | undefined {
  if (!isWritable(panel.context) || !isPythonFile(panel)) return undefined;
  const { editor, model } = panel.content;
  return { text: model.sharedModel, path: pathOf(panel.context), isCell: false, editor };
}

/** By its name, or because it was told to be Python. A notebook that is open as JSON is not. */
export function isPythonFile({ context, content }: EditorPanel): boolean {
  return /\.pyi?$/.test(context.path) || /^text\/x-(i?python)$/.test(content.model.mimeType);
}

/** As Black does, a notebook that names no language is taken for Python. */
function isPythonNotebook({ model }: NotebookPanel["context"]): boolean {
  const { name } = (model.getMetadata("language_info") ?? {}) as { name?: unknown };
  const { language } = (model.getMetadata("kernelspec") ?? {}) as { language?: unknown };
  const stated = [name, language].find((value) => typeof value === "string" && value !== "");
  return stated === undefined || (stated as string).toLowerCase() === "python";
}

function isEditableCode({ model }: Cell): boolean {
  return model.type === "code" && model.getMetadata("editable") !== false;
}

function isWritable({ contentsModel, model }: DocumentContext): boolean {
  return !model.readOnly && contentsModel?.writable !== false;
}

/** The path without the name of a drive, such as the one of files that are edited together. */
function pathOf({ path }: DocumentContext): string {
  return path.replace(/^\w+:/, "");
}
