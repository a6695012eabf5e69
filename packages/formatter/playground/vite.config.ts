import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig, type Plugin } from "vite";
import { withoutNode } from "../tools/without-node.ts";

/** That nothing leaves the page is held by the browser. */
const POLICY = [
  "default-src 'none'",
  ...["connect", "img", "manifest", "script", "style", "worker"].map((kind) => `${kind}-src 'self'`),
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/** Not while it is developed, when the server puts styles and scripts into the page. */
const policy: Plugin = {
  name: "policy",
  apply: "build",
  transformIndexHtml: () => [
    {
      tag: "meta",
      attrs: { "http-equiv": "Content-Security-Policy", content: POLICY },
      injectTo: "head-prepend",
    },
  ],
};

/** Writes the service worker that keeps all files of the page. */
const offline: Plugin = {
  name: "offline",
  apply: "build",
  writeBundle({ dir }) {
    const names = readdirSync(dir!, { recursive: true, encoding: "utf8" })
      .filter((name) => statSync(join(dir!, name)).isFile())
      .map((name) => name.replaceAll("\\", "/"))
      .sort();
    const sum = createHash("sha256");
    for (const name of names) sum.update(name).update(readFileSync(join(dir!, name)));
    // Servers have the page under the address of its folder; that of its file may lead there.
    const files = names.map((name) => (name === "index.html" ? "./" : `./${name}`));
    const text = readFileSync(join(import.meta.dirname, "service-worker.js"), "utf8")
      .replace('["./"]', () => JSON.stringify(files))
      .replace('"none"', () => JSON.stringify(sum.digest("hex").slice(0, 16)));
    writeFileSync(join(dir!, "service-worker.js"), text);
  },
};

/** Vite would put empty modules in place of those of Node.js. */
const pages: Plugin = { ...withoutNode, enforce: "pre" };

/** The playground: static files that can be put on any web server, also below a path. */
export default defineConfig({
  root: import.meta.dirname,
  base: "./",
  plugins: [pages, policy, offline],
  worker: { format: "es", plugins: () => [pages] },
  build: { outDir: "../dist/playground", emptyOutDir: true, target: "es2024" },
});
