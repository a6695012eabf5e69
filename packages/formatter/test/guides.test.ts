import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it, test } from "vitest";
import { parse as parseYaml } from "yaml";
import { projectSettings } from "../src/editor/project-settings.ts";
import { parseToml } from "../src/mode/config/load-toml.ts";
import { optionTable } from "../src/mode/options.ts";
import { Sandbox } from "./sandbox.ts";

/** The samples in the guides: each is read by what would read it, those of the command line are run. */
const workspace = resolve(import.meta.dirname, "../../..");
const pages = [
  ...globSync("docs/formatter/*.md", { cwd: workspace }),
  ...["formatter", "formatter/python", "prettier-plugin", "vscode", "jupyterlab"].map(
    (name) => `packages/${name}/README.md`,
  ),
].toSorted();

interface Sample {
  readonly page: string;
  readonly language: string;
  readonly text: string;
}

const samples = pages.flatMap((page): Sample[] =>
  [...readFileSync(join(workspace, page), "utf8").matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)].map(
    ([, language, text]) => ({ page, language: language!, text: text! }),
  ),
);
const of = (...languages: string[]): Sample[] =>
  samples.filter(({ language }) => languages.includes(language));
const sample = (start: string): string => samples.find(({ text }) => text.startsWith(start))!.text;

const flags = new Set([
  ...optionTable.flatMap((option) => [
    `--${option.key}`,
    ...("short" in option ? [option.short] : []),
    ...("opposite" in option ? [`--${option.opposite}`] : []),
  ]),
  "-",
  "--",
]);

/** The flags of each call of the command in a text, comments apart. */
function flagsIn(text: string): string[] {
  const calls = text
    .split("\n")
    .flatMap((line) => [
      ...line.replace(/(^|\s)# .*$/, "").matchAll(/(?<!-w )(?<![\w/."-])jetblack( [^|>&"]*)/g),
    ]);
  return calls.flatMap(([, args]) => args!.split(/\s+/).filter((word) => word.startsWith("-")));
}

function keysOf(value: unknown): string[] {
  return typeof value === "object" && value !== null ? Object.keys(value) : [];
}

test("there are samples, each in a language that this test reads", () => {
  expect(samples.length).toBeGreaterThan(30);
  const read = [
    "sh",
    "console",
    "yaml",
    "json",
    "jsonc",
    "toml",
    "ini",
    "js",
    "ts",
    "python",
    "lua",
    "elisp",
    "vim",
  ];
  expect(samples.filter(({ language }) => !read.includes(language))).toEqual([]);
});

describe("samples of the guides", () => {
  it.each(samples.filter(({ text }) => flagsIn(text).length > 0))(
    "call the command with flags that it has: $text",
    ({ text }) => expect(flagsIn(text).filter((flag) => !flags.has(flag))).toEqual([]),
  );

  it.each(of("sh", "console"))("call npm's scripts that there are: $text", ({ text }) => {
    for (const [, script, name] of text.matchAll(/npm run (?:--silent )?([\w:-]+)(?: -w ([\w-]+))?/g)) {
      const files =
        name === undefined ? ["package.json"] : globSync("packages/*/package.json", { cwd: workspace });
      const manifests = files.map((file) => JSON.parse(readFileSync(join(workspace, file), "utf8")));
      const manifest = name === undefined ? manifests[0] : manifests.find((one) => one.name === name);
      expect(Object.keys(manifest?.scripts ?? {})).toContain(script);
    }
  });

  it.each(of("json", "jsonc"))("are JSON: $text", ({ text }) => {
    expect(() => JSON.parse(text)).not.toThrow();
  });

  it.each(of("toml"))("are TOML with keys that there are: $text", ({ text }) => {
    const tables = keysOf(parseToml(text, "sample.toml").tool);
    if (tables.includes("black") || tables.includes("jetblack"))
      expect(() => projectSettings(text, "pyproject.toml")).not.toThrow();
  });

  it.each(of("js", "ts").filter(({ text }) => text.includes('from "jetblack')))(
    "import what is exported: $text",
    async ({ text }) => {
      for (const [, names, path] of text.matchAll(/import \{([^}]*)\} from "jetblack([^"]*)"/g)) {
        const exported = await import(
          pathToFileURL(join(import.meta.dirname, `../src${path}/index.ts`)).href
        );
        for (const name of names!.split(",").map((name) => name.trim()))
          expect(exported).toHaveProperty(name.replace(/^type /, ""));
      }
    },
  );

  it.each(of("yaml"))("are YAML, with hooks and inputs that there are: $text", ({ text }) => {
    const read = parseYaml(text);
    const hooks = (
      parseYaml(readFileSync(join(workspace, ".pre-commit-hooks.yaml"), "utf8")) as { id: string }[]
    ).map(({ id }) => id);
    const commentedOut = [...text.matchAll(/# - id: (\S+)/g)].map(([, id]) => id);
    for (const { hooks: used } of read.repos ?? [])
      for (const id of [...used.map((hook: { id: string }) => hook.id), ...commentedOut])
        expect(hooks).toContain(id);
    const action = parseYaml(readFileSync(join(import.meta.dirname, "../action/action.yml"), "utf8"));
    for (const step of Array.isArray(read) ? read : [])
      if (step.uses?.includes("/packages/formatter/action@"))
        for (const input of keysOf(step.with)) expect(keysOf(action.inputs)).toContain(input);
  });
});

describe("commands of the guides", () => {
  let own: Sandbox;
  beforeEach(() => {
    own = new Sandbox();
    own.write("src/a.py", "x = { 'a':1 }\n");
    own.write("pyproject.toml", "[tool.black]\n");
  });
  afterEach(() => own.remove());

  it("prints what the README says", () => {
    const [, source, expected] = /printf "(.*)" \| jetblack -q - +# (.*)/.exec(sample("printf"))!;
    expect(own.run(["-q", "-"], { input: source!.replaceAll("\\n", "\n") }).stdout).toBe(`${expected}\n`);
  });

  it("checks in CI as GitHub's samples do", () => {
    for (const { text } of of("yaml").filter(({ text }) => text.includes("--report github"))) {
      const options = /(?:jetblack|options:) (--check --report github)/.exec(text)![1]!.split(" ");
      const { exitCode, stdout } = own.run([...options, "."]);
      expect(exitCode).toBe(1);
      expect(stdout).toMatch(/^::warning file=src\/a\.py,line=1,/m);
    }
  });

  it("writes GitLab's report as its sample does", () => {
    const job = parseYaml(sample("jetblack:\n")).jetblack;
    const [, options, file] = /^jetblack (.*) > (\S+)$/.exec(job.script.at(-1))!;
    expect(job.artifacts.reports.codequality).toBe(file);
    const { exitCode, stdout } = own.run(options!.split(" "));
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject([
      { fingerprint: expect.any(String), location: { path: "src/a.py", lines: { begin: 1 } } },
    ]);
  });

  it("checks in tox as its sample does", () => {
    const [, options] = /^commands = jetblack (.*)$/m.exec(sample("[testenv:format]"))!;
    expect(own.run(options!.split(" ")).exitCode).toBe(1);
    expect(own.run(["."]).exitCode).toBe(0);
    expect(own.run(options!.split(" ")).exitCode).toBe(0);
  });

  it("formats for Zed as its sample does", () => {
    const { command, arguments: args } = JSON.parse(sample('{\n  "languages"')).languages.Python.formatter
      .external;
    expect(command).toBe("jetblack");
    const given = args.map((one: string) => one.replace("{buffer_path}", join(own.folder, "src/b.pyi")));
    expect(own.run(given, { input: "class A: ...\n\nclass B: ...\n" }).stdout).toBe(
      "class A: ...\nclass B: ...\n",
    );
  });
});
