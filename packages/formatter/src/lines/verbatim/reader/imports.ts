/** Import statements (`Grammar.txt`: import_name, import_from). */
import { Bracket } from "../bracket.ts";
import * as Before from "./before.ts";
import * as Level from "./level.ts";
import { breakLine } from "./line-breaks.ts";
import { readDottedName, readName } from "./names.ts";
import type { Reader } from "./reader.ts";

const LF = 10;
const SPACE = 32;
const LPAR = 40;
const RPAR = 41;
const STAR = 42;
const COMMA = 44;
const DOT = 46;

/** The modules of `import`, from behind the keyword on; returns where they end, or -1. */
export function readImportName(r: Reader, from: number): number {
  let end = from;
  for (;;) {
    if (r.codes[end] !== SPACE) return -1;
    end = readAlias(r, readDottedName(r, end + 1));
    if (end === -1 || r.codes[end] !== COMMA) return end;
    end++;
  }
}

/** The module and the names of `from ... import`, from behind the first keyword on. */
export function readImportFrom(r: Reader, from: number): number {
  const { codes, source } = r;
  if (codes[from] !== SPACE || source.startsWith("__future__", from + 1)) return -1;
  let end = from + 1;
  while (codes[end] === DOT) end++;
  const isRelative = end > from + 1;
  if (!isRelative || codes[end] !== SPACE) end = readDottedName(r, end);
  if (end === -1 || !source.startsWith(" import ", end)) return -1;
  end += " import ".length;
  if (codes[end] === STAR) return end + 1;
  if (codes[end] === LPAR) return readSplitNames(r, end + 1);
  for (;;) {
    end = readAlias(r, readName(r, end));
    if (end === -1 || codes[end] !== COMMA) return end;
    if (codes[end + 1] !== SPACE) return -1;
    end += 2;
  }
}

/** Names on lines of their own, each with a comma, and the closing parenthesis. */
function readSplitNames(r: Reader, from: number): number {
  const { codes } = r;
  if (codes[from] !== LF || !r.open(Level.GROUP, Bracket.NAMES)) return -1;
  let at = breakLine(r, from);
  while (at !== -1) {
    if (codes[at] === RPAR) {
      r.close();
      return at + 1;
    }
    const end = readAlias(r, readName(r, at));
    if (end === -1 || codes[end] !== COMMA || codes[end + 1] !== LF) return -1;
    r.before = Before.COMMA;
    at = breakLine(r, end + 1);
  }
  return -1;
}

/** A name behind which `as` and another may follow; passes the failure of what is before on. */
function readAlias(r: Reader, end: number): number {
  if (end === -1 || !r.source.startsWith(" as ", end)) return end;
  return readName(r, end + " as ".length);
}
