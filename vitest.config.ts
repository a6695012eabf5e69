import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { ALL_TESTS, FAST_TESTS, fastCoverage, MOCKING_TESTS, SOAK_TESTS } from "./tools/lanes.ts";

/** A file for a report as JSON, which `.ci/run` counts. */
const report = process.env.TEST_REPORT;

export default defineConfig({
  resolve: { conditions: ["source"] },
  ssr: { resolve: { conditions: ["source"] } },
  test: {
    // These publish a "source" condition of their own, whose TypeScript Node does not load from node_modules.
    server: { deps: { inline: [/@ai-sdk\//, /eventsource-parser/, /node_modules\/ai\//] } },
    // Much of the time is spent waiting for processes and leases, so two at once pay even on two cores.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    globalSetup: ["tools/test-run-folder.ts"],
    setupFiles: ["tools/same-random-inputs.ts"],
    reporters: ["default", "./tools/loud-reporter.ts", ...(report === undefined ? [] : ["json"])],
    ...(report === undefined ? {} : { outputFile: { json: report } }),
    // Far from what any test takes: these end what hangs, and a slow or crowded machine must not look like that.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    coverage: fastCoverage(),
    projects: [
      { extends: true, test: { name: "fast", include: FAST_TESTS, exclude: MOCKING_TESTS, isolate: false } },
      { extends: true, test: { name: "fast-mocks", include: MOCKING_TESTS } },
      { extends: true, test: { name: "full", include: ALL_TESTS, exclude: [...FAST_TESTS, ...SOAK_TESTS] } },
      { extends: true, test: { name: "soak", include: SOAK_TESTS } },
    ],
  },
});
