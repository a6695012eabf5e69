import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { startTestGateway, type TestGateway } from "../support/gateway.ts";
import { commandsIn, NOT_TRIED, type Place, type Tried } from "./commands.ts";
import type { Python } from "./python.ts";

/** What became of a method or a command. */
export interface Row {
  readonly name: string;
  /** `undefined` where it was not tried. */
  readonly works: boolean | undefined;
  /** Why it fails or was not tried. */
  readonly why?: string;
}

/** What LiteLLM offers. */
export interface Surface {
  readonly methods: readonly string[];
  readonly commands: readonly string[];
}

export async function surfaceOf(python: Python): Promise<Surface> {
  const { out } = await python.run([join(import.meta.dirname, "surface.py")]);
  return JSON.parse(out.slice(out.indexOf('{"methods"'))) as Surface;
}

/** Calls every method of the Python client. */
export async function callMethods(
  python: Python,
  { methods }: Surface,
  gateway: TestGateway,
): Promise<Row[]> {
  const script = join(import.meta.dirname, "manage.py");
  const { out } = await python.run([script, gateway.url, gateway.masterKey]);
  const found = out
    .split("\n")
    .filter((line) => line.startsWith('{"method"'))
    .map((line) => JSON.parse(line) as { method: string; ok: boolean; said?: string });
  return methods.map((name) => {
    const calls = found.filter(({ method }) => method === name);
    const failed = calls.find(({ ok }) => !ok);
    if (failed !== undefined) return { name, works: false, why: failed.said ?? "" };
    return calls.length > 0 ? { name, works: true } : { name, works: false, why: "nothing calls it" };
  });
}

/** Runs every command of the command line, or says why not. */
export async function useCommands(
  python: Python,
  { commands }: Surface,
  gateway: TestGateway,
  folder: string,
): Promise<Row[]> {
  const other = await startTestGateway();
  try {
    await must(other, "/key/generate", { key_alias: "from-elsewhere", models: ["gpt-4o"] });
    const place = await prepare(gateway, other, folder);
    const user = { user_email: "admin@example.com", user_role: "proxy_admin" };
    const { key } = await must(gateway, "/user/new", user);
    const env = { LITELLM_PROXY_URL: gateway.url, PATH: withAgents(folder) };
    const said = new Map<string, string | true>();
    const tryOne = async (tried: Tried, home: string): Promise<void> => {
      const name = commands.find((each) => `${tried.words.join(" ")} `.startsWith(`${each} `));
      if (name === undefined) throw new Error(`there is no command ${tried.words.join(" ")}`);
      const asked = tried.asUser === true ? String(key) : gateway.masterKey;
      const given = { ...env, LITELLM_PROXY_API_KEY: asked, HOME: home };
      const wrong = wrongWith(tried, await python.commandLine(tried.words, given, tried.typed));
      if (said.get(name) === undefined || said.get(name) === true) said.set(name, wrong ?? true);
    };
    // Each takes its time to start, so those that are about other things run beside each other.
    const groups = Object.entries(Object.groupBy(commandsIn(place), ({ words }) => aboutOf(words)));
    await Promise.all(
      groups.map(async ([about, all = []]) => {
        const home = join(folder, `home-${about}`);
        mkdirSync(home);
        for (const tried of all) await tryOne(tried, home);
      }),
    );
    return commands.map((name) => {
      const result = said.get(name);
      if (result !== undefined)
        return result === true ? { name, works: true } : { name, works: false, why: result };
      const [, why] = Object.entries(NOT_TRIED).find(([begin]) => `${name} `.startsWith(`${begin} `)) ?? [];
      return why === undefined
        ? { name, works: false, why: "nothing tries it" }
        : { name, works: undefined, why };
    });
  } finally {
    await other.close();
  }
}

/** What a command is about: `reconfigure` and `unconfigure` come after `configure`. */
function aboutOf([first = ""]: readonly string[]): string {
  return first.replace(/^(?:re|un)(?=configure)/, "");
}

function wrongWith({ says }: Tried, { code, out }: { code: number; out: string }): string | undefined {
  const isWrong = code !== 0 || /Traceback|"error":|^Error/m.test(out) || says?.test(out) === false;
  return isWrong ? out.slice(-600) || "it said nothing" : undefined;
}

async function prepare(gateway: TestGateway, other: TestGateway, folder: string): Promise<Place> {
  const modelsFile = join(folder, "models.yaml");
  writeFileSync(
    modelsFile,
    "model_list:\n  - {model_name: from-file, litellm_params: {model: openai/gpt-4o, api_key: sk-1234567}}\n",
  );
  const user = await must(gateway, "/user/new", { user_email: "carl@example.com", auto_create_key: false });
  const team = await must(gateway, "/team/new", { team_alias: "Team" });
  const model = await must(gateway, "/model/new", {
    model_name: "made-before",
    litellm_params: { model: "openai/gpt-4o", api_key: "sk-1234567" },
  });
  return {
    url: gateway.url,
    key: gateway.masterKey,
    otherUrl: other.url,
    otherKey: other.masterKey,
    modelsFile,
    userId: String(user.user_id),
    teamId: String(team.team_id),
    modelId: String(model.model_id),
  };
}

/** Programs in the place of agents, which say that they were started. */
function withAgents(folder: string): string {
  const programs = join(folder, "agents");
  mkdirSync(programs);
  for (const name of ["claude", "codex", "opencode", "pi"]) {
    const file = join(programs, name);
    writeFileSync(
      file,
      '#!/bin/sh\n[ "$1" = --version ] && exec echo "codex-cli 1.20.0"\necho "an agent was started with $*"\n',
    );
    chmodSync(file, 0o755);
  }
  return `${programs}${delimiter}${process.env.PATH}`;
}

async function must(gateway: TestGateway, path: string, body: object): Promise<Record<string, unknown>> {
  const answer = await gateway.call(path, { body });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${text}`);
  return JSON.parse(text) as Record<string, unknown>;
}
