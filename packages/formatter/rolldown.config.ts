import { defineConfig } from "rolldown";

const platform = "node";
const resolve = { conditionNames: ["source", "node"] };

export default defineConfig([
  {
    input: { daemon: "src/daemon.ts", lsp: "src/lsp.ts", index: "src/index.ts" },
    platform,
    resolve,
    output: { dir: "dist", format: "esm", cleanDir: true },
  },
  {
    // The command line starts sooner as CommonJS: Node's loader for ES modules takes some ms by itself.
    input: { main: "src/main.ts", "format-worker": "src/files/format-worker.ts" },
    platform,
    resolve,
    output: {
      dir: "dist/command",
      format: "cjs",
      entryFileNames: "[name].cjs",
      chunkFileNames: "[name]-[hash].cjs",
    },
  },
]);
