import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";

/**
 * `npm run try-packages`: packs the packages, installs the tarballs in an empty folder and uses them as their users
 * would. Ends with an error at the first thing that does not work.
 */
const workspace = resolve(import.meta.dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "try-packages-"));
const packages = ["portico", "jetblack", "portico-simulator"];

try {
  installPackages();
  for (const name of packages) checkContents(name);
  say("npx jetblack --version", run("npx", ["jetblack", "--version"]));
  say("npx portico --help", run("npx", ["portico", "--help"]).split("\n")[0]!);
  checkTypes();
  await checkGateway();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function installPackages(): void {
  const selected = packages.flatMap((name) => ["-w", name]);
  execFileSync("npm", ["pack", "--silent", "--pack-destination", folder, ...selected], { cwd: workspace });
  const tarballs = readdirSync(folder).filter((name) => name.endsWith(".tgz"));
  for (const name of tarballs) say(name, `${Math.ceil(statSync(join(folder, name)).size / 1024)} KiB`);
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  run("npm", ["install", "--silent", "--prefer-offline", ...tarballs.map((name) => `./${name}`)]);
}

/** Everything that a package needs is in it, and nothing that tells where it was built. */
function checkContents(name: string): void {
  const root = join(folder, "node_modules", name);
  const files = readdirSync(root, { recursive: true, encoding: "utf8" });
  const needed = [
    "README.md",
    "LICENSE",
    "dist/index.js",
    "dist/types/index.d.ts",
    "dist/THIRD-PARTY-NOTICES.md",
  ];
  const missing = needed.filter((file) => !files.includes(file));
  if (missing.length > 0) throw new Error(`${name} lacks ${missing.join(", ")}`);
  for (const file of files.filter((path) => /\.(js|ts|json|md)$/.test(path)))
    if (readFileSync(join(root, file), "utf8").includes(workspace))
      throw new Error(`${name}: ${file} names the folder in which it was built`);
}

/** The libraries' types hold in a strict project of somebody else's. */
function checkTypes(): void {
  const source = [
    'import { format, type FormatOptions, ParseError } from "jetblack";',
    'import type { Hooks } from "portico";',
    'import { startSimulator } from "portico-simulator";',
    "const options: FormatOptions = { lineLength: 100 };",
    'export const formatted: string = format("x=1", options);',
    "export const hooks: Hooks = { preCall: ({ data }) => data };",
    "export const simulator = startSimulator({ port: 0 });",
    "export const failure: typeof ParseError = ParseError;",
    "",
  ];
  mkdirSync(join(folder, "src"));
  writeFileSync(join(folder, "src/uses.ts"), source.join("\n"));
  const compiler = join(workspace, "node_modules/typescript/bin/tsc");
  const options = ["--noEmit", "--strict", "--module", "nodenext", "--target", "es2024"];
  const types = ["--types", "node", "--typeRoots", join(workspace, "node_modules/@types")];
  run(process.execPath, [compiler, "--ignoreConfig", ...options, ...types, "src/uses.ts"]);
  say("types", "hold");
}

/** The printed call gets its answer. */
async function checkGateway(): Promise<void> {
  const flags = ["portico", "--port", "0", "--host", "127.0.0.1", "--data-dir", join(folder, "data")];
  const gateway = spawn(
    process.execPath,
    [join(folder, "node_modules/portico/bin/portico.js"), ...flags.slice(1)],
    {
      cwd: folder,
      stdio: ["ignore", "ignore", "pipe"],
    },
  );
  try {
    let printed = "";
    for await (const line of createInterface({ input: gateway.stderr })) {
      printed += `${line}\n`;
      if (line.trim().startsWith("-d ")) break;
    }
    const call = printed.slice(printed.indexOf("  curl "));
    say(
      "npx portico",
      execFileSync("sh", ["-c", call], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }),
    );
  } finally {
    gateway.kill("SIGTERM");
    await once(gateway, "exit");
  }
}

function run(command: string, args: readonly string[]): string {
  return execFileSync(command, args, {
    cwd: folder,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  }).trim();
}

function say(what: string, result: string): void {
  process.stdout.write(`${what}: ${result}\n`);
}
