/** What formatting may add or take away beside space. */
const MOVABLE = /[(),;\\]/;
const QUOTES = `'"`;

/**
 * Where a place of a text is in the formatted text: behind as many of its characters, which formatting keeps but for
 * space, quotes, parentheses and trailing commas.
 */
export function mapOffset(before: string, after: string, offset: number): number {
  let mapped = 0;
  for (let i = 0; i < offset && mapped < after.length; i++) {
    const char = before[i]!;
    if (isSpace(char)) continue;
    const found = find(char, after, mapped);
    if (found !== -1) mapped = found + 1;
    else if (!MOVABLE.test(char)) mapped++;
  }
  // In front of a word stays in front of it, also where it is on another line now.
  const isBehind = offset === 0 || !isSpace(before[offset - 1]!);
  if (!isBehind && offset < before.length && !isSpace(before[offset]!))
    while (mapped < after.length && isSpace(after[mapped]!)) mapped++;
  return mapped;
}

/** Where the character comes next, with nothing before it but what may have been added; -1 otherwise. */
function find(char: string, after: string, start: number): number {
  for (let at = start; at < after.length; at++) {
    const other = after[at]!;
    if (other === char || (QUOTES.includes(char) && QUOTES.includes(other))) return at;
    if (!isSpace(other) && !MOVABLE.test(other)) return -1;
  }
  return -1;
}

function isSpace(char: string): boolean {
  return /\s/.test(char);
}
