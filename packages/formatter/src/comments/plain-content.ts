const SPACE = 0x20;

/**
 * Whether `makeComment` leaves what follows a comment's first characters as it is, for reasons that are easy to see:
 * printable ASCII without a space at its end, and no `type:` comment. The range is not empty.
 */
export function isPlainContent(source: string, start: number, end: number): boolean {
  let content = start;
  while (content < end && source.charCodeAt(content) === SPACE) content++;
  if (source.startsWith("type:", content)) return false;
  for (let at = content; at < end; at++) {
    const code = source.charCodeAt(at);
    if (code < SPACE || code > 0x7e) return false;
  }
  return source.charCodeAt(end - 1) !== SPACE;
}
