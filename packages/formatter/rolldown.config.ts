import { defineConfig, type Plugin } from "rolldown";

const platform = "node";
const resolve = { conditionNames: ["source", "node"] };

const command = {
  dir: "dist/command",
  format: "cjs",
  entryFileNames: "[name].cjs",
  chunkFileNames: "[name]-[hash].cjs",
  // Nor is that loader needed for what is loaded later.
  dynamicImportInCjs: false,
} as const;

/** What the command line loads only when there is something to format. */
const formatting = ["format-many", "format-stream"];

/** Leaves modules out of a bundle, and names their own bundles instead. */
const apart = (folder: string, names: readonly string[]): Plugin => ({
  name: "apart",
  resolveId(id) {
    const name = names.find((module) => id.endsWith(`/${folder}/${module}.ts`));
    return name === undefined ? undefined : { id: `./${name}.cjs`, external: true };
  },
});

export default defineConfig([
  {
    input: { daemon: "src/daemon.ts", lsp: "src/lsp.ts", index: "src/index.ts" },
    platform,
    resolve,
    output: { dir: "dist", format: "esm", cleanDir: true },
  },
  {
    // The command line starts sooner as CommonJS, since Node's loader for ES modules takes some ms by itself, and in
    // few files, since each further one takes about a ms. The first is small: it is all that a run over unchanged files
    // needs.
    input: { main: "src/main.ts" },
    platform,
    resolve,
    plugins: [apart("cli", ["run"])],
    output: command,
  },
  {
    input: { run: "src/cli/run.ts" },
    platform,
    resolve,
    plugins: [apart("files", formatting)],
    output: command,
  },
  {
    input: {
      ...Object.fromEntries(formatting.map((name) => [name, `src/files/${name}.ts`])),
      "format-worker": "src/files/format-worker.ts",
    },
    platform,
    resolve,
    output: command,
  },
]);
