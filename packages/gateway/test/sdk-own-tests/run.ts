// The tests with which openai-python and anthropic-sdk-python are developed, from their source distributions on PyPI: each
// calls an operation with placeholders and checks the answer's type strictly. They run against the simulator alone, then
// through a gateway in front of another one. The simulators take placeholders for ids, as the SDKs' own mock server does. What
// the gateway has no endpoint for is counted apart, by the answer in which the gateway says so, and so are paths at which it
// has something else by its own rules. Ends with 1 where anything else
// fails through the gateway only. `--sdk openai` chooses, `--only tests/api_resources/test_models.py` takes a part, `--verbose`
// prints what fails at both.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Simulator, startSimulator } from "portico-simulator";
import { runProgram } from "../agent-matrix/run-program.ts";
import { startTestGateway } from "../support/gateway.ts";
import { type InstalledSdk, installWithTests, testsInNpmPackage } from "./install.ts";
import { nodeSdks, type PythonSdk, pythonSdks } from "./sdks.ts";

const { values } = parseArgs({
  options: {
    sdk: { type: "string", multiple: true },
    only: { type: "string", default: "tests/api_resources" },
    verbose: { type: "boolean", default: false },
  },
});

/** Milliseconds for all tests of one SDK at one address. */
const RUN_TIMEOUT = 1_800_000;
/** Seconds for one test. */
const TEST_TIMEOUT = 40;

/** How the gateway says that it has no such operation (404, or 405 where the path has another one). */
const NO_ENDPOINT = /There is no endpoint |\btakes [A-Z, ]+, not [A-Z]+/;

interface Outcome {
  readonly name: string;
  readonly outcome: "passed" | "failed" | "skipped";
  readonly fault: string;
}

const isChosen = (name: string): boolean => values.sdk?.includes(name) ?? true;
for (const sdk of pythonSdks.filter(({ name }) => isChosen(name))) await compare(sdk);
for (const name of nodeSdks.filter(isChosen)) {
  const { version, tests } = await testsInNpmPackage(name);
  const found =
    tests === 0 ? "no tests in the package, so none were run" : `${tests} tests, which nothing here runs yet`;
  process.stdout.write(`${name} ${version} from npm: ${found}\n`);
}

/** Runs an SDK's tests at both addresses and prints how they ended. */
async function compare(sdk: PythonSdk): Promise<void> {
  const installed = await installWithTests(sdk);
  const alone = await atSimulator(sdk, installed);
  const through = await throughGateway(sdk, installed);
  const count = (outcomes: ReadonlyMap<string, Outcome>, wanted: Outcome["outcome"]): number =>
    [...outcomes.values()].filter(({ outcome }) => outcome === wanted).length;
  const title = `${sdk.name} ${installed.version} from PyPI`;
  for (const [place, outcomes] of [
    ["simulator alone", alone],
    ["through the gateway", through],
  ] as const)
    process.stdout.write(
      `${title}, ${place}: ${count(outcomes, "passed")} pass, ${count(outcomes, "failed")} fail, ` +
        `${count(outcomes, "skipped")} are skipped\n`,
    );
  const failing = [...through.values()].filter(
    ({ name, outcome }) => outcome === "failed" && alone.get(name)?.outcome !== "failed",
  );
  const notOffered = failing.filter(({ fault }) => NO_ENDPOINT.test(fault));
  const differing = failing.filter(({ name, fault }) => !NO_ENDPOINT.test(fault) && sdk.differs.test(name));
  const onlyThrough = failing.filter((each) => !notOffered.includes(each) && !differing.includes(each));
  const onlyAlone = [...alone.values()].filter(
    ({ name, outcome }) => outcome === "failed" && through.get(name)?.outcome === "passed",
  );
  process.stdout.write(
    `${title}: ${onlyThrough.length} fail through the gateway only, ${onlyAlone.length} at the simulator alone only, ` +
      `${notOffered.length} call operations that the gateway does not offer, ${differing.length} paths at which it offers ` +
      "something else:\n",
  );
  for (const [word, tests] of [
    ["not offered", notOffered],
    ["something else", differing],
  ] as const)
    for (const [group, count] of byGroup(tests)) process.stdout.write(`  ${word}: ${group}: ${count}\n`);
  for (const { name, fault } of onlyThrough) process.stdout.write(`FAILS ${name}: ${fault}\n`);
  if (values.verbose) {
    for (const { name, fault } of onlyAlone)
      process.stdout.write(`fails at the simulator alone only: ${name}: ${fault}\n`);
    for (const { name, outcome, fault } of alone.values())
      if (outcome === "failed") process.stdout.write(`fails at the simulator: ${name}: ${fault}\n`);
  }
  const lost = [...alone.keys()].filter((name) => !through.has(name));
  if (lost.length > 0) process.stdout.write(`${lost.length} tests did not end through the gateway\n`);
  if (onlyThrough.length > 0 || lost.length > 0) process.exitCode = 1;
}

/** Tests by the file that they stand in, most first. */
function byGroup(outcomes: readonly Outcome[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const { name } of outcomes) {
    const [file = ""] = name.replace("tests/api_resources/", "").split("::");
    const group = file.replace(/(test_)?([^/]+)\.py$/, "$2");
    counts.set(group, (counts.get(group) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a);
}

async function atSimulator(sdk: PythonSdk, installed: InstalledSdk): Promise<Map<string, Outcome>> {
  const simulator = await lenientSimulator();
  try {
    return await runTests(sdk, installed, simulator.url + sdk.simulatorPath, "simulated");
  } finally {
    await simulator.close();
  }
}

async function lenientSimulator(): Promise<Simulator> {
  const simulator = await startSimulator({ port: 0 });
  await fetch(`${simulator.url}/_admin/settings`, { method: "POST", body: '{"placeholders":true}' });
  return simulator;
}

async function throughGateway(sdk: PythonSdk, installed: InstalledSdk): Promise<Map<string, Outcome>> {
  const simulator = await lenientSimulator();
  const parameters = sdk.parameters.replace("URL", simulator.url);
  const config = `model_list:
  - model_name: "*"
    litellm_params: {${parameters}, api_key: simulated}
router_settings: {num_retries: 0, disable_cooldowns: true}
`;
  const gateway = await startTestGateway({ config });
  try {
    return await runTests(sdk, installed, gateway.url + sdk.gatewayPath, gateway.masterKey);
  } finally {
    await gateway.close();
    await simulator.close();
  }
}

/** How each test ended, by its name. */
async function runTests(
  { client, plugins = [] }: PythonSdk,
  { python, sources }: InstalledSdk,
  url: string,
  key: string,
): Promise<Map<string, Outcome>> {
  const folder = mkdtempSync(join(tmpdir(), "sdk-own-tests-"));
  try {
    const results = join(folder, "results");
    // Their own flags ask for a process per core, durations and traces.
    const flags = [
      "-o",
      "addopts=",
      "--tb=no",
      "-q",
      `--timeout=${TEST_TIMEOUT}`,
      ...["own_tests", ...plugins].flatMap((name) => ["-p", name]),
    ];
    const { output } = await runProgram(
      python,
      ["-B", "-m", "pytest", "-p", "no:cacheprovider", ...flags, values.only],
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
    return new Map(lines.map((line) => JSON.parse(line) as Outcome).map((each) => [each.name, each]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readResults(file: string): string[] {
  try {
    return readFileSync(file, "utf8").split("\n").filter(Boolean);
  } catch {
    // Pytest ended before the first test; its output says why.
    return [];
  }
}
