/** What stands for a character that cannot be kept. */
const REPLACEMENT = "\ufffd";

/**
 * A text as both databases keep it. PostgreSQL refuses a statement with a NUL in a text, and its JSON half a surrogate pair
 * too; callers write either into any id or name. The same character stands for both, so that what is looked for by such a
 * text is found where it was kept, and nowhere else.
 */
export function storableText(text: string): string {
  const whole = text.toWellFormed();
  return whole.includes("\0") ? whole.replaceAll("\0", REPLACEMENT) : whole;
}
