/** What most cells have nothing of. */
const SPECIAL = /^[=+\-@\t\r\n＝＋－＠]|[",\r\n]/;

/**
 * A cell of RFC 4180. A text that a spreadsheet would take for a formula gets an apostrophe (OWASP, CSV injection), also
 * where its first character has the width of Chinese ones.
 */
export function csvCell(value: string | number | null): string {
  if (typeof value === "number") return String(value);
  if (value !== null && !SPECIAL.test(value)) return value;
  const text = value === null ? "" : /^[=+\-@\t\r\n＝＋－＠]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
