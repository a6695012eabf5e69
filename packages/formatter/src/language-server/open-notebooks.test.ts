import { expect, test } from "vitest";
import { OpenDocuments } from "./open-documents.ts";
import { OpenNotebooks } from "./open-notebooks.ts";

const cell = { uri: "cell", languageId: "python", version: 1, text: "x" };
const opened = {
  notebookDocument: { uri: "book", cells: [{ kind: 2, document: "cell" }] },
  cellTextDocuments: [cell],
};

test.each([
  { structure: { array: { start: -1, deleteCount: 0 } }, textContent: [] },
  { data: [{ kind: 2 }] },
  { textContent: [{ document: { uri: "cell", version: 2 }, changes: [{ text: 1 }] }] },
  { textContent: [{ document: { uri: "cell", version: 2 }, changes: [{ text: "y" }] }, "x"] },
])("a change that is refused lets the notebook's cells go: %j", (cells) => {
  const documents = new OpenDocuments({ maxDocuments: 9, maxLength: 10 });
  const notebooks = new OpenNotebooks(documents);
  notebooks.open(opened);
  expect(documents.get("cell").getText()).toBe("x");
  expect(() => notebooks.change({ notebookDocument: { uri: "book" }, change: { cells } })).toThrow();
  expect(() => documents.get("cell")).toThrow("not open");
});
