import { describe, expect, it } from "vitest";
import { OpenDocuments } from "./open-documents.ts";

function item(uri: string, text: string): object {
  return { textDocument: { uri, languageId: "python", version: 1, text } };
}

function change(uri: string, ...contentChanges: object[]): object {
  return { textDocument: { uri, version: 2 }, contentChanges };
}

describe("open documents", () => {
  it("are refused beyond their number, and taken again when others close", () => {
    const documents = new OpenDocuments({ maxDocuments: 1, maxLength: 10 });
    documents.open(item("a", "x"));
    documents.open(item("a", "y"));
    expect(() => documents.open(item("b", "x"))).toThrow("More than 1 documents are open");
    documents.close({ textDocument: { uri: "a" } });
    documents.open(item("b", "x"));
    expect(documents.get("b").getText()).toBe("x");
  });

  it("are let go when they grow beyond the limit", () => {
    const documents = new OpenDocuments({ maxDocuments: 9, maxLength: 10 });
    expect(() => documents.open(item("a", "x".repeat(11)))).toThrow("too long");
    documents.open(item("a", "x".repeat(10)));
    const start = { line: 0, character: 0 };
    expect(() => documents.change(change("a", { text: "y", range: { start, end: start } }))).toThrow(
      "11 characters, the limit is 10",
    );
    expect(() => documents.get("a")).toThrow("not open");
  });

  it.each([
    [{ text: 1 }, "text is a text"],
    [{ text: "", range: { start: { line: -1, character: 0 }, end: { line: 0, character: 0 } } }, "from 0"],
    [{ text: "", range: { start: { line: 1, character: 0 }, end: { line: 0, character: 0 } } }, "before"],
    [
      { text: "", range: { start: { line: 0.5, character: 0 }, end: { line: 1, character: 0 } } },
      "whole number",
    ],
    ["x", "a content change is an object"],
  ])("are let go when a change is refused: %j", (wrong, reason) => {
    const documents = new OpenDocuments({ maxDocuments: 9, maxLength: 10 });
    documents.open(item("a", "x"));
    expect(() => documents.change(change("a", wrong as object))).toThrow(reason);
    expect(() => documents.get("a")).toThrow("not open");
    documents.change(change("a", { text: "y" }));
    expect(() => documents.get("a")).toThrow("not open");
    documents.open(item("a", "y"));
    expect(documents.get("a").getText()).toBe("y");
  });
});
