import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Provider } from "../agent-matrix/providers.ts";
import { type Client, clients } from "./clients.ts";

/** What became of one client, in one of its ways, on one provider. */
export interface Outcome {
  readonly client: Client;
  readonly version: string;
  readonly way: string;
  readonly provider: Provider;
  /** Of the behaviours that the client has. */
  readonly cells: ReadonlyMap<Behaviour, Cell>;
}

/** What became of one behaviour; nothing is wrong where `fault` is absent. */
export interface Cell {
  readonly fault?: string;
  /** Whether it also fails at the provider itself. */
  readonly anyway?: boolean;
}

/** What is tried: as the checks name it, and as the table does. */
export interface Behaviour {
  readonly name: string;
  readonly title: string;
}

/** Every column of the table. */
export const behaviours: readonly Behaviour[] = [
  { name: "answer", title: "answer" },
  { name: "stream", title: "streamed" },
  { name: "tools", title: "tool loop" },
  { name: "streamed_tools", title: "tool loop, streamed" },
  { name: "structured", title: "structured output" },
  { name: "error", title: "429" },
  { name: "retry", title: "429 and retry" },
];

const page = resolve(import.meta.dirname, "../../../../docs/gateway/clients.md");
const marks = /(<!-- npm run sdks -w portico -->\n)[\s\S]*?(\n<!-- end -->)/;

/** Puts a row for each client and way between the marks in docs/gateway/clients.md; others keep theirs. */
export function writeTable(outcomes: readonly Outcome[]): void {
  const text = readFileSync(page, "utf8");
  const found = marks.exec(text);
  if (found === null)
    throw new Error("docs/gateway/clients.md lacks the marks between which the table of SDKs stands");
  const head = ["Client", "Format", ...behaviours.map(({ title }) => title)];
  const lines = [head, head.map(() => "---")].map((cells) => `| ${cells.join(" | ")} |`);
  for (const { title, ways } of clients)
    for (const way of ways) {
      const own = outcomes.filter((each) => each.client.title === title && each.way === way);
      const before = found[0]
        .split("\n")
        .find((line) => line.startsWith(`| ${title} `) && line.includes(`| ${way} |`));
      const row = own[0] === undefined ? before : rowOf(own[0], own);
      if (row !== undefined) lines.push(row);
    }
  const table = `\n${lines.join("\n")}\n`;
  writeFileSync(
    page,
    text.replace(marks, (_all, begin: string, end: string) => begin + table + end),
  );
}

function rowOf({ client, version, way }: Outcome, own: readonly Outcome[]): string {
  const cells = behaviours.map((behaviour) => {
    if (own.every((each) => !each.cells.has(behaviour))) return "has none";
    const failed = own.filter((each) => each.cells.get(behaviour)?.fault !== undefined);
    if (failed.length === 0) return "✓";
    const names = failed.map(({ provider }) => provider.title).join(", ");
    const isOwn = failed.every((each) => each.cells.get(behaviour)?.anyway);
    return isOwn ? `fails at ${names} itself, too` : `not on ${names}`;
  });
  return `| ${[`${client.title} ${version}`, way, ...cells].join(" | ")} |`;
}
