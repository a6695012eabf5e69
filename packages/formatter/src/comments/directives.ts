/** `# fmt:` and `# yapf:` comments (`comments.py` contains_fmt_directive). */
import { strip } from "../util/python-text.ts";

export const FMT_OFF: readonly string[] = ["# fmt: off", "# fmt:off", "# yapf: disable"];
export const FMT_SKIP: readonly string[] = ["# fmt: skip", "# fmt:skip"];
export const FMT_ON: readonly string[] = ["# fmt: on", "# fmt:on", "# yapf: enable"];
export const FMT_ANY: readonly string[] = [...FMT_OFF, ...FMT_SKIP, ...FMT_ON];

const PREFIX = "# ";

/** Whether the text can hold a directive at all. */
export function mayHoldDirective(text: string): boolean {
  return text.includes("fmt:") || text.includes("yapf:");
}

/** Whether the comment is one of the directives, alone, behind another comment, or in a list with semicolons. */
export function containsFmtDirective(comment: string, directives: readonly string[]): boolean {
  if (!mayHoldDirective(comment)) return false;
  if (directives.includes(comment)) return true;
  const parts = comment.split(PREFIX);
  for (let i = 1; i < parts.length; i++) if (directives.includes(PREFIX + strip(parts[i]!))) return true;
  for (const part of stripHashes(comment).split(";")) {
    if (directives.includes(PREFIX + strip(part))) return true;
  }
  return false;
}

/** The text without `#` and spaces at both ends. */
function stripHashes(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isHashOrSpace(text.charCodeAt(start))) start++;
  while (end > start && isHashOrSpace(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

function isHashOrSpace(code: number): boolean {
  return code === 0x23 || code === 0x20;
}
