import { execFile, spawn } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";

const root = resolve(import.meta.dirname, "../../../..");
const gateway = join(root, "packages/gateway");
const standsOn = JSON.parse(readFileSync(join(gateway, "features.json"), "utf8")) as Readonly<
  Record<string, readonly string[]>
>;
const run = promisify(execFile);

/** Every feature of the gateway. */
export const allFeatures: readonly string[] = readdirSync(join(gateway, "src/features"));

/** A feature with what stands on it: other features, and folders of commands (`cli/NAME`). */
export function withDependents(feature: string): readonly string[] {
  const dependents = Object.keys(standsOn).filter((other) => standsOn[other]!.includes(feature));
  return [...new Set([feature, ...dependents.flatMap(withDependents)])];
}

/**
 * Proves that the gateway can do without a feature: in a copy of its sources, the folder and the feature's lines in
 * `app.ts` are deleted, and so are the features and commands that stand on it; then types, bundle and start must be in
 * order.
 * @throws Error with what the failing step says
 */
export async function checkWithout(feature: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), `portico-without-${feature}-`));
  try {
    const copy = copyOf(folder);
    for (const gone of withDependents(feature)) remove(copy, gone);
    await step("types", () => run(join(root, "node_modules/.bin/tsc"), ["--noEmit"], { cwd: folder }));
    await step("bundle", () =>
      run(join(root, "node_modules/.bin/rolldown"), ["-c", "rolldown.config.ts"], { cwd: copy }),
    );
    await step("start", () => start(copy, withDependents(feature).includes("health") ? 404 : 200));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The gateway's sources without their tests, among the workspace's packages. */
export function copyOf(folder: string): string {
  const copy = join(folder, "packages/gateway");
  for (const part of ["src", "package.json", "rolldown.config.ts"])
    cpSync(join(gateway, part), join(copy, part), {
      recursive: true,
      filter: (path) => !/\.(test|suite)\.ts$/.test(path),
    });
  // Versions of the gateway's own, where other packages have others.
  for (const from of [root, gateway])
    symlinkSync(join(from, "node_modules"), join(folder, relative(root, from), "node_modules"));
  const { compilerOptions } = JSON.parse(readFileSync(join(root, "tsconfig.json"), "utf8")) as {
    compilerOptions: object;
  };
  // A name in app.ts that nothing uses any more is the lint's business.
  const options = { ...compilerOptions, noUnusedLocals: false };
  const config = { compilerOptions: options, include: ["packages/gateway/src"] };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  return copy;
}

function remove(copy: string, gone: string): void {
  if (gone.startsWith("cli/")) removeCommand(copy, gone);
  else removeFeature(copy, gone);
}

function removeCommand(copy: string, folder: string): void {
  rmSync(join(copy, "src", folder), { recursive: true });
  const place = `"./${folder.slice("cli/".length)}/`;
  if (removeLines(join(copy, "src/cli/run-command.ts"), (line) => line.includes(place)) !== 1)
    throw new Error(`run-command.ts does not load one command from ${folder}`);
}

function removeFeature(copy: string, feature: string): void {
  rmSync(join(copy, "src/features", feature), { recursive: true });
  const app = join(copy, "src/app.ts");
  const lines = readFileSync(app, "utf8").split("\n");
  const imported = lines.find((line) => line.includes(`"./features/${feature}/`));
  const opener = /import \{ (\w+) \}/.exec(imported ?? "")?.[1];
  if (opener === undefined) throw new Error(`app.ts does not import one function from features/${feature}`);
  removeLines(app, (line) => new RegExp(`\\b${opener}\\b`).test(line));
}

/** @returns how many lines it were */
function removeLines(file: string, isGone: (line: string) => boolean): number {
  const lines = readFileSync(file, "utf8").split("\n");
  const left = lines.filter((line) => !isGone(line));
  writeFileSync(file, left.join("\n"));
  return lines.length - left.length;
}

async function step(name: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const { stdout = "", stderr = "", message } = error as Error & { stdout?: string; stderr?: string };
    throw new Error(`${name}: ${message}\n${stdout}${stderr}`, { cause: error });
  }
}

/** Starts the bundle and asks whether it lives. */
async function start(copy: string, expected: number): Promise<void> {
  const flags = ["--port", "0", "--host", "127.0.0.1", "--data-dir", join(copy, "data")];
  const child = spawn(process.execPath, [join(copy, "dist/main.js"), ...flags], {
    env: { PATH: process.env.PATH },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const exited = new Promise<void>((done) => child.once("exit", () => done()));
  try {
    let said = "";
    let url: string | undefined;
    for await (const line of createInterface({ input: child.stderr })) {
      said += `${line}\n`;
      url = /ready on (\S+)/.exec(line)?.[1];
      if (url !== undefined) break;
    }
    if (url === undefined) throw new Error(`the gateway does not start\n${said}`);
    const { status } = await fetch(`${url}/health/liveliness`);
    if (status !== expected) throw new Error(`/health/liveliness answers ${status} instead of ${expected}`);
  } finally {
    child.kill();
    await exited;
  }
}
