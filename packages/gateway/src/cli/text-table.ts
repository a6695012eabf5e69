/** Rows as columns that stand under each other, the first row being their heads; columns of numbers stand to the right. */
export function textTable(
  rows: readonly (readonly string[])[],
  numbers: ReadonlySet<number> = new Set(),
): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const cell = (text: string, column: number): string =>
    numbers.has(column) ? text.padStart(widths[column]!) : text.padEnd(widths[column]!);
  return rows.map((row) => `${row.map(cell).join("  ").trimEnd()}\n`).join("");
}
