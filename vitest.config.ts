import { availableParallelism } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import EdgeFirst from "./tools/edge-first.ts";
import { fastCoverage, LANES } from "./tools/lanes.ts";

/** A folder for a report of each run as JSON, which `.ci/run` counts. */
const reports = process.env.TEST_REPORTS;

export default defineConfig({
  resolve: { conditions: ["source"] },
  ssr: { resolve: { conditions: ["source"] } },
  test: {
    // These publish a "source" condition of their own, whose TypeScript Node does not load from node_modules.
    server: { deps: { inline: [/@ai-sdk\//, /eventsource-parser/, /node_modules\/ai\//] } },
    // Much of the time is spent waiting for processes and leases; those that share their modules cost little more.
    maxWorkers: availableParallelism() + 2,
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
    projects: LANES.map((lane) => ({ extends: true, test: lane })),
  },
});
