/** Double quotes where that needs no more escapes (`strings.py` normalize_string_quotes). */
import { stringPrefixLength } from "../../syntax/predicates/strings.ts";

/** The three patterns round one kind of quote (Black compiles them per quote). */
interface QuotePatterns {
  /** An even number of backslashes, then the quote. */
  readonly unescaped: RegExp;
  /** An odd number of backslashes, then the quote. */
  readonly escaped: RegExp;
}

const patterns: Readonly<Record<string, QuotePatterns>> = {
  "'": { unescaped: /((?:[^\\]|^)(?:\\\\)*)'/g, escaped: /([^\\]|^)\\((?:\\\\)*)'/g },
  '"': { unescaped: /((?:[^\\]|^)(?:\\\\)*)"/g, escaped: /([^\\]|^)\\((?:\\\\)*)"/g },
  "'''": { unescaped: /((?:[^\\]|^)(?:\\\\)*)'''/g, escaped: /([^\\]|^)\\((?:\\\\)*)'''/g },
  '"""': { unescaped: /((?:[^\\]|^)(?:\\\\)*)"""/g, escaped: /([^\\]|^)\\((?:\\\\)*)"""/g },
};

/** The contents of single braces in an f-string or t-string. */
const interpolations = /(?:(?<!\{)|^)\{([^{][^\n]*?)\}(?:(?!\})|$)/g;

const DOUBLE = 0x22;
const SINGLE = 0x27;
const BACKSLASH = 0x5c;

/** The literal in double quotes, unless these would need more backslashes; superfluous ones are dropped. */
export function normalizeStringQuotes(literal: string): string {
  const start = stringPrefixLength(literal);
  const quote = literal.charCodeAt(start);
  const isTriple =
    literal.charCodeAt(start + 1) === quote &&
    literal.charCodeAt(start + 2) === quote &&
    literal.length >= start + 6;
  if (isTriple && quote === DOUBLE) return literal;

  const width = isTriple ? 3 : 1;
  const seen = contentsOf(literal, start + width, literal.length - width);
  if (quote === DOUBLE) {
    if ((seen & HAS_BACKSLASH) === 0 || (seen & HAS_QUOTE) === 0) return literal;
  } else {
    const hasDouble = (seen & HAS_DOUBLE) !== 0;
    if ((seen & HAS_BACKSLASH) === 0 && hasDouble && !isTriple) return literal;
    // Without quotes in it a literal has no escapes that would change; only a field may not hold any.
    if ((seen & HAS_BACKSLASH) === 0 ? !hasDouble : (seen & HAS_QUOTE) === 0 && start === 0)
      return requoted(literal, start, width);
  }
  return weighEscapes(literal, start, width);
}

const HAS_DOUBLE = 1;
const HAS_SINGLE = 2;
const HAS_QUOTE = HAS_DOUBLE | HAS_SINGLE;
const HAS_BACKSLASH = 4;

/** Which of the characters that matter occur in the range, as bits. */
function contentsOf(text: string, start: number, end: number): number {
  let seen = 0;
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code === DOUBLE) seen |= HAS_DOUBLE;
    else if (code === SINGLE) seen |= HAS_SINGLE;
    else if (code === BACKSLASH) seen |= HAS_BACKSLASH;
  }
  return seen;
}

/** The literal with its single quotes replaced by as many double ones. */
function requoted(literal: string, start: number, width: number): string {
  const quotes = width === 3 ? '"""' : '"';
  return literal.slice(0, start) + quotes + literal.slice(start + width, literal.length - width) + quotes;
}

/** The general case: rewrites the escapes for the other quote and compares their numbers. */
function weighEscapes(literal: string, start: number, width: number): string {
  const prefix = literal.slice(0, start);
  const oldQuote = literal.slice(start, start + width);
  const newQuote = width === 3 ? '"""' : oldQuote === '"' ? "'" : '"';
  let unchanged = literal;
  let body = literal.slice(start + width, literal.length - width);
  let newBody = body;
  const lowered = prefix.toLowerCase();
  if (lowered.includes("r")) {
    if (body.search(patterns[newQuote]!.unescaped) !== -1) return literal;
  } else {
    newBody = replaceTwice(body, patterns[newQuote]!.escaped, `$1$2${newQuote}`);
    if (newBody !== body) {
      body = newBody;
      unchanged = prefix + oldQuote + body + oldQuote;
    }
    newBody = replaceTwice(newBody, patterns[oldQuote]!.escaped, `$1$2${oldQuote}`);
    newBody = replaceTwice(newBody, patterns[newQuote]!.unescaped, `$1\\${newQuote}`);
  }
  if ((lowered.includes("f") || lowered.includes("t")) && hasEscapeInInterpolation(newBody)) return unchanged;
  if (newQuote === '"""' && endsWithUnescapedQuote(newBody)) newBody = `${newBody.slice(0, -1)}\\"`;
  const oldEscapes = countBackslashes(body);
  const newEscapes = countBackslashes(newBody);
  if (newEscapes > oldEscapes || (newEscapes === oldEscapes && oldQuote === '"')) return unchanged;
  return prefix + newQuote + newBody + newQuote;
}

/** Twice, because a match takes the character before it, which may be the end of the match before (`sub_twice`). */
function replaceTwice(text: string, pattern: RegExp, replacement: string): string {
  const once = text.replace(pattern, replacement);
  return once === text ? text : once.replace(pattern, replacement);
}

function hasEscapeInInterpolation(body: string): boolean {
  for (const match of body.matchAll(interpolations)) if (match[1]!.includes("\\")) return true;
  return false;
}

/** Whether the text ends in `"` after an even number of backslashes (`_ends_with_unescaped_quote`). */
function endsWithUnescapedQuote(text: string): boolean {
  if (!text.endsWith('"')) return false;
  let at = text.length - 2;
  while (at >= 0 && text.charCodeAt(at) === BACKSLASH) at--;
  return (text.length - 2 - at) % 2 === 0;
}

function countBackslashes(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) === BACKSLASH) count++;
  return count;
}
