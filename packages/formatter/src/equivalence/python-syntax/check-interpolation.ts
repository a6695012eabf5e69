import { parse } from "../../parse/parse.ts";
import type { Tree } from "../../syntax/tree.ts";
import { type InterpolatedPart, interpolatedParts } from "../literals/interpolated-parts.ts";
import { splitLiteral } from "../literals/split-literal.ts";
import { SourceSyntaxError } from "./source-syntax-error.ts";

/** Formats within formats: `f"{a:{b:{c}}}"` has two. */
const MAX_FORMATS = 2;

/**
 * Checks an f-string or t-string: its conversions, braces that close nothing, and its expressions, which have been
 * parsed, but not checked.
 *
 * @param check checks the tree of an expression, which stands in brackets
 */
export function checkInterpolation(
  text: string,
  line: number,
  check: (tree: Tree, root: number) => void,
): void {
  if (PLAIN.test(text)) return;
  const { body, bodyStart, isRaw, interpolation } = splitLiteral(text);
  const quote = text.slice(bodyStart + body.length);
  const fail = (message: string): never => {
    throw new SourceSyntaxError(`${interpolation}-string: ${message}`, line);
  };
  const checkParts = (parts: readonly InterpolatedPart[], formats: number): void => {
    for (const part of parts) {
      if (part.kind === "text") {
        if (formats > 0 && part.source.includes(quote)) fail("expecting '}', or format specs");
        if (withoutPairs(part.source, isRaw).includes("}")) fail("single '}' is not allowed");
        continue;
      }
      if (formats > MAX_FORMATS) fail("expressions nested too deeply");
      if (/^\s/.test(part.conversion)) fail("conversion type must come right after the exclamation mark");
      if (!["", "s", "r", "a"].includes(part.conversion))
        fail(`invalid conversion character '${part.conversion}': expected 's', 'r', or 'a'`);
      checkExpression(part.isDebug ? part.expression.replace(/=\s*$/, "") : part.expression, line, check);
      if (part.format !== undefined) checkParts(part.format, formats + 1);
    }
  };
  checkParts(interpolatedParts(body, isRaw), 0);
}

/** Literals in which all fields are names, their attributes and calls without arguments, or hold one in brackets. */
const PLAIN =
  /^[A-Za-z]+(?:[^{}!\\]|\{\{|\}\}|\{[A-Za-z_]\w*(?:\.(?!None\b|True\b|False\b)[A-Za-z_]\w*|\(\)|[([][A-Za-z_]\w*[)\]])*\})*$/;

function checkExpression(expression: string, line: number, check: (tree: Tree, root: number) => void): void {
  const isYield = /^\s*yield\b/.test(expression);
  const { tree, root } = parse(isYield ? `(${expression}\n)\n` : `[${expression}\n]\n`, []);
  try {
    check(tree, root);
  } catch (error) {
    throw error instanceof SourceSyntaxError ? error.onLine(line) : error;
  } finally {
    tree.release();
  }
}

/** The text without doubled braces, and without names of characters, which have braces too. */
function withoutPairs(text: string, isRaw: boolean): string {
  return (isRaw ? text : text.replace(/\\N\{[^{}]*\}/g, "")).replace(/\{\{|\}\}/g, "");
}
