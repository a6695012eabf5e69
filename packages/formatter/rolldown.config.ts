import { join } from "node:path";
import { defineConfig, type Plugin, type RolldownOptions } from "rolldown";
import { sourcesId } from "./src/files/cache/build-id.ts";
import { withoutNode } from "./tools/without-node.ts";

const platform = "node";
const transform = { define: { JETBLACK_BUILD: JSON.stringify(sourcesId(join(import.meta.dirname, "src"))) } };
const resolve = { conditionNames: ["source", "node"] };

/** Written as escapes, what is not ASCII does not make V8 keep the whole bundle at two bytes a character. */
const inAscii: Plugin = {
  name: "in-ascii",
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle))
      if (chunk.type === "chunk") chunk.code = chunk.code.replace(/[\u0080-\uffff]/g, escapeOf);
  },
};

const escapeOf = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** An object in place of a module's constants makes a call of each of them: `const K = Kind` in one file did so in nine. */
const constantsByName: Plugin = {
  name: "constants-by-name",
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle))
      if (chunk.type === "chunk" && chunk.code.includes(" = /* @__PURE__ */ __exportAll("))
        this.error(`${chunk.fileName} holds a module as an object`);
  },
};

/** Each of Node's other modules takes up to 8 ms to load, so that it is only asked for where a run needs it. */
const LIGHT_MODULES = ["node:buffer", "node:fs", "node:path", "node:url", "node:vm"];

const onlyLightModules: Plugin = {
  name: "only-light-modules",
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle)) {
      const imports = chunk.type === "chunk" ? chunk.imports : [];
      const heavy = imports.filter((id) => id.startsWith("node:") && !LIGHT_MODULES.includes(id));
      if (heavy.length > 0) this.error(`${chunk.fileName} loads ${heavy.join()} in every run`);
    }
  },
};

/** What the command line loads only when there is something to format. */
const withoutFormatting: Plugin = {
  name: "without-formatting",
  resolveId: (id) => (id.endsWith("/formatting.ts") ? { id: "./formatting.cjs", external: true } : undefined),
};

/**
 * `loadBundle` runs such a bundle. It has the wrapper of a CommonJS module in the file, so that V8 takes the text as it was
 * read: to put the two together is another copy of it, which fills V8's space for new objects.
 */
const asFunction: Plugin = {
  name: "as-function",
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle))
      if (chunk.type === "chunk")
        chunk.code = `(function (exports, require, module, __filename, __dirname) {${chunk.code}\n})`;
  },
};

/**
 * The command line starts sooner as CommonJS, since Node's loader for ES modules takes some ms by itself; in few files,
 * since each further one takes about a ms. Names and lines stay, for stack traces in reports of errors.
 */
const command = (name: string, file: string, ...plugins: Plugin[]): RolldownOptions => ({
  input: { [name]: file },
  platform,
  resolve,
  transform,
  plugins: [...plugins, inAscii, constantsByName],
  output: {
    dir: "dist/command",
    format: "cjs",
    entryFileNames: "[name].cjs",
    // Nor is that loader needed for what is loaded later.
    dynamicImportInCjs: false,
    codeSplitting: false,
    comments: false,
  },
});

export default defineConfig([
  {
    input: { daemon: "src/daemon.ts", lsp: "src/lsp.ts", service: "src/service.ts", index: "src/index.ts" },
    platform,
    resolve,
    output: { dir: "dist", format: "esm", cleanDir: true },
  },
  {
    // For pages, which load it over the network. The formatter is in a chunk that the page shares with its worker.
    input: { index: "src/browser/index.ts", worker: "src/browser/worker.ts" },
    platform: "browser",
    resolve,
    output: { dir: "dist/browser", format: "esm", minify: true, chunkFileNames: "jetblack.js" },
  },
  {
    // For editors in pages: the safety check, notebooks and projects' settings as well, in one file.
    input: { index: "src/editor/index.ts" },
    platform: "browser",
    resolve: { conditionNames: ["source", "module", "import"] },
    plugins: [withoutNode],
    output: { dir: "dist/editor", format: "esm", minify: true, codeSplitting: false },
  },
  command("launch", "src/launch.ts", onlyLightModules),
  command("command", "src/main.ts", withoutFormatting, onlyLightModules, asFunction),
  command("formatting", "src/files/formatting.ts", onlyLightModules, asFunction),
  command("launch-worker", "src/launch-worker.ts"),
  command("format-worker", "src/files/format-worker.ts", withoutFormatting, asFunction),
]);
