import { SafetyError, UnparsableSourceError, UnstableOutputError } from "../equivalence/safety-error.ts";
import { CodecError } from "../files/encodings/codec.ts";
import { checkDeclaration } from "../files/encodings/detect.ts";
import { failureMessage } from "../files/failure-message.ts";
import { formatContents } from "../files/format-contents.ts";
import { cellFormatter } from "../files/notebook/cell-formatter.ts";
import { formatSource } from "../format/format-source.ts";
import { InvalidOutputError } from "../format/invalid-output-error.ts";
import type { LineRange } from "../format/ranges/line-range.ts";
import { formatCell } from "../notebook/format-cell.ts";
import { NotebookError } from "../notebook/format-notebook.ts";
import { JsonError } from "../notebook/python-json.ts";
import { ParseError } from "../parse/errors.ts";
import { newlineOfFirstLine, withLf, withNewline } from "../util/newline.ts";
import { modeOfRequest, type RequestMode } from "./request-mode.ts";

/** What the Python package asks for; it has checked all types. */
interface Request {
  /** Black's function of that name. */
  readonly operation: "format_str" | "format_file_contents" | "format_cell";
  readonly source: string;
  readonly mode: RequestMode;
  /** Whether to leave the safety check out; `format_str` never makes it. */
  readonly fast: boolean;
  /** 1-based, both ends included; none means all. */
  readonly lines: readonly LineRange[];
}

/** The exception that the Python package raises, by the name that Black has for it, with its arguments. */
interface Failure {
  readonly exception:
    | "InvalidInput"
    | "SourceASTParseError"
    | "ASTSafetyError"
    | "AssertionError"
    | "SyntaxError"
    | "ValueError"
    | "RuntimeError";
  readonly message: string;
  readonly line?: number;
  readonly column?: number;
  readonly context?: string;
  readonly details?: string;
}

/** The answer to one line of the Python package: the new text, the same text when nothing changes, or why there is none. */
export function answerRequest(line: string): { output: string } | { failure: Failure } {
  try {
    return { output: format(JSON.parse(line) as Request) };
  } catch (error) {
    return { failure: failureOf(error) };
  }
}

function format({ operation, source, mode: asked, fast, lines }: Request): string {
  const mode = modeOfRequest(asked);
  if (operation === "format_cell")
    return formatCell(source, cellFormatter(mode, asked.pythonCellMagics, fast)) ?? source;
  if (mode.isIpynb && operation === "format_file_contents")
    return formatContents(source, mode, { pythonCellMagics: asked.pythonCellMagics, fast, lineRanges: [] });
  const contents = withLf(source);
  checkDeclaration(contents);
  const output =
    operation === "format_str"
      ? formatSource(contents, mode, lines)
      : formatContents(contents, mode, { pythonCellMagics: [], fast, lineRanges: lines });
  return output === contents ? source : withNewline(output, newlineOfFirstLine(source));
}

function failureOf(error: unknown): Failure {
  if (error instanceof ParseError) {
    const { message, line, column, context, details } = error;
    return { exception: "InvalidInput", message, line, column, context, details };
  }
  if (error instanceof InvalidOutputError) return { exception: "InvalidInput", message: error.message };
  if (error instanceof UnparsableSourceError)
    return { exception: "SourceASTParseError", message: error.message };
  if (error instanceof UnstableOutputError) return { exception: "AssertionError", message: error.message };
  if (error instanceof SafetyError) return { exception: "ASTSafetyError", message: error.message };
  if (error instanceof CodecError) return { exception: "SyntaxError", message: error.message };
  if (error instanceof JsonError || error instanceof NotebookError)
    return { exception: "ValueError", message: error.message };
  return { exception: "RuntimeError", message: failureMessage("-", error) };
}
