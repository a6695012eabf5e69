import { redact } from "../../platform/log/redact.ts";

/** Objects named for each reason; the rest is counted. */
const MAX_EXAMPLES = 5;
/** Characters of a reason, which may quote what a row has. */
const MAX_REASON = 400;

interface Reason {
  count: number;
  readonly examples: string[];
}

/** What became of the rows of one table. */
export class TableReport {
  readonly table: string;
  /** What the rows are, in the plural. */
  readonly kind: string;
  rows = 0;
  taken = 0;
  updated = 0;
  unchanged = 0;
  /** Why rows were not taken. */
  readonly left = new Map<string, Reason>();
  /** What of rows that were taken was not. */
  readonly without = new Map<string, Reason>();
  unknownColumns: readonly string[] = [];

  constructor(table: string, kind: string) {
    this.table = table;
    this.kind = kind;
  }

  leave(id: string, reason: string): void {
    add(this.left, reason, id);
  }

  note(id: string, what: string): void {
    add(this.without, what, id);
  }

  get leftRows(): number {
    return [...this.left.values()].reduce((sum, { count }) => sum + count, 0);
  }

  toJSON(): object {
    const { table, kind, rows, taken, updated, unchanged, leftRows } = this;
    return {
      table,
      kind,
      rows,
      taken,
      updated,
      unchanged,
      not_taken: leftRows,
      reasons: reasonsOf(this.left),
      taken_without: reasonsOf(this.without),
      unknown_columns: this.unknownColumns,
    };
  }
}

/** A table that is not taken over. */
export interface LeftTable {
  readonly table: string;
  readonly rows: number;
  readonly reason: string;
}

/** What an import did, or would do. */
export interface ImportReport {
  readonly isDryRun: boolean;
  readonly tables: readonly TableReport[];
  readonly left: readonly LeftTable[];
  readonly remarks: readonly string[];
}

/** The report as one JSON object. */
export function reportJson({ isDryRun, tables, left, remarks }: ImportReport): string {
  return `${JSON.stringify({ dry_run: isDryRun, tables, not_taken: left, remarks }, undefined, 2)}\n`;
}

/** The report for people. */
export function reportText({ isDryRun, tables, left, remarks }: ImportReport): string {
  const head = ["", "ROWS", isDryRun ? "WOULD TAKE" : "TAKEN", "UPDATED", "UNCHANGED", "NOT TAKEN"];
  const rows = tables
    .filter((each) => each.rows > 0)
    .map((each) => [
      each.kind,
      ...[each.rows, each.taken, each.updated, each.unchanged, each.leftRows].map((count) =>
        count.toLocaleString("en"),
      ),
    ]);
  const cells = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)));
  const lines = cells.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!)))
      .join("  "),
  );
  const details = tables.flatMap((each) => [
    ...sentences(each.left, (reason, named) => `${each.kind} not taken: ${reason} (${named})`),
    ...sentences(each.without, (what, named) => `${each.kind} taken without ${what} (${named})`),
    ...(each.unknownColumns.length === 0
      ? []
      : [
          `${each.table} has columns that are not known: ${each.unknownColumns.map((name) => shown(name)).join(", ")}`,
        ]),
  ]);
  const others = left.map(
    ({ table, rows: count, reason }) =>
      `${shown(table)}: ${count.toLocaleString("en")} rows not taken: ${reason}`,
  );
  const sections = [lines, details, others, [...remarks]].filter((section) => section.length > 0);
  return `${sections.map((section) => section.join("\n")).join("\n\n")}\n`;
}

function add(reasons: Map<string, Reason>, text: string, id: string): void {
  const reason = shown(text, MAX_REASON);
  const known = reasons.get(reason) ?? { count: 0, examples: [] };
  known.count += 1;
  if (known.examples.length < MAX_EXAMPLES) known.examples.push(shown(id));
  reasons.set(reason, known);
}

function reasonsOf(reasons: ReadonlyMap<string, Reason>): object[] {
  return [...reasons].map(([reason, { count, examples }]) => ({ reason, count, examples }));
}

function sentences(
  reasons: ReadonlyMap<string, Reason>,
  sentence: (reason: string, named: string) => string,
): string[] {
  return [...reasons].map(([reason, { count, examples }]) => {
    const more = count - examples.length;
    return sentence(
      reason,
      `${examples.join(", ")}${more > 0 ? ` and ${more.toLocaleString("en")} more` : ""}`,
    );
  });
}

/** Text of somebody else's database on a terminal: short, and without what would steer it. */
function shown(text: string, length = 64): string {
  const plain = redact(text).replaceAll(/[\p{Cc}\p{Bidi_Control}]/gu, " ");
  return plain.length > length ? `${plain.slice(0, length - 3)}...` : plain;
}
