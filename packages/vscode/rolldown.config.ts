import { defineConfig } from "rolldown";

/** One file for the desktop and for pages: it uses nothing of Node's. */
export default defineConfig({
  input: { extension: "src/extension.ts" },
  platform: "browser",
  external: ["vscode"],
  // The library as pages get it: from its sources it would read files.
  resolve: { conditionNames: ["import", "module"] },
  output: { dir: "dist", format: "cjs", minify: true, codeSplitting: false },
});
