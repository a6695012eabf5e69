// Prints the way of a request: through how many files and folders of the gateway it goes, and which rooms of `core/` it
// enters more than once: by several functions that other rooms call, until the first upstream request or from there on.
// `--doors` lists these functions, `--files` the files; `--write` puts the table into docs/architecture.md.
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { instrumentSources } from "./instrument.ts";

const flag = { type: "boolean" } as const;
const { values } = parseArgs({ options: { write: flag, doors: flag, files: flag } });
instrumentSources();
const { measureWays } = await import("./measure-ways.ts");
const ways = await measureWays();

const again = ({ doors }: (typeof ways)[number], wanted: "in" | "back"): string => {
  const rooms = doors.filter(({ way, names }) => way === wanted && names.length > 1);
  return rooms.map(({ room, names }) => `${room.slice("core/".length)} ${names.length}`).join(", ") || "none";
};
const rows = ways.map((way) => {
  const { name, files, folders, functions } = way;
  return `| ${[name, files.length, folders.length, functions, again(way, "in"), again(way, "back")].join(" | ")} |`;
});
const table = [
  "| One warm request | files | folders | functions | rooms of `core/` entered more than once | on the way back |",
  "|---|---|---|---|---|---|",
  ...rows,
].join("\n");
process.stdout.write(`${table}\n`);

for (const { name, files, doors } of ways) {
  const list = [
    ...(values.files ? files : []),
    ...(values.doors
      ? doors.flatMap(({ room, way, names }) => names.map((door) => `${room}, way ${way}: ${door}`))
      : []),
  ];
  if (list.length > 0) process.stdout.write(`\n${name}\n${list.map((line) => `    ${line}\n`).join("")}`);
}

if (values.write) {
  const page = resolve(import.meta.dirname, "../../../../docs/architecture.md");
  const marks = /(<!-- npm run way -w portico -- --write -->\n)[\s\S]*?(\n<!-- end -->)/;
  const text = readFileSync(page, "utf8");
  if (!marks.test(text))
    throw new Error("docs/architecture.md lacks the marks between which the table stands");
  writeFileSync(
    page,
    text.replace(marks, (_all, begin: string, end: string) => begin + table + end),
  );
}
