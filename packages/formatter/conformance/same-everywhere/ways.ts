import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { extname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import {
  createProtocolConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver-protocol/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import { makeOwnExecutable } from "../../executables/make.ts";
import type * as Editor from "../../src/editor/index.ts";
import { pythonEnvironment } from "../black.ts";

/** A file of the corpus. */
export interface Source {
  readonly name: string;
  readonly text: string;
  readonly bytes: Uint8Array;
}

/** What a way makes of each source, in order; `undefined` of those that it is not for. */
type Outputs = (string | undefined)[];

/** A way in which people format, by its name in the table. `folder` is empty and its own. */
export interface Way {
  readonly name: string;
  format(sources: readonly Source[], folder: string): Outputs | Promise<Outputs>;
}

const root = join(import.meta.dirname, "../..");
const dist = join(root, "dist");
const isNotebook = ({ name }: Source): boolean => name.endsWith(".ipynb");
const isStub = ({ name }: Source): boolean => name.endsWith(".pyi");

export const ways: readonly Way[] = [
  {
    name: "npm: the command",
    format: (sources, folder) =>
      formatByCommand([process.execPath, join(root, "bin/jetblack.cjs")], sources, folder),
  },
  {
    name: "PyPI: the wheel's command",
    format: (sources, folder) =>
      formatByCommand([installWheel(join(folder, "wheel"))], sources, join(folder, "files")),
  },
  {
    name: "the executable",
    format: (sources, folder) => formatByCommand([makeOwnExecutable().path], sources, folder),
  },
  { name: "jetblack/browser in Chromium, without notebooks", format: formatInChromium },
  { name: "jetblack/editor", format: formatInEditor },
  { name: "the plugin of Prettier, without notebooks", format: formatByPrettier },
  { name: "the language server", format: formatByServer },
];

/** Files in a folder, formatted in place by one run. */
function formatByCommand(command: readonly string[], sources: readonly Source[], folder: string): Outputs {
  const paths = sources.map(({ name }, index) => join(folder, `${index}${extname(name)}`));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "pyproject.toml"), "[tool.black]\n");
  for (const [index, path] of paths.entries()) writeFileSync(path, sources[index]!.bytes);
  const [program, ...args] = command;
  const { status, stderr } = spawnSync(program!, [...args, "--quiet", "--no-cache", folder], {
    encoding: "utf8",
    env: { ...process.env, JETBLACK_NODE: process.execPath },
  });
  if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr.slice(0, 500)}`);
  return paths.map((path) => readFileSync(path, "latin1"));
}

/** The wheel in a folder, with the Node.js of this process; returns its command. */
function installWheel(folder: string): string {
  const checkout = join(root, "../..");
  const python = join(pythonEnvironment("build-1.6", ["build>=1.6,<2"]), "python");
  execFileSync(python, ["-m", "build", "--wheel", "--outdir", folder, checkout], { stdio: "pipe" });
  const wheel = readdirSync(folder).find((name) => name.endsWith(".whl"))!;
  const venv = join(folder, "venv");
  execFileSync("python3", ["-m", "venv", venv]);
  execFileSync(join(venv, "bin/pip"), ["install", "--quiet", "--no-deps", join(folder, wheel)], {
    stdio: "pipe",
  });
  return join(venv, "bin/jetblack");
}

async function formatInChromium(sources: readonly Source[]): Promise<Outputs> {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu"],
  });
  try {
    const page = await browser.newPage();
    const host = "http://localhost";
    await page.route(`${host}/**`, (route) => {
      const { pathname } = new URL(route.request().url());
      if (pathname === "/") return route.fulfill({ contentType: "text/html", body: "<!doctype html>" });
      return route.fulfill({ contentType: "text/javascript", path: join(dist, "browser", pathname) });
    });
    await page.goto(`${host}/`);
    const outputs: Outputs = [];
    for (const source of sources) {
      const call = `import("/index.js").then(({ format }) => format(${JSON.stringify(source.text)}, { isPyi: ${isStub(source)} }))`;
      outputs.push(isNotebook(source) ? undefined : asLatin1(await page.evaluate<string>(call)));
    }
    return outputs;
  } finally {
    await browser.close();
  }
}

async function formatInEditor(sources: readonly Source[]): Promise<Outputs> {
  const editor = (await import(pathToFileURL(join(dist, "editor/index.js")).href)) as typeof Editor;
  const settings = editor.settingsOf({});
  return sources.map(({ name, text }) =>
    asLatin1(editor.applyEdits(text, editor.formatSource({ text, path: name }, settings))),
  );
}

async function formatByPrettier(sources: readonly Source[]): Promise<Outputs> {
  const plugin = join(root, "../prettier-plugin");
  execFileSync("npm", ["run", "--silent", "build"], { cwd: plugin, stdio: "pipe" });
  const prettier = createRequire(join(plugin, "package.json"))("prettier") as {
    format(text: string, options: object): Promise<string>;
  };
  const options = { plugins: [join(plugin, "dist/index.js")], parser: "python", endOfLine: "auto" };
  const outputs: Outputs = [];
  for (const source of sources)
    outputs.push(
      isNotebook(source)
        ? undefined
        : asLatin1(await prettier.format(source.text, { ...options, filepath: source.name })),
    );
  return outputs;
}

async function formatByServer(sources: readonly Source[], folder: string): Promise<Outputs> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "pyproject.toml"), "[tool.black]\n");
  const server = spawn(process.execPath, [join(root, "bin/jetblack-lsp.cjs")], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const client = createProtocolConnection(
    new StreamMessageReader(server.stdout),
    new StreamMessageWriter(server.stdin),
  );
  client.listen();
  try {
    await client.sendRequest("initialize", { processId: process.pid, capabilities: {}, rootUri: null });
    await client.sendNotification("initialized", {});
    const outputs: Outputs = [];
    for (const { name, text } of sources) {
      const uri = pathToFileURL(join(folder, `source${extname(name)}`)).href;
      const document = { uri, languageId: "python", version: 1, text };
      await client.sendNotification("textDocument/didOpen", { textDocument: document });
      const edits = await client.sendRequest<never[]>("textDocument/formatting", {
        textDocument: { uri },
        options: { tabSize: 4, insertSpaces: true },
      });
      outputs.push(asLatin1(TextDocument.applyEdits(TextDocument.create(uri, "python", 1, text), edits)));
      await client.sendNotification("textDocument/didClose", { textDocument: { uri } });
    }
    await client.sendRequest("shutdown");
    await client.sendNotification("exit");
    await once(server, "exit");
    return outputs;
  } finally {
    client.dispose();
    server.kill();
  }
}

/** The bytes of a text in UTF-8, one character each, as files are read here. */
export function asLatin1(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}
