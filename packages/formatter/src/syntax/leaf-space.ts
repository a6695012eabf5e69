/** What `tree.space` says of the white space before a leaf: spaces, plus `LINE_BREAK` for each line break before them. */
export const LINE_BREAK = 16;
export const MOST_LINE_BREAKS = 15;

/** The white space as text. Spaces of leaves without a text may be added up to more than one leaf has. */
export function spaceText(space: number): string {
  if (space < LINE_BREAK) return " ".repeat(space);
  return "\n".repeat(Math.floor(space / LINE_BREAK)) + " ".repeat(space % LINE_BREAK);
}

/** Number of its characters. */
export function spaceLength(space: number): number {
  return space < LINE_BREAK ? space : Math.floor(space / LINE_BREAK) + (space % LINE_BREAK);
}
