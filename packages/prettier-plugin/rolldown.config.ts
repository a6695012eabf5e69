import { defineConfig } from "rolldown";

/** Jetblack is in the bundle, Prettier is the one that loads it. */
export default defineConfig({
  input: { index: "src/index.ts" },
  platform: "neutral",
  external: [/^prettier/],
  resolve: { conditionNames: ["source"] },
  output: { dir: "dist", format: "esm", cleanDir: true, minify: true },
});
