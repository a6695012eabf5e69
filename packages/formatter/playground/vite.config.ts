import { defineConfig } from "vite";

/** The playground: static files that can be put on any web server, also below a path. */
export default defineConfig({
  root: import.meta.dirname,
  base: "./",
  build: { outDir: "../dist/playground", emptyOutDir: true, target: "es2024" },
});
