/** Rows as CSV by RFC 4180, with a head. What a spreadsheet would take for a formula is quoted as text. */
export function csvOf(rows: readonly object[]): string {
  const first = rows[0];
  if (first === undefined) return "";
  const names = Object.keys(first);
  const lines = rows.map((row) => Object.values(row).map(cell).join(","));
  return [names.join(","), ...lines, ""].join("\r\n");
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return String(value);
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const safe = /^[=+\-@\t\r\n＝＋－＠]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
