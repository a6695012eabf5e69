import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { gzipSync } from "node:zlib";

/**
 * `npm run try-packages`: packs the packages, installs the tarballs in an empty folder and uses them as their users
 * would; then unpacks the tarballs with nothing beside them and uses them again. Ends with an error at the first thing
 * that does not work.
 */
const workspace = resolve(import.meta.dirname, "..");
const folder = mkdtempSync(join(tmpdir(), "try-packages-"));
const unpacked: string[] = [];
const packages = ["portico", "jetblack", "portico-simulator"];

/** The most that Portico and Jetblack may take on a disk when both are installed. */
const MAX_INSTALLED_BYTES = 15_000_000;

/** The most that a page loads for Jetblack, worker included, as servers send it; the README says so. */
const MAX_PAGE_BYTES = 70_000;

try {
  const tarballs = packPackages();
  for (const [name, file] of tarballs) say(name, `${Math.ceil(statSync(file).size / 1024)} KiB packed`);
  installPackages([...tarballs.values()]);
  checkInstalled();
  for (const name of packages) checkContents(name);
  say("npx jetblack --version", run("npx", ["jetblack", "--version"]));
  say("npx portico --help", run("npx", ["portico", "--help"]).split("\n")[0]!);
  checkTypes();
  checkPageSize();
  await checkGateway("npx portico", join(folder, "node_modules/portico"));
  checkFormatter(unpack(tarballs.get("jetblack")!));
  await checkGateway("portico from its tarball alone", unpack(tarballs.get("portico")!));
} finally {
  for (const created of [folder, ...unpacked]) rmSync(created, { recursive: true, force: true });
}

/** The tarballs, by the names of their packages. */
function packPackages(): Map<string, string> {
  const selected = packages.flatMap((name) => ["-w", name]);
  const listed = execFileSync(
    "npm",
    ["pack", "--silent", "--json", "--pack-destination", folder, ...selected],
    {
      cwd: workspace,
      encoding: "utf8",
    },
  );
  const packed = Object.values(JSON.parse(listed) as Record<string, { name: string; filename: string }>);
  return new Map(packed.map(({ name, filename }) => [name, join(folder, filename)]));
}

function installPackages(tarballs: readonly string[]): void {
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  run("npm", ["install", "--silent", "--prefer-offline", ...tarballs]);
}

/** Users get our packages and nothing else, since all that they load is bundled, and get it small. */
function checkInstalled(): void {
  const modules = join(folder, "node_modules");
  const others = readdirSync(modules).filter((name) => !name.startsWith(".") && !packages.includes(name));
  if (others.length > 0) throw new Error(`with our packages come ${others.join(", ")}: bundle them`);
  const bytes = diskUsage(join(modules, "portico")) + diskUsage(join(modules, "jetblack"));
  say("portico and jetblack installed", `${(bytes / 1e6).toFixed(1)} MB`);
  if (bytes > MAX_INSTALLED_BYTES) throw new Error(`that is more than ${MAX_INSTALLED_BYTES / 1e6} MB`);
}

/** What a folder takes on the disk, whole blocks included. */
function diskUsage(root: string): number {
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .map((path) => statSync(join(root, path)).blocks * 512)
    .reduce((sum, size) => sum + size, 0);
}

/** A package's files in a folder that has no `node_modules` beside or above it. */
function unpack(tarball: string): string {
  const target = mkdtempSync(join(tmpdir(), "try-tarball-"));
  unpacked.push(target);
  execFileSync("tar", ["-xzf", tarball, "-C", target]);
  return join(target, "package");
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
  for (const file of files.filter((path) => path.endsWith(".d.ts"))) checkDeclaration(name, join(root, file));
}

/** Nothing comes with a package but itself: a type of another one would be none, or `any`, to its users. */
function checkDeclaration(name: string, file: string): void {
  const text = readFileSync(file, "utf8");
  for (const [, other] of text.matchAll(/^(?:import|export) [^;]*?from "([^."][^"]*)"/gm))
    if (!other!.startsWith("node:")) throw new Error(`${name}: the types of ${file} need ${other}`);
}

/** The libraries' types hold in a strict project of somebody else's. */
function checkTypes(): void {
  const source = [
    'import { format, type FormatOptions, ParseError } from "jetblack";',
    'import { formatInWorker } from "jetblack/browser";',
    'import { applyEdits, type DocumentResult, formatSource, settingsOf } from "jetblack/editor";',
    'import type { Hooks } from "portico";',
    'import { startSimulator } from "portico-simulator";',
    "const options: FormatOptions = { lineLength: 100 };",
    'export const formatted: string = format("x=1", options);',
    "export const hooks: Hooks = { preCall: ({ data }) => data };",
    "export const simulator = startSimulator({ port: 0 });",
    "export const failure: typeof ParseError = ParseError;",
    'const result: DocumentResult = formatSource({ text: "x=1", path: "a.py" }, settingsOf({}));',
    "export const line: number = result.edits[0]!.range.start.line;",
    'export const edited: string = applyEdits("x=1", result);',
    'export const later: Promise<string> = formatInWorker().format("x=1", options);',
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

function checkPageSize(): void {
  const files = join(folder, "node_modules/jetblack/dist/browser");
  const bytes = readdirSync(files)
    .map((name) => gzipSync(readFileSync(join(files, name))).length)
    .reduce((sum, size) => sum + size, 0);
  say("jetblack/browser", `${(bytes / 1000).toFixed(1)} KB gzipped`);
  if (bytes > MAX_PAGE_BYTES) throw new Error(`that is more than ${MAX_PAGE_BYTES / 1000} KB`);
}

function checkFormatter(root: string): void {
  const formatted = execFileSync(process.execPath, [join(root, "bin/jetblack.cjs"), "-q", "-"], {
    cwd: root,
    encoding: "utf8",
    input: "x = { 'a':1,\n 'b':2 }\n",
  });
  say("jetblack from its tarball alone", formatted.trim());
  if (formatted !== 'x = {"a": 1, "b": 2}\n') throw new Error("it formats otherwise");
}

/** The printed call gets its answer. */
async function checkGateway(name: string, root: string): Promise<void> {
  const gateway = spawn(
    process.execPath,
    [join(root, "bin/portico.js"), "--port", "0", "--host", "127.0.0.1", "--data-dir", join(root, "data")],
    { cwd: root, stdio: ["ignore", "ignore", "pipe"] },
  );
  try {
    let printed = "";
    for await (const line of createInterface({ input: gateway.stderr })) {
      printed += `${line}\n`;
      if (line.trim().startsWith("-d ")) break;
    }
    const call = printed.slice(printed.indexOf("  curl "));
    const answer = execFileSync("sh", ["-c", call], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    say(name, answer);
    if (!answer.includes("echo: Hello")) throw new Error("it answers otherwise");
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
