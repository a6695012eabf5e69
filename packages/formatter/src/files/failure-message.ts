import { dumpToFile } from "../equivalence/dump-file.ts";
import { InvalidOutputError } from "../format/invalid-output-error.ts";
import { describeParseError, ParseError } from "../parse/errors.ts";
import { describeOsError } from "./os-error.ts";

/** What is printed of a file that could not be formatted (Black: `Report.failed`), without colour. */
export function failureMessage(path: string, error: unknown): string {
  if (error instanceof ParseError) return `error: ${describeParseError(path, error)}`;
  if (error instanceof InvalidOutputError)
    return `error: ${error.describe(path)}\nPlease report this with the source. This invalid output might be helpful: ${dumpToFile(error.output)}`;
  return `error: cannot format ${path}: ${describeOsError(error, path)}`;
}

/** Where in the source a syntax error is: 1-based line and column. */
export function placeOf(error: ParseError): { readonly line: number; readonly column: number } {
  return { line: error.line, column: error.column + 1 };
}
