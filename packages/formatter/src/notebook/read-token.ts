import { lazy } from "../util/lazy.ts";

/** What a token of a cell is. */
export type CellTokenKind = "name" | "number" | "string" | "op" | "comment";

const tokenPattern = lazy(
  () =>
    new RegExp(
      [
        String.raw`(?<comment>#[^\r\n]*)`,
        `(?<quotes>[rbuftRBUFT]{0,2}(?:"""|'''|"|'))`,
        String.raw`(?<number>[0-9][0-9a-zA-Z_.]*|\.[0-9][0-9a-zA-Z_]*)`,
        String.raw`(?<name>[a-zA-Z_\x80-\u{10ffff}][0-9a-zA-Z_\x80-\u{10ffff}]*)`,
        String.raw`(?<op>\*\*=?|//=?|>>=?|<<=?|->|:=|[-+*/%&|^@=<>!]=|.)`,
      ].join("|"),
      "suy",
    ),
);

/** Nothing closes the string. */
const UNTERMINATED = -1;
/** The tokenizer gives up before the string's end. */
const BROKEN = -2;

/** CPython gives up at more f-strings within each other (`Parser/lexer/state.h` MAXFSTRINGLEVEL). */
const MAX_NESTED_STRINGS = 150;

/**
 * Reads the token at an offset, where no white space is. One quote that opens no string is an operator.
 *
 * @returns its kind and where it ends; `undefined` where a triple-quoted string never ends.
 */
export function readToken(cell: string, at: number): { kind: CellTokenKind; end: number } | undefined {
  const { groups, end } = matchAt(cell, at);
  if (groups.comment !== undefined) return { kind: "comment", end };
  if (groups.number !== undefined) return { kind: "number", end };
  if (groups.name !== undefined) return { kind: "name", end };
  if (groups.quotes === undefined) return { kind: "op", end };
  const stringEnd = endOfString(cell, end, groups.quotes, 0);
  if (stringEnd >= 0) return { kind: "string", end: stringEnd };
  return stringEnd === UNTERMINATED && isTriple(groups.quotes) ? undefined : { kind: "op", end };
}

/** The kind of the token at an offset, and its end; of a string, the end of the opening quotes. */
function matchAt(cell: string, at: number): { groups: Record<string, string | undefined>; end: number } {
  const pattern = tokenPattern();
  pattern.lastIndex = at;
  const match = pattern.exec(cell)!;
  return { groups: match.groups!, end: at + match[0].length };
}

function isTriple(opening: string): boolean {
  return opening.length >= 3 && opening.at(-2) === opening.at(-1);
}

/** Offset behind the closing quotes of a string of which `opening` has been read, or why there is none. */
function endOfString(cell: string, start: number, opening: string, depth: number): number {
  const quotes = opening.slice(isTriple(opening) ? -3 : -1);
  const prefix = opening.slice(0, -quotes.length).toLowerCase();
  if (/[ft]/.test(prefix)) {
    if (depth > MAX_NESTED_STRINGS) return BROKEN;
    return endOfFields(cell, start, { quotes, isRaw: prefix.includes("r"), depth });
  }
  for (let at = start; at < cell.length; at++) {
    if (cell[at] === "\\") at++;
    else if (cell.startsWith(quotes, at)) return at + quotes.length;
    else if (quotes.length === 1 && cell[at] === "\n") break;
  }
  return UNTERMINATED;
}

/** An f-string or t-string whose end is looked for. */
interface OpenString {
  readonly quotes: string;
  readonly isRaw: boolean;
  /** How many others it stands in. */
  readonly depth: number;
}

/** Offset behind the closing quotes: text and fields in turns. */
function endOfFields(cell: string, start: number, string: OpenString): number {
  for (let at = start; ; ) {
    at = endOfText(cell, at, string, false);
    if (at < 0) return at;
    if (cell[at] !== "{") return at + string.quotes.length;
    at = endOfField(cell, at + 1, string);
    if (at < 0) return at;
  }
}

/** Offset of the field or of the quotes that end a text; of a format spec, of the field or the brace. */
function endOfText(cell: string, start: number, { quotes, isRaw }: OpenString, isSpec: boolean): number {
  for (let at = start; at < cell.length; at++) {
    const char = cell[at]!;
    if (char === "\\") {
      if (!isRaw && cell.startsWith("N{", at + 1)) {
        at = cell.indexOf("}", at);
        if (at === -1) return BROKEN;
      } else if (!"{}".includes(cell[at + 1] ?? " ")) at++;
    } else if (char === "{") {
      if (isSpec || cell[at + 1] !== "{") return at;
      at++;
    } else if (char === "}") {
      if (isSpec) return at;
      if (cell[at + 1] !== "}") return BROKEN;
      at++;
    } else if (cell.startsWith(quotes, at)) return isSpec ? BROKEN : at;
    else if (char === "\n" && quotes.length === 1) return isSpec ? at : BROKEN;
  }
  return UNTERMINATED;
}

/** Offset behind the brace that closes a field, of which the opening one has been read. */
function endOfField(cell: string, start: number, string: OpenString): number {
  let brackets = 0;
  for (let at = start; at < cell.length; ) {
    const { groups, end } = matchAt(cell, at);
    if (groups.quotes !== undefined) {
      at = endOfString(cell, end, groups.quotes, string.depth + 1);
      if (at < 0) return at;
      continue;
    }
    const char = cell[at]!;
    at = end;
    if (groups.op === undefined) continue;
    if ("([{".includes(char)) brackets++;
    else if (brackets > 0) brackets -= ")]}".includes(char) ? 1 : 0;
    else if (char === "}") return at;
    else if (char === ":") {
      at = endOfSpec(cell, end - groups.op.length + 1, string);
      if (at < 0 || cell[at] === "}") return at < 0 ? at : at + 1;
    }
  }
  return UNTERMINATED;
}

/** Offset of the brace or the line break that ends a format spec, whose fields are passed over. */
function endOfSpec(cell: string, start: number, string: OpenString): number {
  for (let at = start; ; ) {
    at = endOfText(cell, at, string, true);
    if (at < 0 || cell[at] !== "{") return at;
    at = endOfField(cell, at + 1, string);
    if (at < 0) return at;
  }
}
