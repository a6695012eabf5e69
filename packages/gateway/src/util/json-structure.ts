/** What has a meaning of its own outside of strings, values and separators aside. */
const marks = /["[\]{}]/g;
const objectStart = /^[ \t\r\n]*\{/;
const onlySpace = /^[ \t\r\n]*$/;

/**
 * Whether a text has the structure of one JSON object: every string ends, every bracket is closed by its own kind, and
 * nothing follows the last. For texts that are too long to be parsed for this alone: what was cut off or patched together
 * does not pass; a wrong number or escape does.
 */
export function hasObjectStructure(text: string): boolean {
  if (!objectStart.test(text)) return false;
  const open: string[] = [];
  for (marks.lastIndex = 0; marks.test(text); ) {
    const at = marks.lastIndex - 1;
    const mark = text[at]!;
    if (mark === '"') {
      const end = stringEnd(text, at);
      if (end === -1) return false;
      marks.lastIndex = end + 1;
    } else if (mark === "{" || mark === "[") open.push(mark);
    else if (open.pop() !== (mark === "}" ? "{" : "[")) return false;
    else if (open.length === 0) return onlySpace.test(text.slice(at + 1));
  }
  return false;
}

/** The closing quote of the string that begins at `start`; -1 where it does not end. */
function stringEnd(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end;
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text[at - slashes - 1] === "\\") slashes += 1;
  return slashes % 2 === 1;
}
