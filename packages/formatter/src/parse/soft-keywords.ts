/**
 * Whether `match` and `type` at the start of a statement are keywords. Black's parser follows both readings token by
 * token and keeps the one that lives longer (blib2to3 `pgen2/parse.py` Recorder); here one bounded attempt decides.
 */
import { kindSet } from "../syntax/kind-set.ts";
import { Kind } from "../syntax/kinds.ts";
import { TokenKind } from "../tokenize/token-kind.ts";
import { parseSubject } from "./expressions.ts";
import { names, startsTestOrStar } from "./first-sets.ts";
import { type Parser, SyntaxFailure } from "./parser.ts";

/** Tokens that begin a subject and may as well go on with an expression that starts with the name. */
const ambiguous = kindSet([Kind.LPAR, Kind.LSQB, Kind.MINUS, Kind.PLUS, Kind.STAR, Kind.DOT, Kind.KW_NOT]);

/** Whether `type` begins an alias: only then a name follows. */
export function isTypeAlias(p: Parser): boolean {
  if (!p.softKeywords) return false;
  if (names[p.nextKind] === 1) return true;
  takeForName(p, p.at, p.at + 1);
  return false;
}

/** Whether `match` begins a match statement. */
export function isMatchStatement(p: Parser): boolean {
  if (!p.softKeywords) return false;
  const next = p.nextKind;
  if (startsTestOrStar[next] === 0) {
    takeForName(p, p.at, p.at + 1);
    return false;
  }
  if (ambiguous[next] === 0) return true;
  const end = endOfSubject(p);
  if (end === -1) return true;
  takeForName(p, p.at, end);
  return false;
}

function takeForName(p: Parser, keyword: number, end: number): void {
  p.softKeywordAt = keyword;
  p.softKeywordEnd = end;
}

/** Tries `match SUBJECT ':' NEWLINE`; -1 when it is there, else the token at which it is not. */
function endOfSubject(p: Parser): number {
  const { at } = p;
  const { count } = p.tree;
  const { features, softKeywordEnd } = p;
  p.softKeywordEnd = -1;
  let end = -1;
  try {
    p.advance();
    parseSubject(p);
    if (p.is(Kind.COLON)) p.advance();
    else p.fail();
    if (!p.is(Kind.NEWLINE)) p.fail();
  } catch (error) {
    if (!(error instanceof SyntaxFailure) || p.kinds[error.token] === TokenKind.ERROR) throw error;
    end = error.token;
  }
  p.rewind(at, count);
  p.features = features;
  p.softKeywordEnd = softKeywordEnd;
  return end;
}
