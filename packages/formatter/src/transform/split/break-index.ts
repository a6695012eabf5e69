import { fexprSpans, type Span } from "../fexpr-spans.ts";
import { isSplitSafe, lowerPrefix } from "../string-leaf.ts";

/** Characters that both parts of a broken string must have at least (Black: MIN_SUBSTR_SIZE). */
const MIN_PART_LENGTH = 6;

/**
 * Where to break the string literal: at the last space, or after the last East Asian stop, up to `max`, or else at
 * the first one behind it; not within a replacement field, a `\N{...}` or an escape. `undefined` when there is no
 * such place. Indices count code points (Black: _get_break_idx).
 */
export function breakIndex(literal: string, max: number): number | undefined {
  const chars = codePoints(literal);
  if (max < 0 || max >= chars.length) return undefined;
  const unbreakable = lowerPrefix(literal).includes("f") ? fexprSpans(chars) : [];
  if (literal.includes("\\N")) unbreakable.push(...namedEscapes(chars));
  const canBreak = (index: number): boolean => canBreakAt(chars, index, unbreakable);
  for (let i = max; i > 0; i--) if (canBreak(i)) return i;
  for (let i = max + 1; i < chars.length; i++) if (canBreak(i)) return i;
  return undefined;
}

/** The code points of a text; a text without surrogates is indexed as it is. */
function codePoints(text: string): ArrayLike<string> {
  return /[\ud800-\udbff]/.test(text) ? Array.from(text) : text;
}

function canBreakAt(chars: ArrayLike<string>, index: number, unbreakable: readonly Span[]): boolean {
  if (chars[index] !== " " && !isSplitSafe(chars[index - 1])) return false;
  if (index < MIN_PART_LENGTH || chars.length - index < MIN_PART_LENGTH) return false;
  let backslashes = 0;
  while (chars[index - 1 - backslashes] === "\\") backslashes++;
  if (backslashes % 2 === 1) return false;
  return !unbreakable.some(([from, to]) => from <= index && index < to);
}

/**
 * Fails in Black's words where a `\N` has no `}` behind it: Black has not looked yet whether the source is Python
 * (_iter_nameescape_slices).
 */
export function assertNamesEnd(literal: string): void {
  if (!literal.includes("\\N")) return;
  const last = namedEscapes(literal).at(-1);
  if (last?.[1] === literal.length) throw new Error("StringSplitter LOGIC ERROR!");
}

/** The places of `\N{...}` (Black: _iter_nameescape_slices). */
function namedEscapes(chars: ArrayLike<string>): Span[] {
  const spans: Span[] = [];
  let escaped = false;
  for (let i = 0; i < chars.length; i++) {
    if (chars[i] === "\\") {
      escaped = !escaped;
      continue;
    }
    if (escaped && chars[i] === "N") {
      const start = i - 1;
      while (i < chars.length && chars[i] !== "}") i++;
      spans.push([start, i]);
    }
    escaped = false;
  }
  return spans;
}
