import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { decodeSource } from "../src/files/decode.ts";
import type { FormatOptions } from "../src/format/options.ts";
import type { Mode } from "../src/mode/mode.ts";
import { previewBits } from "../src/mode/preview.ts";
import { corpusSets } from "./corpus-sets.ts";
import { findDataFolder, NO_DATA } from "./data-folder.ts";
import type { Item } from "./item.ts";

/**
 * `npm run try-browser -w jetblack [browser...]`: has browsers format the corpus by `jetblack/browser`, in the page and
 * in its worker, and compares with Black's answers. Without names: those of Chromium and Firefox that are installed.
 * The browser needs nothing but an address: the page fetches the cases and posts what it found.
 */
const root = fileURLToPath(new URL("..", import.meta.url));
const bundle = join(root, "dist/browser");

/** How many sources the page fetches at a time. */
const BATCH = 50;
/** The longest time between two messages of the page. */
const PATIENCE_MS = 300_000;

const known: Readonly<Record<string, (profile: string) => string[]>> = {
  chromium: (profile) => ["--headless", "--no-sandbox", "--disable-gpu", `--user-data-dir=${profile}`],
  "firefox-esr": (profile) => ["--headless", "--no-remote", "--profile", profile],
};

const page = `<!doctype html><meta charset="utf-8"><title>jetblack/browser</title><script type="module">
import { format, formatInWorker } from "/bundle/index.js";
const worker = formatInWorker();
const settle = async (make) => { try { return await make(); } catch (error) { return error.name + ": " + error.message; } };
for (let start = 0; ; start += ${BATCH}) {
  const cases = await (await fetch("/cases/" + start)).json();
  const wrong = [];
  for (const { name, source, options, expected } of cases) {
    if (await settle(() => format(source, options)) !== expected) wrong.push(name);
    if (await settle(() => worker.format(source, options)) !== expected) wrong.push(name + " (worker)");
  }
  await fetch("/found", { method: "POST", body: JSON.stringify({ done: cases.length === 0, compared: cases.length, wrong }) });
  if (cases.length === 0) break;
}
</script>`;

interface Found {
  readonly done: boolean;
  readonly compared: number;
  readonly wrong: readonly string[];
}

await main();

async function main(): Promise<void> {
  const data = findDataFolder();
  if (data === undefined) throw new Error(`The corpus ${NO_DATA}.`);
  execFileSync("npm", ["run", "--silent", "build"], { cwd: root, stdio: "pipe" });
  const names = process.argv.slice(2);
  const browsers = names.length > 0 ? names : Object.keys(known).filter(isInstalled);
  if (browsers.length === 0)
    throw new Error("There is neither chromium nor firefox-esr on the PATH; install one.");
  const items = corpusSets(data).flatMap((set) => set.items.filter((item) => !item.isNotebook));
  for (const browser of browsers) await formatIn(browser, items);
}

function isInstalled(command: string): boolean {
  return (process.env.PATH ?? "").split(":").some((folder) => existsSync(join(folder, command)));
}

async function formatIn(browser: string, items: readonly Item[]): Promise<void> {
  const found: Found[] = [];
  const server = createServer((request, response) => void serve(request, response, items, found, server));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const profile = mkdtempSync(join(tmpdir(), "jetblack-browser-"));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const program = spawn(browser, [...(known[browser] ?? (() => []))(profile), address], {
    stdio: "ignore",
    detached: true,
    env: { ...process.env, HOME: profile },
  });
  try {
    await untilDone(server, program, found);
  } finally {
    process.kill(-program.pid!, "SIGKILL");
    await once(program, "exit");
    server.close();
    server.closeAllConnections();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
  const compared = found.reduce((sum, { compared }) => sum + compared, 0);
  const wrong = found.flatMap(({ wrong }) => wrong);
  process.stdout.write(
    `${browser}: ${compared} sources, ${wrong.length} different ${wrong.slice(0, 5).join(", ")}\n`,
  );
  if (wrong.length > 0 || compared !== items.length) process.exitCode = 1;
}

async function untilDone(
  server: ReturnType<typeof createServer>,
  program: ChildProcess,
  found: Found[],
): Promise<void> {
  const gone = once(program, "exit").then(() => {
    throw new Error("The browser ended by itself.");
  });
  gone.catch(() => undefined);
  while (found.at(-1)?.done !== true)
    await Promise.race([once(server, "found", { signal: AbortSignal.timeout(PATIENCE_MS) }), gone]);
}

async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  items: readonly Item[],
  found: Found[],
  server: ReturnType<typeof createServer>,
): Promise<void> {
  const path = request.url ?? "/";
  if (path === "/") send(response, "text/html", page);
  else if (/^\/bundle\/\w+\.js$/.test(path))
    send(response, "text/javascript", readFileSync(join(bundle, path.slice("/bundle/".length))));
  else if (path.startsWith("/cases/")) {
    const start = Number(path.slice("/cases/".length));
    send(response, "application/json", JSON.stringify(items.slice(start, start + BATCH).map(caseOf)));
  } else if (path === "/found") {
    found.push(JSON.parse(await text(request)) as Found);
    response.end();
    server.emit("found");
  } else response.writeHead(404).end();
}

function send(response: ServerResponse, type: string, body: string | Uint8Array): void {
  response.writeHead(200, { "content-type": type, "content-encoding": "gzip" }).end(gzipSync(body));
}

function caseOf(item: Item): { name: string; source: string; options: FormatOptions; expected: string } {
  const { bytes, expected } = item.load();
  const source = decodeSource(bytes).contents;
  return {
    name: item.name,
    source,
    options: optionsOf(item.mode),
    expected: "text" in expected ? expected.text : "",
  };
}

function optionsOf(mode: Mode): FormatOptions {
  const { lineLength, targetVersions, stringNormalization, magicTrailingComma, isPyi, preview } = mode;
  const unstable = preview === previewBits(true, true, []);
  return {
    lineLength,
    targetVersions,
    stringNormalization,
    magicTrailingComma,
    isPyi,
    preview: preview !== 0,
    unstable,
  };
}
