const HASH = 35;
const COLON = 58;
const SPACE = 32;

/** Whether the gap is two spaces and a comment that is printed as it is and is no `# type:` comment. */
export function isNormalTrailingComment(source: string, start: number, end: number): boolean {
  if (source.charCodeAt(start) !== SPACE || source.charCodeAt(start + 1) !== SPACE) return false;
  if (source.charCodeAt(start + 2) !== HASH || end - start < 5) return false;
  const second = source.charCodeAt(start + 3);
  if (second !== SPACE && second !== COLON) return false;
  let content = start + 4;
  while (content < end && source.charCodeAt(content) === SPACE) content++;
  if (source.startsWith("type:", content)) return false;
  for (let at = content; at < end; at++) {
    const code = source.charCodeAt(at);
    if (code < SPACE || code > 126) return false;
  }
  return content < end && source.charCodeAt(end - 1) !== SPACE;
}
