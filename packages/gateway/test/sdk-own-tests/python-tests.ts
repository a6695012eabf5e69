import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runProgram } from "../agent-matrix/run-program.ts";
import { installWithTests } from "./install.ts";
import { type Outcome, type OwnTests, RUN_TIMEOUT } from "./own-tests.ts";
import type { PythonSdk } from "./sdks.ts";

/** Seconds for one test. */
const TEST_TIMEOUT = 40;

/** The tests in the newest source distribution of an SDK on PyPI, run by pytest. */
export async function pythonTests(sdk: PythonSdk, only = "tests/api_resources"): Promise<OwnTests> {
  const { version, python, sources } = await installWithTests(sdk);
  const { client, plugins = [] } = sdk;
  // Their own flags ask for a process per core, durations and traces.
  const flags = [
    "-o",
    "addopts=",
    "--tb=no",
    "-q",
    `--timeout=${TEST_TIMEOUT}`,
    ...["own_tests", ...plugins].flatMap((name) => ["-p", name]),
  ];
  return {
    title: `${sdk.name} ${version} from PyPI`,
    run: async (url, key) => {
      const folder = mkdtempSync(join(tmpdir(), "sdk-own-tests-"));
      try {
        const results = join(folder, "results");
        const { output } = await runProgram(
          python,
          ["-B", "-m", "pytest", "-p", "no:cacheprovider", ...flags, only],
          {
            cwd: sources,
            env: {
              PATH: process.env.PATH,
              HOME: folder,
              PYTHONPATH: import.meta.dirname,
              PYTHONWARNINGS: "ignore",
              TEST_API_BASE_URL: url,
              OWN_TESTS_CLIENT: client,
              OWN_TESTS_KEY: key,
              OWN_TESTS_RESULTS: results,
            },
            timeout: RUN_TIMEOUT,
          },
        );
        const lines = readResults(results);
        if (lines.length === 0) throw new Error(`pytest ran no test: ${output.trim().slice(-1500)}`);
        return lines.map((line) => JSON.parse(line) as Outcome);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  };
}

function readResults(file: string): string[] {
  try {
    return readFileSync(file, "utf8").split("\n").filter(Boolean);
  } catch {
    // Pytest ended before the first test; its output says why.
    return [];
  }
}
