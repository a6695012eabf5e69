import { defineConfig } from "vite";

/** The console: static files with relative addresses, so that it also works where a proxy serves the gateway below a path. */
export default defineConfig({
  root: import.meta.dirname,
  base: "./",
  build: {
    outDir: "dist",
    emptyOutDir: true,
    target: "es2024",
    // Pictures within styles would need a right of their own in the content security policy.
    assetsInlineLimit: 0,
    rolldownOptions: {
      // The component library marks its files for frameworks that render on servers.
      onwarn: (warning, warn) => {
        if (warning.code !== "MODULE_LEVEL_DIRECTIVE") warn(warning);
      },
    },
  },
});
