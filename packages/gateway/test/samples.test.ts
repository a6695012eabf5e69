import { execFile, spawnSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { type Simulator, startSimulator } from "portico-simulator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { formatProblem } from "../src/platform/config/problem.ts";
import { readConfig } from "../src/platform/config/read/read-config.ts";
import { porticoProgram, startTestGateway, type TestGateway } from "./support/gateway.ts";
import { pages, type Sample, samples, workspace } from "./support/samples.ts";

/**
 * The samples on the pages about Portico: programs and calls are run against simulated providers, configurations are read as
 * the gateway reads them, commands are looked up, Python is read as Python does (`npm run python-samples` runs it). Those about
 * Jetblack are `formatter/test/guides.test.ts`'s.
 */
const run = promisify(execFile);

/** Samples that are not tried here, by a text that they have, and why. */
const excused: Readonly<Record<string, string>> = {
  "Seq Scan": "a plan of PostgreSQL, measured",
  "core/http": "a drawing",
  "tokenize/": "a drawing",
  "cli/        serve": "a list of folders",
  "model_providers.portico": "agent-samples.test.ts compares it with what the agents are tried with",
  '"@ai-sdk/openai-compatible"': "agent-samples.test.ts compares it with what the agents are tried with",
  '"openai-completions"': "agent-samples.test.ts compares it with what the agents are tried with",
  "claude --model": "agent-samples.test.ts compares it with what the agents are tried with",
  "gemini -m": "agent-samples.test.ts compares it with what the agents are tried with",
  "aider --model": "agent-samples.test.ts compares it with what the agents are tried with",
  "api_key_name: portico": "agent-samples.test.ts compares it with what the agents are tried with",
  scrape_configs:
    "Prometheus reads it; monitoring.test.ts reads the alerts and the dashboard that it leads to",
  "qwen --auth-type": "agent-samples.test.ts compares it with what the agents are tried with",
};

const isExcused = ({ page, language, text }: Sample): boolean =>
  (page === "docs/gateway/sizes.md" && language === "text") ||
  Object.keys(excused).some((part) => text.includes(part));
const of = (...languages: string[]): Sample[] =>
  samples.filter((sample) => languages.includes(sample.language) && !isExcused(sample));
const nameOf = ({ page, text }: Sample): string => `${page}: ${text.trim().split("\n")[0]}`;
const rows = (list: readonly Sample[]): [string, Sample][] => list.map((sample) => [nameOf(sample), sample]);

let gateway: TestGateway;
let simulator: Simulator;

beforeAll(async () => {
  gateway = await startTestGateway();
  simulator = await startSimulator();
});
afterAll(async () => {
  await gateway?.close();
  await simulator?.close();
});

/** A sample with the addresses and keys that there are here. */
function here(text: string): string {
  return text
    .replaceAll(/https?:\/\/(?:127\.0\.0\.1:4000|ai\.example\.com)|\$PORTICO\b/g, gateway.url)
    .replaceAll("http://127.0.0.1:4010", simulator.url)
    .replaceAll(
      /\$\(cat portico-data\/master-key\)|\$(?:LITELLM_MASTER_KEY|TOKEN|KEY)\b|\bsk-\.\.\./g,
      gateway.masterKey,
    )
    .replaceAll('model: "chat"', 'model: "gpt-4o"');
}

/** The commands of a shell's sample: without prompts, answers and comments, each in one piece. */
function commandsOf({ language, text }: Sample): string[] {
  if (language !== "console")
    return text
      .replaceAll(/\\\n\s*/g, " ")
      .split("\n")
      .map((line) => line.replace(/(^|\s+)# .*$/, "").trim())
      .filter((line) => line !== "");
  // A command goes on over lines that are indented, or while a quotation is open.
  return [...text.matchAll(/^\$ (.*(?:\n {2,}.*)*)/gm)].map(([, command]) =>
    command!.replaceAll("\\\n", " "),
  );
}

const commands = of("sh", "console").flatMap((sample) =>
  commandsOf(sample).map((command): [string, string] => [`${sample.page}: ${command.slice(0, 70)}`, command]),
);

it("looks at every page, but for those about Jetblack, decisions and notices", () => {
  const there = globSync(["*.md", "docs/**/*.md", "packages/*/README.md"], { cwd: workspace });
  const others =
    /^(?:docs\/(?:formatter|decisions)\/|packages\/(?:formatter|prettier-plugin|vscode|jupyterlab)\/|THIRD-PARTY)/;
  expect(there.filter((page) => !others.test(page)).toSorted()).toEqual(
    pages.filter((page) => !others.test(page)).toSorted(),
  );
});

it("has samples, each in a language that is tried here or excused", () => {
  expect(samples.length).toBeGreaterThan(50);
  const known = ["yaml", "json", "js", "ts", "python", "sh", "console", "ini"];
  const unknown = samples.filter((sample) => !known.includes(sample.language) && !isExcused(sample));
  expect(unknown.map(nameOf)).toEqual([]);
  const texts = samples.map(({ text }) => text).join("\n");
  expect(Object.keys(excused).filter((part) => !texts.includes(part))).toEqual([]);
});

describe("Configurations", () => {
  it.each(rows(of("yaml")))("%s", (_, { text }) => {
    const environment = { OPENAI_API_KEY: "k", ANTHROPIC_API_KEY: "k", GEMINI_API_KEY: "k" };
    const names = [...text.matchAll(/os\.environ\/(\w+)/g)].map(([, name]) => [name!, "a-value-0123456789"]);
    const { warnings } = readConfig("sample.yaml", text, { ...environment, ...Object.fromEntries(names) });
    expect(warnings.map(formatProblem)).toEqual([]);
  });
  it.each(rows(of("json")))("%s", (_, { text }) => {
    expect(JSON.parse(text)).toBeTypeOf("object");
  });
});

describe("Commands", () => {
  const calls = commands.filter(([, command]) => command.startsWith("curl "));
  it.each(calls)("%s", async (_, command) => {
    const { stdout } = await run("bash", ["-c", `${here(command)} -sS --fail-with-body`]);
    expect(JSON.parse(stdout)).not.toHaveProperty("error");
  });

  it("names commands and flags of portico that there are", async () => {
    const program = await porticoProgram();
    const units = of("ini").flatMap(({ text }) => [...text.matchAll(/^ExecStart=\S*\/(portico.*)$/gm)]);
    const called = [...commands.map(([, command]) => command), ...units.map(([, command]) => command!)]
      .map((command) => command.replace(/^(?:\w+=\S+ )*(?:npx )?/, ""))
      .filter((command) => /^portico( |$)/.test(command))
      .map((command) => command.split(/\s+/).slice(1));
    expect(called.length).toBeGreaterThan(8);
    const helps = new Map<string, string>();
    for (const words of called) {
      const name = /^[a-z]/.test(words[0] ?? "") ? words[0]! : "serve";
      const help = helps.get(name) ?? (await run(process.execPath, [...program, name, "--help"])).stdout;
      helps.set(name, help);
      for (const word of words.filter((each) => each.startsWith("--")))
        expect(help, words.join(" ")).toContain(word.replace(/=.*/, ""));
    }
  });

  it("names scripts of the workspace that there are, and nothing that is not known", () => {
    const scripts = (folder: string): object =>
      JSON.parse(readFileSync(join(workspace, folder, "package.json"), "utf8")).scripts;
    const folders: Record<string, string> = {
      portico: "packages/gateway",
      "portico-simulator": "packages/simulator",
      jetblack: "packages/formatter",
    };
    const others: string[] = [];
    for (const [, command] of commands) {
      const [, script, , of] = /^npm (?:run )?(start|(?<=run )[\w:-]+)( -w (\S+))?/.exec(command) ?? [];
      if (script !== undefined)
        expect(scripts(of === undefined ? "." : folders[of]!)).toHaveProperty([script]);
      // What installs is tried by `npm run try-packages` and `try-wheel`; the kit is fetched by hand.
      else if (
        !/^(?:curl|export|\w+=\S+ portico|(?:npx )?(?:portico|jetblack)|npm (?:ci|pack|install)|pip install|git clone)/.test(
          command,
        )
      )
        others.push(command);
    }
    expect(others).toEqual([]);
  });
});

describe("Programs", () => {
  it.each(rows(of("js", "ts")))("%s", async (_, sample) => {
    // Below the sources, so that packages are found from there.
    const folder = mkdtempSync(join(import.meta.dirname, "sample-"));
    try {
      const file = join(folder, `sample.${sample.language === "ts" ? "ts" : "mjs"}`);
      writeFileSync(file, here(sample.text));
      const module = (await import(file)) as Record<string, unknown>;
      const hooks = [
        "preCall",
        "duringCall",
        "postCallSuccess",
        "postCallStream",
        "failure",
        "requestStatus",
      ];
      const given = Object.keys((module.hooks as object | undefined) ?? module);
      expect(hooks).toEqual(expect.arrayContaining(given));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it.skipIf(spawnSync("python3", ["--version"]).status !== 0).each(rows(of("python")))(
    "%s",
    (_, { text }) => {
      const read = spawnSync("python3", ["-c", "import ast, sys; ast.parse(sys.stdin.read())"], {
        input: text,
        encoding: "utf8",
      });
      expect(read.stderr).toBe("");
    },
  );
});
