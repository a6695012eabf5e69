import { loadavg } from "node:os";
import type { Measured } from "./measure.ts";
import type { SizesOptions } from "./options.ts";
import type { ComparedCalls } from "./overhead.ts";
import type { Planned } from "./plans.ts";
import { textOfQuestion } from "./questions.ts";
import type { WriteCost } from "./write-cost.ts";

/** Milliseconds that 95 of 100 answers may take. */
export const LIMIT = 300;

/** Milliseconds from which on a statement's plan is shown, and its lines. */
const SHOWN = 25;
const MOST_LINES = 40;

/** Everything that one run has found out. */
export interface Results {
  readonly options: SizesOptions;
  readonly measured: readonly Measured[];
  readonly plans: readonly Planned[];
  readonly calls: ComparedCalls | undefined;
  readonly writes: readonly WriteCost[];
}

/** A page with the results of a run in place of those of its store. */
export function withResults(page: string, results: Results): string {
  const { store } = results.options;
  const marks = new RegExp(`(<!-- ${store} -->\\n)[\\s\\S]*?(<!-- end ${store} -->)`);
  if (!marks.test(page)) throw new Error(`the page has no place <!-- ${store} -->`);
  return page.replace(marks, (_, begin: string, end: string) => `${begin}\n${textOf(results)}\n${end}`);
}

/** The results in Markdown. */
export function textOf({ options, measured, plans, calls, writes }: Results): string {
  const { store, rows, keys, teams, days, repeats } = options;
  const [minute = 0] = loadavg();
  const parts = [
    `${rows.toLocaleString("en")} spend rows of ${days} days, ${keys.toLocaleString("en")} keys, ${teams.toLocaleString("en")} teams on ${store === "sqlite" ? "SQLite" : "PostgreSQL"}; each question ${repeats} times. Node.js ${process.version}, ${new Date().toISOString().slice(0, 10)}, load average at the end ${minute.toFixed(1)}.`,
    "CPU is what one answer takes of the gateway's and the database's processors: what else runs on the machine makes it wait, and makes this little more.",
    answersTable(measured),
  ];
  if (calls !== undefined)
    parts.push(
      `A call's overhead, in ${calls.turns} turns on both stores with keys that have a user, a team and an organization; the model's answer is made in the gateway, CPU is that of all its threads and of the database's processes, spend rows included. With the full store a call takes ${calls.difference.toFixed(0)} ± ${calls.within.toFixed(0)} µs more (twice the standard error).`,
      tableOf(
        ["Store", "CPU µs a call", "p50 ms", "p95 ms"],
        calls.costs.map(({ name, cpu, p50, p95 }) => [name, cpu.toFixed(0), p50.toFixed(1), p95.toFixed(1)]),
      ),
    );
  if (writes.length > 0)
    parts.push(
      "Spend rows into the full store by one writer, 1,000 at a time, in turns:",
      tableOf(
        ["Rows", "Rows a second", "CPU µs a row in PostgreSQL"],
        writes.map(({ name, rowsPerSecond, cpu }) => [name, rowsPerSecond.toFixed(0), cpu.toFixed(0)]),
      ),
    );
  if (plans.length > 0)
    parts.push(
      "The slowest statement of each question as PostgreSQL ran it, with its plan from 25 ms on:",
      plans
        .toSorted((one, other) => other.took - one.took)
        .map(planOf)
        .join("\n\n"),
    );
  return `${parts.join("\n\n")}\n`;
}

function answersTable(measured: readonly Measured[]): string {
  // Whose role may not ask is told so, which is no list.
  const shown = measured.filter(({ status }) => status !== 403);
  const sorted = shown.toSorted((one, other) => other.p95 - one.p95);
  const lines = sorted.map(({ operation, text, asker, status, bytes, p50, p95, cpu, isOdd }) => [
    ...[operation, `\`${text}\``, asker, isOdd ? `**${status}**` : `${status}`, `${bytes}`],
    ...[p50.toFixed(0), p95 > LIMIT ? `**${p95.toFixed(0)}**` : p95.toFixed(0)],
    cpu.toFixed(0),
  ]);
  return tableOf(
    ["Operation", "Question", "Asked by", "Status", "Bytes", "p50 ms", "p95 ms", "CPU ms"],
    lines,
  );
}

function tableOf(head: readonly string[], lines: readonly (readonly string[])[]): string {
  return [head, head.map(() => "---"), ...lines].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function planOf({ asking, statements, took, plan }: Planned): string {
  const title = `${asking.operation}, ${asking.asker}: \`${textOfQuestion(asking.question)}\``;
  if (took < SHOWN || plan.length === 0) return `- ${title}: ${took.toFixed(0)} ms`;
  return `${title}: ${statements} statements, this one ${took.toFixed(0)} ms.\n\n\`\`\`text\n${plan.slice(0, MOST_LINES).join("\n")}\n\`\`\``;
}
