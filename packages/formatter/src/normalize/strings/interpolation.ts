/** Finds the replacement fields of an f-string or t-string (the tokenizer's view of `fstring_replacement_field`). */
import { isStringPrefixChar } from "../../syntax/predicates/strings.ts";

const DOUBLE = 0x22;
const SINGLE = 0x27;
const BACKSLASH = 0x5c;
const LBRACE = 0x7b;
const RBRACE = 0x7d;

/**
 * Whether any top-level replacement field of the literal holds a backslash, nested strings and format
 * specifications included (the condition in `linegen.py` visit_fstring and visit_tstring).
 */
export function hasBackslashInField(literal: string): boolean {
  if (literal.indexOf("\\") === -1) return false;
  const scan = { text: literal, seen: false };
  scanLiteral(scan, 0);
  return scan.seen;
}

/** `seen` becomes true at a backslash in a field; the scan goes on only to find where things end. */
interface Scan {
  readonly text: string;
  seen: boolean;
}

/** Reads the interpolated literal at `at`, prefix first; returns the index after its closing quote. */
function scanLiteral(scan: Scan, at: number): number {
  const { text } = scan;
  const prefix = prefixEnd(text, at);
  const isRaw = text.slice(at, prefix).toLowerCase().includes("r");
  const width = quoteWidth(text, prefix);
  const quote = text.slice(prefix, prefix + width);
  let i = prefix + width;
  while (i < text.length) {
    const code = text.charCodeAt(i);
    if (code === BACKSLASH) {
      i = afterEscape(text, i, isRaw);
    } else if (code === LBRACE) {
      if (text.charCodeAt(i + 1) === LBRACE) {
        i += 2;
      } else {
        const end = scanField(scan, i + 1, width);
        if (text.slice(i, end).includes("\\")) scan.seen = true;
        i = end;
      }
    } else if (text.startsWith(quote, i)) {
      return i + width;
    } else {
      i++;
    }
  }
  return i;
}

/** A backslash does not escape a brace; `\N{` belongs together except in a raw string. */
function afterEscape(text: string, at: number, isRaw: boolean): number {
  let i = at + 1;
  if (!isRaw && text.startsWith("N{", i)) i += 2;
  const code = text.charCodeAt(i);
  return code === LBRACE || code === RBRACE ? i : i + 1;
}

/** Reads a field's expression and format specification; returns the index after its `}`. */
function scanField(scan: Scan, start: number, quoteWidthOutside: number): number {
  const { text } = scan;
  let depth = 0;
  let i = start;
  while (i < text.length) {
    const code = text.charCodeAt(i);
    if (isStringStart(text, i)) {
      i = scanNested(scan, i);
      continue;
    }
    if (code === 0x23 /* # */) {
      const end = text.indexOf("\n", i);
      i = end === -1 ? text.length : end;
      continue;
    }
    if (code === RBRACE && depth === 0) return i + 1;
    if (code === 0x3a /* : */ && depth === 0) return scanSpecification(scan, i + 1, quoteWidthOutside);
    if (code === 0x28 || code === 0x5b || code === LBRACE) depth++;
    else if (code === 0x29 || code === 0x5d || code === RBRACE) depth--;
    i++;
  }
  return i;
}

/** Fields nest in a format specification, except in a triple-quoted literal. */
function scanSpecification(scan: Scan, start: number, quoteWidthOutside: number): number {
  const { text } = scan;
  let i = start;
  while (i < text.length) {
    const code = text.charCodeAt(i);
    if (code === RBRACE) return i + 1;
    if (code === LBRACE && quoteWidthOutside === 1) i = scanField(scan, i + 1, 1);
    else i++;
  }
  return i;
}

/** A string starts at a quote, or at prefix letters before one unless they end a longer name. */
function isStringStart(text: string, at: number): boolean {
  const end = prefixEnd(text, at);
  const code = text.charCodeAt(end);
  if (code !== DOUBLE && code !== SINGLE) return false;
  return end === at || !/[\p{ID_Continue}]/u.test(text[at - 1] ?? "");
}

function scanNested(scan: Scan, at: number): number {
  const { text } = scan;
  const prefix = prefixEnd(text, at);
  const letters = text.slice(at, prefix).toLowerCase();
  if (letters.includes("f") || letters.includes("t")) return scanLiteral(scan, at);
  const width = quoteWidth(text, prefix);
  const quote = text.slice(prefix, prefix + width);
  let i = prefix + width;
  while (i < text.length && !text.startsWith(quote, i)) i += text.charCodeAt(i) === BACKSLASH ? 2 : 1;
  return i + width;
}

function prefixEnd(text: string, at: number): number {
  let end = at;
  while (end < text.length && isStringPrefixChar(text.charCodeAt(end))) end++;
  return end;
}

/** Number of characters in the quote. */
function quoteWidth(text: string, at: number): number {
  const quote = text.charCodeAt(at);
  return text.charCodeAt(at + 1) === quote && text.charCodeAt(at + 2) === quote ? 3 : 1;
}
