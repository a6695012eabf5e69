import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parse as parseToml } from "smol-toml";
import { describe, expect, it } from "vitest";
import { parse as parseYaml } from "yaml";
import { type Agent, agents, type Place } from "./agent-matrix/programs.ts";

const page = readFileSync(resolve(import.meta.dirname, "../../../docs/gateway/clients.md"), "utf8");

/** As the page writes it. */
const place: Place = {
  url: "http://127.0.0.1:4000",
  key: "KEY",
  model: "MODEL",
  home: "/home",
  work: "/work",
};

/** Code of an agent's section: blocks by their language, and what stands between backticks. */
function codeOf(title: string) {
  const section = page.split(/^## /m).find((each) => each.startsWith(`${title}\n`)) ?? "";
  const blocks = [...section.matchAll(/^```(\w+)\n(.*?)^```/gms)].map(([, language, text]) => [
    language!,
    text!,
  ]);
  const spans = [...section.replaceAll(/^```.*?^```/gms, "").matchAll(/`([^`]+)`/g)].map(([, text]) => text!);
  return { blocks, spans };
}

/** Settings of a section, read. */
function settingsOf(title: string): unknown[] {
  const { blocks, spans } = codeOf(title);
  const read = { json: JSON.parse, toml: parseToml, yaml: parseYaml } as Record<
    string,
    (text: string) => unknown
  >;
  const ofBlocks = blocks
    .filter(([language]) => Object.hasOwn(read, language!))
    .map(([language, text]) => read[language!]!(text!));
  return [
    ...ofBlocks,
    ...spans.filter((span) => span.startsWith("{")).map((span) => JSON.parse(span) as unknown),
  ];
}

/** The lines of a section in which the agent is called or its variables are set, word by word. */
function linesOf({ title, package: { command } }: Agent): string[][] {
  const { blocks, spans } = codeOf(title);
  const shell = blocks
    .filter(([language]) => language === "sh")
    .flatMap(([, text]) => text!.trim().split("\n"));
  const calls = spans.filter((span) => new RegExp(`^(?:\\w+=\\S+ )*${command}(?: -|$| run )`).test(span));
  return [...shell, ...calls].map((line) =>
    line.split(" ").filter((word) => !/^(?:export|"\.\.\.")$/.test(word)),
  );
}

const filesOf = (agent: Agent): unknown[] =>
  Object.entries(agent.files?.(place) ?? {}).map(([path, text]) =>
    path.endsWith(".toml") ? parseToml(text) : parseYaml(text),
  );

/** Whether all of these words are among others, in their order. */
function areAmong(words: readonly string[], others: readonly string[]): boolean {
  let at = 0;
  for (const other of others) if (other === words[at]) at += 1;
  return at === words.length;
}

/** `docs/gateway/clients.md` says how agents are set up; the matrix tries just that, with what tests need besides. */
describe.each(agents.filter(({ title }) => !title.includes(" over ")))(
  "What the page says of $title",
  (agent) => {
    const lines = linesOf(agent);

    it("is how the matrix calls it", () => {
      expect(lines.length).toBeGreaterThan(0);
      const environment = agent.environment(place);
      for (const line of lines) {
        const isSet = (word: string): boolean => /^[A-Z_]+=/.test(word);
        for (const word of line.filter(isSet)) {
          const [name, value] = word.split(/=(.*)/s) as [string, string];
          expect([name, environment[name]]).toEqual([name, value]);
        }
        const [command, ...words] = line.filter((word) => !isSet(word));
        if (command === undefined) continue;
        expect(command).toBe(agent.package.command);
        const asked = agent.ask(place, "PROMPT");
        expect([asked, areAmong(words, asked)]).toEqual([asked, true]);
      }
    });

    it("is how the matrix configures it", () => {
      const files = filesOf(agent);
      const settings = settingsOf(agent.title);
      // What only tests need, as a smaller window, is in files of which the page says nothing.
      expect(settings.length > 0).toBe(files.length > 0);
      for (const setting of settings) expect(files).toContainEqual(within(setting));
    });
  },
);

/** Matches what has this and more. */
function within(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(within);
  if (typeof value !== "object" || value === null) return value;
  return expect.objectContaining(
    Object.fromEntries(Object.entries(value).map(([name, each]) => [name, within(each)])),
  );
}
