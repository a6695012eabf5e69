import type { Position } from "vscode-languageserver-protocol";
import type { TextDocument } from "vscode-languageserver-textdocument";
import type { ParseError } from "../parse/errors.ts";
import type { SyntaxFault } from "./document-result.ts";

/**
 * The place of a syntax error for the editor to underline, from the fault to the end of its line.
 *
 * @param origin where the parser began; the error's place counts from there
 */
export function syntaxDiagnostic(document: TextDocument, error: ParseError, origin: Position): SyntaxFault {
  const line = Math.min(origin.line + error.line, document.lineCount) - 1;
  const content = lineAt(document, line);
  const indent = error.line === 1 ? origin.character : 0;
  const column = Math.min(indent + utf16Length(content.slice(indent), error.column), content.length);
  return {
    range: { start: { line, character: column }, end: { line, character: content.length } },
    severity: 1,
    source: "jetblack",
    message: `${error.context}: ${error.reason}`,
  };
}

function lineAt(document: TextDocument, line: number): string {
  const range = { start: { line, character: 0 }, end: { line: line + 1, character: 0 } };
  return document.getText(range).replace(/[\r\n]+$/, "");
}

/** Length of the first code points of a text in UTF-16 code units, in which the protocol counts. */
function utf16Length(text: string, codePoints: number): number {
  return Array.from(text).slice(0, codePoints).join("").length;
}
