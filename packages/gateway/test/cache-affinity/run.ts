// A simulated day of agents over 1, 3 and 10 deployments, with and without affinity, with one deployment failing: how many
// of the tokens that one provider alone would read from its cache are read. Writes the table into docs/gateway/operations.md.
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { simulateDay } from "./simulate-day.ts";

const SIZE = { sessions: 40, turns: 15 };
/** Of the tokens that one provider alone would read. */
const WANTED = 0.95;
const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;

const { read: most } = await simulateDay({ deployments: 1, affinity: true, failing: false, ...SIZE });
const rows: string[] = [];
for (const deployments of [1, 3, 10])
  for (const failing of deployments === 1 ? [false] : [false, true]) {
    const shares: number[] = [];
    for (const affinity of [true, false]) {
      const { read } = await simulateDay({ deployments, affinity, failing, ...SIZE });
      shares.push(read / most);
    }
    const [on = 0, off = 0] = shares;
    rows.push(
      `| ${deployments}${failing ? ", one fails from a third of the day on" : ""} | ${percent(on)} | ${percent(off)} |`,
    );
    process.stdout.write(`${rows.at(-1)}\n`);
    if (on < WANTED && !failing) process.exitCode = 1;
  }
const table = ["| Deployments | with affinity | without |", "|---|---|---|", ...rows].join("\n");
const page = resolve(import.meta.dirname, "../../../../docs/gateway/operations.md");
const marks = /(<!-- npm run cache-affinity -w portico -->\n)[\s\S]*?(\n<!-- end -->)/;
const text = readFileSync(page, "utf8");
if (!marks.test(text))
  throw new Error("docs/gateway/operations.md lacks the marks between which the table stands");
writeFileSync(
  page,
  text.replace(marks, (_all, begin: string, end: string) => begin + table + end),
);
