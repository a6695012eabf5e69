import { Content } from "../bracket.ts";
import * as Before from "./before.ts";
import * as CodeClass from "./code-class.ts";
import { codeClasses } from "./code-classes.ts";
import { endsOperand, type Reader } from "./reader.ts";

const SPACE = 32;
const LPAR = 40;

/** Goes to the next line within brackets; returns where its first token starts. */
export function breakLine(r: Reader, end: number): number {
  if (!r.canSplit) return -1;
  const { codes, split, before, depth } = r;
  let at = end + 1;
  while (codes[at] === SPACE) at++;
  const code = codes[at]!;
  let isDue = false;
  if (codeClasses[code] === CodeClass.CLOSING) {
    isDue = split.close(codes, end, at, depth, before === Before.COMMA, contentOf(r));
  } else if (before === Before.COMMA) isDue = split.next(codes, end, at, depth);
  else if (before === Before.OPENING) isDue = split.open(codes, end, at, depth, r.bracket, code === LPAR);
  else if (endsOperand(before)) isDue = split.breakElement(codes, end, at, depth);
  else if (before === Before.SPLIT_CLOSING) {
    isDue = split.breakElement(codes, end, at, depth);
    r.before = Before.CLOSING;
  }
  if (!isDue) return -1;
  r.hasSplit = true;
  r.lineBreaks++;
  return at;
}

/** What the brackets that are about to close end with, or hold if that is a value without brackets. */
function contentOf(r: Reader): number {
  if (r.before === Before.CLOSING || r.before === Before.SPLIT_CLOSING) return Content.BRACKET;
  return r.mayBeLone && r.brackets === r.bracketsBefore + 1 ? Content.LONE : Content.OTHER;
}
