/** The rows of a Markdown page's first table behind a heading, or of its first table; each cell by its column's title. */
export function measuredTable(page: string, heading?: string): Record<string, string>[] {
  const start = heading === undefined ? 0 : page.indexOf(`\n## ${heading}\n`);
  if (start === -1) throw new Error(`There is no heading "${heading}"`);
  const lines = page.slice(start).split("\n");
  const first = lines.findIndex((line) => line.startsWith("|"));
  if (first === -1) throw new Error("There is no table");
  const end = lines.findIndex((line, index) => index > first && !line.startsWith("|"));
  const [titles, , ...rows] = lines.slice(first, end === -1 ? undefined : end).map(cellsOf);
  return rows.map((cells) => Object.fromEntries(titles!.map((title, index) => [title, cells[index] ?? ""])));
}

function cellsOf(line: string): string[] {
  return line
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());
}
