import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { randomNumbers } from "../../../tools/random-numbers.ts";
import { format, ParseError } from "../src/index.ts";
import { parse } from "../src/parse/parse.ts";

/**
 * Random edits of real sources. An edited file may be Python no more, which must be said; if it still is, formatting
 * must come to an end, keep every comment and be stable. JETBLACK_MUTATIONS sets how many edits are tried.
 */
const mutations = Number(process.env.JETBLACK_MUTATIONS ?? 300);

/** Modules of the Python on this machine, if it has one: real code that nobody here has written. */
function realSources(): string[] {
  const python = spawnSync("python3", ["-c", "import os; print(os.__file__)"], { encoding: "utf8" });
  if (python.status !== 0) return [];
  const folder = dirname(python.stdout.trim());
  return readdirSync(folder)
    .filter((name) => name.endsWith(".py"))
    .slice(0, 60)
    .map((name) => readFileSync(join(folder, name), "utf8"))
    .filter((text) => text.length < 40_000);
}

const insertions = [
  "(",
  ")",
  "[",
  "]",
  "{",
  "}",
  ",",
  ":",
  "=",
  "#",
  "  # note\n",
  "\\\n",
  "\n",
  "'",
  '"""',
  ";",
  "lambda: ",
  "async ",
  "# fmt: off\n",
  "# fmt: skip",
  "\t",
  "\f",
  "é",
  "🐍",
  "*",
  "@",
];

/** One to three characters or pieces inserted, deleted, doubled or moved. */
function mutate(source: string, random: (below: number) => number): string {
  let text = source;
  for (let edits = 1 + random(3); edits > 0; edits--) {
    const at = random(text.length + 1);
    const length = random(30);
    const piece = text.slice(at, at + length);
    const choice = random(4);
    if (choice === 0) text = text.slice(0, at) + insertions[random(insertions.length)]! + text.slice(at);
    else if (choice === 1) text = text.slice(0, at) + text.slice(at + length);
    else if (choice === 2) text = text.slice(0, at) + piece + text.slice(at);
    else {
      const rest = text.slice(0, at) + text.slice(at + length);
      const to = random(rest.length + 1);
      text = rest.slice(0, to) + piece + rest.slice(to);
    }
  }
  return text;
}

/** The texts of all comments without their white space, sorted: layout may move them and space them out. */
function comments(source: string): string[] {
  const { tree, root } = parse(source.endsWith("\n") ? source : `${source}\n`, []);
  return tree
    .leaves(root)
    .flatMap((leaf) => tree.prefix(leaf).match(/#[^\n]*/g) ?? [])
    .map((comment) => comment.replace(/\s/g, ""))
    .sort();
}

const sources = realSources();

describe.skipIf(sources.length === 0)("Edited sources", () => {
  it(`of ${mutations} edits none crashes, loops, loses a comment or leaves the format unstable`, {
    timeout: 600_000,
  }, () => {
    const random = randomNumbers();
    let formatted = 0;
    for (let count = 0; count < mutations; count++) {
      const source = mutate(sources[random(sources.length)]!, random).replace(/\r\n?/g, "\n");
      let output: string;
      try {
        output = format(source);
      } catch (error) {
        if (error instanceof ParseError) continue;
        throw error;
      }
      formatted++;
      expect(comments(output)).toEqual(comments(source));
      expect(format(output)).toBe(output);
    }
    expect(formatted).toBeGreaterThan(mutations / 10);
  });
});
