import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { conditions: ["source"] },
  ssr: { resolve: { conditions: ["source"] } },
  test: {
    // These publish a "source" condition of their own, whose TypeScript Node does not load from node_modules.
    server: { deps: { inline: [/@ai-sdk\//, /eventsource-parser/, /node_modules\/ai\//] } },
    include: ["packages/*/src/**/*.test.ts", "packages/*/test/**/*.test.ts", "tools/**/*.test.ts"],
    // Much of the time is spent waiting for processes and leases, so two at once pay even on two cores.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    globalSetup: ["tools/test-run-folder.ts"],
    setupFiles: ["tools/same-random-inputs.ts"],
    // Far from what any test takes: these end what hangs, and a slow or crowded machine must not look like that.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    // Some tests kill processes and cut sockets; on a shared CI machine a second try tells chance from a defect.
    retry: process.env.CI === undefined ? 0 : 1,
  },
});
