import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { type Behaviour, behaviours, type Cell } from "./cells.ts";
import { type Agent, agents } from "./programs.ts";
import { type Provider, providers } from "./providers.ts";

/** What became of every cell. */
export type Results = Map<Agent, Map<Provider, Map<Behaviour, Cell>>>;

const page = resolve(import.meta.dirname, "../../../../docs/gateway/clients.md");
const marks = /(<!-- npm run agents -w portico -->\n)[\s\S]*?(\n<!-- end -->)/;

/** A row for each agent: a tick where every provider's cell is green, else the providers whose is not. */
function rowsOf(results: Results): Map<string, string> {
  const rows = [...results].map(([agent, cells]): [string, string] => {
    const columns = behaviours.map((behaviour) => {
      const all = providers.map((provider) => cells.get(provider)?.get(behaviour));
      const absent = all.find((cell) => cell?.absent !== undefined)?.absent;
      if (absent !== undefined) return absent;
      const failed = providers.filter((_provider, index) => all[index]?.fault !== undefined || !all[index]);
      return failed.length === 0 ? "✓" : `not on ${failed.map(({ title }) => title).join(", ")}`;
    });
    const name = `${agent.title} ${agent.package.version}`;
    return [agent.title, `| ${[name, ...columns].join(" | ")} |`];
  });
  return new Map(rows);
}

/** Puts the rows between their marks in docs/gateway/clients.md; agents that were not tried keep theirs. */
export function writeTable(results: Results): void {
  const text = readFileSync(page, "utf8");
  const found = marks.exec(text);
  if (found === null)
    throw new Error("docs/gateway/clients.md lacks the marks between which the table stands");
  const rows = rowsOf(results);
  const head = ["Agent", ...behaviours.map(({ title }) => title)];
  const lines = [head, head.map(() => "---")].map((cells) => `| ${cells.join(" | ")} |`);
  for (const { title } of agents) {
    const row = rows.get(title) ?? found[0].split("\n").find((line) => line.startsWith(`| ${title} `));
    if (row !== undefined) lines.push(row);
  }
  const table = `\n${lines.join("\n")}\n`;
  writeFileSync(
    page,
    text.replace(marks, (_all, begin: string, end: string) => begin + table + end),
  );
}
