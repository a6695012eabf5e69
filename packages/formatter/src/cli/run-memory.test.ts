import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { runInProcess } from "../../test/run-in-process.ts";
import { hasSteadyTimes } from "../files/discover/memory/steady-file-systems.ts";
import { type Answer, RunMemory } from "./run-memory.ts";

let base = "";
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "jetblack-")));
  vi.stubEnv("XDG_CONFIG_HOME", join(base, "home"));
  vi.stubEnv("GITHUB_OUTPUT", undefined);
  // Everything is written a minute before it is looked at, so that all times are settled.
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 });
  write("tree/pyproject.toml", "[tool.black]\nline-length = 60\n");
  write("tree/a.py", "a = 1\n");
  write("tree/deep/b.py", "b = 2\n");
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  rmSync(base, { recursive: true });
});

function write(path: string, contents: string): void {
  mkdirSync(dirname(join(base, path)), { recursive: true });
  writeFileSync(join(base, path), contents);
}

const argsFor = (...args: string[]): string[] => [
  "--cache-dir",
  join(base, "cache"),
  ...args,
  join(base, "tree"),
];

/** What a run would come to by its memory alone. */
const repeat = (args = argsFor()): Answer | undefined => new RunMemory(args, false).repeat();

/** Runs until nothing is new: files are written, then known, then the run itself is. */
async function settle(args = argsFor()): Promise<Answer> {
  // Changes have to be old enough to be trusted.
  vi.setSystemTime(Date.now() + 60_000);
  await runInProcess(args);
  await runInProcess(args);
  return await runInProcess(args);
}

describe.skipIf(!hasSteadyTimes(tmpdir()))("a run over known files", () => {
  test.each([[[]], [["--check"]], [["-q"]]])("says what the last one did: %s", async (flags: string[]) => {
    const answer = await settle(argsFor(...flags));
    expect(answer.exitCode).toBe(0);
    expect(repeat(argsFor(...flags))).toEqual(answer);
  });

  test("says again why files are no Python", async () => {
    write("tree/deep/bad.py", "a b\n");
    const answer = await settle();
    expect(answer.exitCode).toBe(123);
    expect(answer.messages.join("\n")).toContain("bad.py");
    expect(repeat()).toEqual(answer);
  });

  const changes: [string, () => void][] = [
    ["a file is edited", () => write("tree/deep/b.py", "b  = 2\n")],
    ["a file comes", () => write("tree/deep/c.py", "")],
    ["a file goes", () => rmSync(join(base, "tree/a.py"))],
    ["the configuration is edited", () => write("tree/pyproject.toml", "[tool.black]\nline-length = 61\n")],
    ["the configuration goes", () => rmSync(join(base, "tree/pyproject.toml"))],
    ["a project begins further up", () => write("pyproject.toml", "[tool.black]\n")],
    ["a repository begins", () => mkdirSync(join(base, "tree/.git"))],
    ["the user has a configuration", () => write("home/black", "[tool.black]\nline-length = 70\n")],
    ["an ignore file comes", () => write("tree/.gitignore", "deep\n")],
    ["the number of threads is another", () => vi.stubEnv("FORMATTER_NUM_WORKERS", "many")],
    ["GitHub wants to be told", () => vi.stubEnv("GITHUB_OUTPUT", join(base, "output"))],
    ["the cache is damaged", () => damage(/^runs/)],
    ["what is known of the folders is damaged", () => damage(/^folders/)],
  ];
  test.each(changes)("is made when %s", async (_name, change) => {
    await settle();
    expect(repeat()).toBeDefined();
    change();
    expect(repeat()).toBeUndefined();
  });

  test("is made when another run over the same folder has found something else", async () => {
    await settle();
    write("tree/bad.py", "a b\n");
    expect((await settle(argsFor("--check"))).exitCode).toBe(123);
    expect(repeat()).toBeUndefined();
  });

  test("is made when the configuration of the command line is edited", async () => {
    write("other.toml", "[tool.black]\n");
    const args = argsFor("--config", join(base, "other.toml"));
    await settle(args);
    expect(repeat(args)).toBeDefined();
    write("other.toml", "[tool.black]\nline-length = 70\n");
    expect(repeat(args)).toBeUndefined();
  });

  test.each([["--no-cache"], ["--verbose"], ["--diff"], ["--report=json"]])(
    "is always made with %s",
    async (flag) => {
      await settle(argsFor(flag));
      expect(repeat(argsFor(flag))).toBeUndefined();
    },
  );

  test("may be one over named files and folders", async () => {
    write("tree/deep/bad.py", "a b\n");
    const args = argsFor(join(base, "tree/a.py"), join(base, "tree/deep/bad.py"));
    for (const some of [args, args.slice(0, -1)]) {
      const answer = await settle(some);
      expect(answer.exitCode).toBe(123);
      expect(repeat(some)).toEqual(answer);
    }
    write("tree/a.py", "a = 22\n");
    for (const some of [args, args.slice(0, -1)]) expect(repeat(some)).toBeUndefined();
  });

  test("is made for standard input and texts", async () => {
    const code = ["--cache-dir", join(base, "cache"), "--code", "a"];
    await settle(code);
    expect(repeat(code)).toBeUndefined();
  });
});

function damage(names: RegExp): void {
  const folder = join(base, "cache");
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (!names.test(name.slice(name.lastIndexOf("/") + 1))) continue;
    const path = join(folder, name);
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.subarray(0, bytes.length - 5));
  }
}
