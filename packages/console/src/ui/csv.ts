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
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Hands a text to the reader as a file. */
export function download(name: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
