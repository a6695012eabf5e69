import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { runProgram } from "../agent-matrix/run-program.ts";
import { type Outcome, type OwnTests, RUN_TIMEOUT } from "./own-tests.ts";
import type { NodeSdk } from "./sdks.ts";

/** Vitest's report as JSON, as far as it is read. */
interface Report {
  readonly testResults: readonly {
    readonly name: string;
    /** Why the file could not be loaded. */
    readonly message: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages?: readonly string[];
    }[];
  }[];
}

/** The tests in a checkout of a Node SDK's repository, run by the workspace's Vitest against the checkout's sources. */
export function checkoutTests(sdk: NodeSdk, checkout: string, only = "tests/api-resources"): OwnTests {
  const root = resolve(process.env.INIT_CWD ?? ".", checkout);
  if (!existsSync(join(root, "tests/api-resources")))
    throw new Error(`${root} has no tests/api-resources; name a checkout of ${sdk.name}'s repository.`);
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  const vitest = join(dirname(createRequire(import.meta.url).resolve("vitest/package.json")), "vitest.mjs");
  const config = join(import.meta.dirname, "checkout.config.ts");
  return {
    title: `${sdk.name} ${version} from its checkout`,
    run: async (url, key) => {
      const folder = mkdtempSync(join(tmpdir(), "sdk-own-tests-"));
      const report = join(folder, "report.json");
      try {
        const { output } = await runProgram(
          process.execPath,
          [vitest, "run", "--config", config, "--reporter=json", `--outputFile=${report}`, only],
          {
            cwd: root,
            env: {
              PATH: process.env.PATH,
              HOME: folder,
              TEST_API_BASE_URL: url,
              OWN_TESTS_CHECKOUT: root,
              OWN_TESTS_NAME: sdk.package,
              OWN_TESTS_FOLDER: folder,
              OWN_TESTS_KEY: key,
            },
            timeout: RUN_TIMEOUT,
          },
        );
        if (!existsSync(report)) throw new Error(`Vitest ran no test: ${output.trim().slice(-1500)}`);
        return outcomesIn(JSON.parse(readFileSync(report, "utf8")) as Report, root);
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    },
  };
}

function outcomesIn({ testResults }: Report, root: string): Outcome[] {
  const broken = testResults.find(({ assertionResults }) => assertionResults.length === 0);
  if (broken !== undefined)
    throw new Error(
      `${broken.name} could not be loaded; install what the SDK depends on in its checkout: ${broken.message.slice(0, 400)}`,
    );
  return testResults.flatMap(({ name: file, assertionResults }) =>
    assertionResults.map(({ fullName, status, failureMessages = [] }) => ({
      name: `${relative(root, file)}::${fullName}`,
      outcome: status === "passed" || status === "failed" ? status : "skipped",
      fault: (failureMessages[0] ?? "").slice(0, 400),
    })),
  );
}
