/** Docstrings (`linegen.py` visit_STRING, `strings.py` fix_multiline_docstring). */
import type { Mode } from "../mode/mode.ts";
import { hasTripleQuotes, stringPrefixLength } from "../syntax/predicates/strings.ts";
import {
  codePointLength,
  expandtabs,
  isPythonSpace,
  lstrip,
  rstrip,
  splitlines,
  strip,
} from "../util/python-text.ts";
import { normalizeStringPrefix } from "./strings/prefix.ts";
import { normalizeStringQuotes } from "./strings/quotes.ts";

/** Columns of one indentation level and of a tab. */
const INDENT = 4;

/** Whether a backslash ends a line, white space aside: indenting such a docstring anew would change its value. */
export function hasContinuationLine(literal: string): boolean {
  for (let at = literal.indexOf("\\"); at !== -1; at = literal.indexOf("\\", at + 1)) {
    let i = at + 1;
    while (isPythonSpace(literal.charCodeAt(i))) {
      if (literal.charCodeAt(i) === 0x0a) return true;
      i++;
    }
  }
  return false;
}

/**
 * The docstring literal with its lines indented for `depth`, white space at both ends trimmed and its closing
 * quotes on the last line unless that gets too long.
 */
export function formatDocstring(literal: string, depth: number, mode: Mode): string {
  const normalized = mode.stringNormalization
    ? normalizeStringQuotes(normalizeStringPrefix(literal, false))
    : literal;
  const prefixLength = stringPrefixLength(normalized);
  const quoteChar = normalized[prefixLength]!;
  const quoteLength = normalized[prefixLength + 1] === quoteChar ? 3 : 1;
  const quote = quoteChar.repeat(quoteLength);
  const content = normalized.slice(prefixLength + quoteLength, normalized.length - quoteLength);
  const indent = " ".repeat(INDENT * Math.max(depth, 0));
  const isMultiline = hasTripleQuotes(literal) && literal.includes("\n");
  const trimmed = isMultiline ? fixMultilineDocstring(content, indent) : strip(content);
  const padded = padAgainstQuotes(trimmed, content === "", quoteChar);
  const opened = normalized.slice(0, prefixLength) + quote + padded;
  const wrapsQuote =
    quoteLength === 3 &&
    needsOwnLine(padded, indent.length, mode.lineLength) &&
    !endsWithPaddedBackslash(trimmed);
  if (!wrapsQuote || literal.charCodeAt(literal.length - 1 - quoteLength) === 0x0a) return opened + quote;
  return `${opened}\n${indent}${quote}`;
}

/** Adds a space where the text would run into the quotes or escape the closing one. */
function padAgainstQuotes(text: string, startedEmpty: boolean, quoteChar: string): string {
  if (text === "") return startedEmpty ? "" : " ";
  let padded = text;
  if (padded.startsWith(quoteChar)) padded = ` ${padded}`;
  if (padded.endsWith(quoteChar) || endsWithPaddedBackslash(padded)) padded += " ";
  return padded;
}

/** Whether the text ends in an odd number of backslashes. */
function endsWithPaddedBackslash(text: string): boolean {
  let count = 0;
  while (count < text.length && text.charCodeAt(text.length - 1 - count) === 0x5c) count++;
  return count % 2 === 1;
}

/** Whether the closing quotes make the last of several lines too long. Widths are code points here. */
function needsOwnLine(docstring: string, indent: number, lineLength: number): boolean {
  if (indent + 3 > lineLength) return false;
  const lines = splitlines(docstring);
  if (lines.length < 2) return false;
  const last = docstring.endsWith("\n") ? 0 : codePointLength(lines[lines.length - 1]!);
  return last + 3 > lineLength;
}

/** Indents all lines but the first anew, keeping their indentation relative to each other (PEP 257). */
function fixMultilineDocstring(docstring: string, indent: string): string {
  const lines = docstring.split("\n");
  for (let i = 0; i < lines.length; i++) lines[i] = expandLeadingTabs(lines[i]!);
  let common = Number.MAX_SAFE_INTEGER;
  for (let i = 1; i < lines.length; i++) {
    const line = lines[i]!;
    const stripped = lstrip(line);
    if (stripped !== "") common = Math.min(common, line.length - stripped.length);
  }
  const first = strip(lines[0]!);
  if (common === Number.MAX_SAFE_INTEGER) return first;
  let fixed = first;
  for (let i = 1; i < lines.length; i++) {
    const text = rstrip(lines[i]!.slice(common));
    fixed += text !== "" || i === lines.length - 1 ? `\n${indent}${text}` : "\n";
  }
  return fixed;
}

/** `strings.py` lines_with_leading_tabs_expanded, for one line. */
function expandLeadingTabs(line: string): string {
  const stripped = lstrip(line);
  if (stripped === "" || stripped.length === line.length) return line;
  return expandtabs(line.slice(0, line.length - stripped.length), INDENT) + stripped;
}
