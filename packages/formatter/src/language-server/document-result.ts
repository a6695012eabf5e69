import { SafetyError } from "../equivalence/safety-error.ts";
import { DiscoveryError } from "../files/discover/discovery-error.ts";
import { CodecError } from "../files/encodings/codec.ts";
import { InvalidOutputError } from "../format/invalid-output-error.ts";
import { UsageError } from "../mode/config/usage-error.ts";
import { BrokenCellError } from "../notebook/check-cell.ts";
import { NotebookError } from "../notebook/format-notebook.ts";
import { JsonError } from "../notebook/python-json.ts";
import { ParseError } from "../parse/errors.ts";
import { TooDeepError } from "../syntax/too-deep-error.ts";

/** A place in a text: its line, and the UTF-16 unit of that line, both from 0. */
interface TextPosition {
  readonly line: number;
  readonly character: number;
}

interface TextRange {
  readonly start: TextPosition;
  readonly end: TextPosition;
}

/**
 * The protocol's `TextEdit`. Spelt out, as `SyntaxFault` is: users of `jetblack/editor` do not have the package with the
 * protocol's types.
 */
interface TextChange {
  readonly range: TextRange;
  readonly newText: string;
}

/** The protocol's `Diagnostic`, for a source that cannot be parsed: from the fault to the end of its line. */
export interface SyntaxFault {
  readonly range: TextRange;
  /** `Error`. */
  readonly severity: 1;
  readonly source: "jetblack";
  readonly message: string;
}

/** What came of a request to format. */
export interface DocumentResult {
  readonly edits: readonly TextChange[];
  /** Why the source could not be parsed; empty once it can. */
  readonly diagnostics: readonly SyntaxFault[];
  /** What the user must be told. */
  readonly message: string | undefined;
}

/** The document stays as it is, and there is nothing to say. */
export const unchanged: DocumentResult = { edits: [], diagnostics: [], message: undefined };

/**
 * The message for a document that could not be formatted.
 * @throws what is a fault of this program
 */
export function failureOf(uri: string, error: unknown): string {
  return `${uri} cannot be formatted: ${reasonOf(error)}`;
}

function reasonOf(error: unknown): string {
  const isExpected =
    error instanceof UsageError ||
    error instanceof DiscoveryError ||
    error instanceof SafetyError ||
    error instanceof ParseError ||
    error instanceof TooDeepError ||
    error instanceof InvalidOutputError ||
    error instanceof JsonError ||
    error instanceof NotebookError ||
    error instanceof BrokenCellError ||
    error instanceof CodecError;
  if (!isExpected) throw error;
  return error.message;
}
