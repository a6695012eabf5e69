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

/** Leaves the formatting out of the command line's own bundle, and names its bundle instead. */
const formattingApart: Plugin = {
  name: "formatting-apart",
  resolveId(id) {
    const name = formatting.find((module) => id.endsWith(`/files/${module}.ts`));
    return name === undefined ? undefined : { id: `./${name}.cjs`, external: true };
  },
};

export default defineConfig([
  {
    input: { daemon: "src/daemon.ts", lsp: "src/lsp.ts", index: "src/index.ts" },
    platform,
    resolve,
    output: { dir: "dist", format: "esm", cleanDir: true },
  },
  {
    // The command line starts sooner as CommonJS, since Node's loader for ES modules takes some ms by itself, and as
    // one file, since each further one takes about a ms: a whole run over unchanged files takes some ten.
    input: { main: "src/main.ts" },
    platform,
    resolve,
    plugins: [formattingApart],
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
