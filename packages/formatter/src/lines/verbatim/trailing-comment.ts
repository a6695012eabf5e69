import { isPlainContent } from "../../comments/plain-content.ts";

const HASH = 35;
const COLON = 58;
const SPACE = 32;

/** Whether the gap is two spaces and a comment that is printed as it is and is no `# type:` comment. */
export function isNormalTrailingComment(source: string, start: number, end: number): boolean {
  if (source.charCodeAt(start) !== SPACE || source.charCodeAt(start + 1) !== SPACE) return false;
  if (source.charCodeAt(start + 2) !== HASH || end - start < 5) return false;
  const second = source.charCodeAt(start + 3);
  return (second === SPACE || second === COLON) && isPlainContent(source, start + 4, end);
}
