import { defineConfig } from "rolldown";

export default defineConfig({
  input: {
    main: "src/main.ts",
    daemon: "src/daemon.ts",
    lsp: "src/lsp.ts",
    index: "src/index.ts",
    "format-worker": "src/files/format-worker.ts",
  },
  platform: "node",
  resolve: { conditionNames: ["source", "node"] },
  output: { dir: "dist", format: "esm", cleanDir: true },
});
