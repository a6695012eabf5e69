import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";
import { text } from "node:stream/consumers";

/** VS Code's web build with our extension, over files that are kept here. */
export interface ServedEditor {
  /** The page that has this file open, with further settings of the editor. */
  addressOf(path: string, settings?: object): string;
  /** What was saved, by path. */
  readonly written: ReadonlyMap<string, string>;
  close(): Promise<void>;
}

const types: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".ttf": "font/ttf",
  ".wasm": "application/wasm",
};

/** An extension that shows the files of this process to the editor; `URL` is where they are. */
const filesManifest = {
  name: "files",
  publisher: "test",
  version: "0.0.1",
  engines: { vscode: "^1.90.0" },
  browser: "./files.js",
  activationEvents: ["*", "onFileSystem:served"],
};
const filesProgram = `
const { EventEmitter, FileSystemError, FileType, workspace } = require("vscode");
exports.activate = async (context) => {
  const changed = new EventEmitter();
  const ask = async (uri) => {
    const answer = await fetch(BASE + "/content" + uri.path);
    if (!answer.ok) throw FileSystemError.FileNotFound(uri);
    return new Uint8Array(await answer.arrayBuffer());
  };
  const list = async () => (await fetch(BASE + "/list")).json();
  context.subscriptions.push(workspace.registerFileSystemProvider("served", {
    onDidChangeFile: changed.event,
    watch: () => ({ dispose() {} }),
    stat: async (uri) => {
      const paths = await list();
      const times = { ctime: 0, mtime: 0 };
      if (paths.includes(uri.path)) return { type: FileType.File, size: (await ask(uri)).length, ...times };
      if (paths.some((path) => path.startsWith(uri.path.replace(/\\/?$/, "/")))) return { type: FileType.Directory, size: 0, ...times };
      throw FileSystemError.FileNotFound(uri);
    },
    readDirectory: async (uri) => (await list())
      .filter((path) => path.startsWith(uri.path + "/"))
      .map((path) => [path.slice(uri.path.length + 1), FileType.File]),
    readFile: ask,
    writeFile: async (uri, body) => { await fetch(BASE + "/content" + uri.path, { method: "PUT", body }); },
    createDirectory() {}, delete() {}, rename() {},
  }));
};`;

const FRAMES = "out/vs/workbench/contrib/webview/browser/pre";

/**
 * The page of frames, such as of notebooks, wants an origin of its own whose name is a sum of the editor's. Browsers give
 * no service worker to frames of other sites on this machine, so that here it does without.
 */
function ofOneOrigin(page: string): string {
  return page
    .replace(/<meta http-equiv="Content-Security-Policy"[^>]*>/, "")
    .replace("hostname === parentOriginHash", "true");
}

export async function serveEditor(
  vscode: string,
  extension: string,
  files: Readonly<Record<string, string>>,
): Promise<ServedEditor> {
  const contents = new Map(Object.entries(files));
  const written = new Map<string, string>();
  let base = "";
  const server = createServer((request, response) => {
    answer(request, response).catch(() => {
      response.statusCode = 404;
      response.end();
    });
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url!, base);
    const path = decodeURIComponent(url.pathname);
    const send = (body: string | Uint8Array, extension = ".json"): void => {
      response.setHeader("content-type", types[extension] ?? "application/octet-stream");
      response.setHeader("access-control-allow-origin", "*");
      response.setHeader("access-control-allow-methods", "GET, PUT");
      response.end(body);
    };
    if (path === "/") {
      const settings = JSON.parse(url.searchParams.get("settings") ?? "{}") as object;
      send(await page(url.searchParams.get("open") ?? "", settings), ".html");
    } else if (path === "/list") send(JSON.stringify([...contents.keys()]));
    else if (path === "/files/package.json") send(JSON.stringify(filesManifest));
    else if (path === "/files/files.js") send(filesProgram.replaceAll("BASE", JSON.stringify(base)), ".js");
    else if (path.startsWith("/content/")) {
      const name = path.slice("/content".length);
      if (request.method === "PUT") {
        const body = await text(request);
        contents.set(name, body);
        written.set(name, body);
      }
      if (request.method === "OPTIONS") send("");
      else if (contents.has(name)) send(contents.get(name)!, ".txt");
      else throw new Error("no such file");
    } else {
      const [, place, ...rest] = normalize(path).split("/");
      const root = { extension, static: vscode }[place!];
      if (root === undefined) throw new Error("no such place");
      const file = join(root, ...rest);
      const contents = await readFile(file);
      send(path === `/static/${FRAMES}/index.html` ? ofOneOrigin(String(contents)) : contents, extname(file));
    }
  }

  async function page(open: string, settings: object): Promise<string> {
    const template = await readFile(join(vscode, "out/vs/code/browser/workbench/workbench.html"), "utf8");
    const { host } = new URL(base);
    const at = (path: string): object => ({ scheme: "http", authority: host, path });
    const file = (path: string): object => ({ scheme: "served", authority: "", path });
    const product = {
      productConfiguration: {
        nameShort: "Code",
        nameLong: "Code",
        version: "1.91.1",
        enableTelemetry: false,
      },
      additionalBuiltinExtensions: [at("/files"), at("/extension"), at("/static/extensions/ipynb")],
      webviewEndpoint: `${base}/static/${FRAMES}`,
      folderUri: file("/project"),
      defaultLayout: { force: true, editors: [{ uri: file(open) }] },
      configurationDefaults: {
        "workbench.startupEditor": "none",
        "security.workspace.trust.enabled": false,
        "[python]": { "editor.defaultFormatter": "jetblack.jetblack-vscode" },
        "editor.autoClosingBrackets": "never",
        "editor.wordBasedSuggestions": "off",
        "editor.quickSuggestions": { other: "off" },
        "editor.minimap.enabled": false,
        ...settings,
      },
    };
    const program = `<script>window.product = ${JSON.stringify(product)};</script>`;
    return template
      .replaceAll("{{WORKBENCH_WEB_BASE_URL}}", "/static")
      .replaceAll(/\{\{\w+\}\}/g, "")
      .replace("<!-- Startup", () => `${program}<!-- Startup`);
  }

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    addressOf: (path, settings = {}) =>
      `${base}/?${new URLSearchParams({ open: path, settings: JSON.stringify(settings) })}`,
    written,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}
