// How Vitest runs the tests of an SDK's checkout, which are written for Jest: its globals, and the SDK's own sources.
import { join } from "node:path";
import { defineConfig } from "vitest/config";

const { OWN_TESTS_CHECKOUT: root = ".", OWN_TESTS_NAME: name = "" } = process.env;

export default defineConfig({
  root,
  cacheDir: join(process.env.OWN_TESTS_FOLDER ?? root, "cache"),
  resolve: {
    alias: [
      { find: new RegExp(`^${name}$`), replacement: join(root, "src/index.ts") },
      { find: new RegExp(`^${name}/`), replacement: `${join(root, "src")}/` },
    ],
  },
  test: {
    globals: true,
    include: ["tests/api-resources/**/*.test.ts"],
    setupFiles: [join(import.meta.dirname, "checkout-setup.ts")],
    maxWorkers: 1,
    isolate: false,
    testTimeout: 40_000,
    retry: 0,
  },
});
