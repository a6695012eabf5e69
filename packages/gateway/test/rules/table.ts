import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { columns } from "./columns/columns.ts";
import type { Operation } from "./operations.ts";

const page = resolve(import.meta.dirname, "../../../../docs/gateway/rules.md");
const marks = /(<!-- npm run rules -w portico -->\n)[\s\S]*?(\n<!-- end -->)/;

/** The table of rules with its legend, as the page has it. */
export function rulesTable(operations: readonly Operation[]): string {
  const letters = new Map<string, string>();
  const letterOf = (why: string): string => {
    const known = letters.get(why) ?? String.fromCharCode("a".charCodeAt(0) + letters.size);
    letters.set(why, known);
    return known;
  };
  const rows = operations.map((operation) => {
    const cells = columns.map((column) => {
      const exemption = column.exempt(operation);
      return exemption === undefined ? "✓" : `n/a ${letterOf(exemption.why)}`;
    });
    return [`${operation.method} ${operation.path}`, operation.forms.length, ...cells];
  });
  const lines = [["Operation", "Paths", ...columns.map(({ name }) => name)], columnRule(), ...rows];
  return [
    ...columns.map(({ name, about }) => `- **${name}**: ${about}.`),
    "",
    ...lines.map((cells) => `| ${cells.join(" | ")} |`),
    "",
    ...[...letters].map(([why, letter]) => `- n/a ${letter}: ${why}.`),
  ].join("\n");
}

function columnRule(): string[] {
  return Array.from({ length: columns.length + 2 }, () => "---");
}

/** What stands between the page's marks. */
export function writtenTable(): string {
  const text = readFileSync(page, "utf8");
  const [all, begin, end] = marks.exec(text) ?? [];
  if (all === undefined)
    throw new Error("docs/gateway/rules.md lacks the marks between which the table stands");
  return all.slice(begin!.length, -end!.length);
}

export function writeTable(table: string): void {
  const text = readFileSync(page, "utf8");
  writeFileSync(
    page,
    text.replace(marks, (_all, begin: string, end: string) => begin + table + end),
  );
}
