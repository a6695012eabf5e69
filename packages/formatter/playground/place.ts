import type { ParseError } from "../src/parse/errors.ts";

/**
 * Where a source cannot be parsed: the place, and the line itself with a mark below it.
 *
 * @param origin where the parser began; lines and columns count from 1 in what people see
 */
export function describePlace(
  { line, column, reason, sourceLine }: ParseError,
  origin: { readonly line: number; readonly character: number } = { line: 0, character: 0 },
): string {
  const first = line === 1 ? origin.character : 0;
  const mark = " ".repeat(column);
  return `Line ${origin.line + line}, column ${first + column + 1}: ${reason}\n${sourceLine}\n${mark}^`;
}
