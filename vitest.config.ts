import { availableParallelism } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import EdgeFirst from "./tools/edge-first.ts";
import { ALL_TESTS, FAST_TESTS, fastCoverage, MOCKING_TESTS, SOAK_TESTS } from "./tools/lanes.ts";

/** A folder for a report of each run as JSON, which `.ci/run` counts. */
const reports = process.env.TEST_REPORTS;

const cores = availableParallelism();
/**
 * Its workers share their modules, so that a further one costs little; some wait for retries most of the time. Projects with
 * other numbers of workers run one after the other.
 */
const fast = { maxWorkers: cores + 2, sequence: { groupOrder: 1 } };

export default defineConfig({
  resolve: { conditions: ["source"] },
  ssr: { resolve: { conditions: ["source"] } },
  test: {
    // These publish a "source" condition of their own, whose TypeScript Node does not load from node_modules.
    server: { deps: { inline: [/@ai-sdk\//, /eventsource-parser/, /node_modules\/ai\//] } },
    // Much of the time is spent waiting for processes and leases, so one more than there are cores pays.
    maxWorkers: cores + 1,
    sequence: { sequencer: EdgeFirst },
    globalSetup: ["tools/test-run-folder.ts"],
    setupFiles: ["tools/same-random-inputs.ts", "tools/own-environment.ts"],
    reporters: ["default", "./tools/loud-reporter.ts", ...(reports === undefined ? [] : ["json"])],
    ...(reports === undefined ? {} : { outputFile: { json: join(reports, `${process.pid}.json`) } }),
    // Far from what any test takes: these end what hangs, and a slow or crowded machine must not look like that.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
    coverage: fastCoverage(),
    projects: [
      {
        extends: true,
        test: { ...fast, name: "fast", include: FAST_TESTS, exclude: MOCKING_TESTS, isolate: false },
      },
      { extends: true, test: { ...fast, name: "fast-mocks", include: MOCKING_TESTS } },
      { extends: true, test: { name: "full", include: ALL_TESTS, exclude: [...FAST_TESTS, ...SOAK_TESTS] } },
      { extends: true, test: { name: "soak", include: SOAK_TESTS } },
    ],
  },
});
