import { type InterpolatedPart, interpolatedParts } from "../literals/interpolated-parts.ts";
import { splitLiteral } from "../literals/split-literal.ts";
import { SourceSyntaxError } from "./source-syntax-error.ts";

/**
 * Checks what stands between the expressions of an f-string or t-string: conversions, and braces that close nothing.
 * The expressions themselves have been parsed.
 */
export function checkInterpolation(text: string, line: number): void {
  if (!mayBeWrong(text)) return;
  const { body, isRaw, interpolation } = splitLiteral(text);
  const fail = (message: string): never => {
    throw new SourceSyntaxError(`${interpolation}-string: ${message}`, line);
  };
  const check = (parts: readonly InterpolatedPart[]): void => {
    for (const part of parts) {
      if (part.kind === "text") {
        if (withoutPairs(part.source, isRaw).includes("}")) fail("single '}' is not allowed");
      } else {
        if (!["", "s", "r", "a"].includes(part.conversion))
          fail(`invalid conversion character '${part.conversion}': expected 's', 'r', or 'a'`);
        if (part.format !== undefined) check(part.format);
      }
    }
  };
  check(interpolatedParts(body, isRaw));
}

/** Most literals have no conversion and as many braces of either kind. */
function mayBeWrong(text: string): boolean {
  if (text.includes("!")) return true;
  let open = 0;
  for (const character of text) {
    if (character === "{") open++;
    else if (character === "}") open--;
  }
  return open !== 0;
}

/** The text without doubled braces, and without names of characters, which have braces too. */
function withoutPairs(text: string, isRaw: boolean): string {
  return (isRaw ? text : text.replace(/\\N\{[^{}]*\}/g, "")).replace(/\{\{|\}\}/g, "");
}
