/** A range of characters, first included, last excluded. */
export type Span = readonly [start: number, end: number];

/**
 * The replacement fields of an f-string, braces included (Black: iter_fexpr_spans). Takes the characters of the
 * literal one by one, so that the indices count whatever the caller counts. Broken fields are passed over.
 */
export function fexprSpans(chars: ArrayLike<string>): Span[] {
  const spans: Span[] = [];
  const open: number[] = [];
  let i = 0;
  while (i < chars.length) {
    const char = chars[i];
    if (char === "{") {
      // Outside of a field two braces stand for one.
      if (open.length === 0 && chars[i + 1] === "{") {
        i += 2;
        continue;
      }
      open.push(i);
    } else if (char === "}") {
      const start = open.pop();
      if (start !== undefined && open.length === 0) spans.push([start, i + 1]);
    } else if (open.length > 0 && (char === "'" || char === '"')) {
      i = endOfNestedString(chars, i, char);
      continue;
    }
    i++;
  }
  return spans;
}

/** Index after the string that starts at `start` within a field. */
function endOfNestedString(chars: ArrayLike<string>, start: number, quote: string): number {
  const length = chars[start + 1] === quote && chars[start + 2] === quote ? 3 : 1;
  let i = start + length;
  while (i < chars.length && !isDelimiter(chars, i, quote, length)) i++;
  return i + length;
}

function isDelimiter(chars: ArrayLike<string>, at: number, quote: string, length: number): boolean {
  for (let i = at; i < at + length; i++) if (chars[i] !== quote) return false;
  return true;
}

/** Whether an f-string has a replacement field (Black: fstring_contains_expr). */
export function containsFexpr(literal: string): boolean {
  return fexprSpans(literal).length > 0;
}

/** The literal with the other quote in its fields wherever they use `quote` (Black: _toggle_fexpr_quotes). */
export function toggleFexprQuotes(literal: string, quote: string): string {
  const other = quote === '"' ? "'" : '"';
  let result = "";
  let end = 0;
  for (const [from, to] of fexprSpans(literal)) {
    result += literal.slice(end, from) + literal.slice(from, to).replaceAll(quote, other);
    end = to;
  }
  return result + literal.slice(end);
}
