/** Names that are no keywords. */
import { Kind } from "../../../syntax/kinds.ts";
import { nameKind } from "../../../tokenize/keywords.ts";
import * as CodeClass from "./code-class.ts";
import { codeClasses, nameCodes } from "./code-classes.ts";
import type { Reader } from "./reader.ts";

const DOT = 46;

export function readDottedName(r: Reader, from: number): number {
  let end = readName(r, from);
  while (end !== -1 && r.codes[end] === DOT) end = readName(r, end + 1);
  return end;
}

/** A name that is no keyword; returns its end, or -1. */
export function readName(r: Reader, from: number): number {
  const { codes } = r;
  if (codeClasses[codes[from]!] !== CodeClass.NAME) return -1;
  let end = from + 1;
  while (nameCodes[codes[end]!] === 1) end++;
  const kind = nameKind(codes, from, end);
  return kind === Kind.NAME || kind >= Kind.KW_NONE ? end : -1;
}
