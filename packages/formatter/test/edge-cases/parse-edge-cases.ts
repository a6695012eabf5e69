import type { EdgeCase } from "./edge-case.ts";
import { parseBytesLiteral } from "./python-bytes.ts";
import { restoreInput } from "./restore-input.ts";

/** Reads the recorded runs from their Markdown report. */
export function parseEdgeCases(markdown: string): EdgeCase[] {
  const runs = markdown.split(/^# Notebook cells one by one/m)[0]!;
  return runs
    .split(/^## /m)
    .slice(1)
    .map((section) => parseSection(section));
}

function parseSection(section: string): EdgeCase {
  const end = section.indexOf("\n");
  const title = section.slice(0, end);
  const head = /^`black (.*?)`( env \{.*?\})?( after `.*`)? → exit \*\*(\w+)\*\*/m.exec(section);
  if (head === null) throw new Error(`no command in the edge case "${title}"`);
  const [, args = "", environment = "", preparation = "", exit = ""] = head;
  return {
    title,
    args: splitArguments(args),
    environment: parseEnvironment(environment),
    preparation: preparation === "" ? undefined : preparation.slice(" after `".length, -1),
    files: readFiles(section, /^- in `(.+?)`: `(b['"].*)`$/gm, title),
    stdin: readStdin(section),
    exitCode: exit === "TIMEOUT" ? undefined : Number(exit),
    stdout: readBlock(section, "stdout"),
    stderr: readBlock(section, "stderr"),
    after: readFiles(section, /^after `(.+?)`: `(b['"].*)`$/gm, title),
  };
}

/** Arguments are separated by spaces; where one needs quotes, all are Python literals. */
function splitArguments(text: string): string[] {
  if (!text.startsWith("'")) return text.split(" ").filter((arg) => arg !== "");
  return [...text.matchAll(/'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"/g)].map((match) =>
    parseBytesLiteral(`b'${match[1] ?? match[2]}'`).toString("utf8"),
  );
}

function parseEnvironment(text: string): Record<string, string> {
  return Object.fromEntries([...text.matchAll(/'(\w+)': '(.*?)'/g)].map((match) => [match[1]!, match[2]!]));
}

/** Inputs that the report shortens are made again; a shortened result is not compared. */
function readFiles(section: string, pattern: RegExp, title: string): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  for (const [, path = "", literal = ""] of section.matchAll(pattern)) {
    const shortened = /…(?:(\d+) bytes)?$/.exec(literal);
    if (shortened === null) files.set(path, parseBytesLiteral(literal));
    else if (shortened[1] !== undefined) files.set(path, restoreInput(title, Number(shortened[1])));
  }
  return files;
}

function readStdin(section: string): Buffer | undefined {
  const match = /^- stdin: `(b['"].*)`$/m.exec(section);
  return match === null ? undefined : parseBytesLiteral(match[1]!);
}

function readBlock(section: string, name: string): string {
  const start = section.indexOf(`\n${name}:\n\`\`\`\n`);
  if (start === -1) return "";
  const from = start + `\n${name}:\n\`\`\`\n`.length;
  const end = section.indexOf("\n```", from - 1);
  return end < from ? "" : section.slice(from, end + 1);
}
