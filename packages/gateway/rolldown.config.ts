import { defineConfig } from "rolldown";

export default defineConfig({
  input: {
    main: "src/main.ts",
    index: "src/index.ts",
    "token-worker": "src/formats/tokens/token-worker.ts",
  },
  platform: "node",
  resolve: { conditionNames: ["source", "node"] },
  output: { dir: "dist", format: "esm", cleanDir: true },
});
