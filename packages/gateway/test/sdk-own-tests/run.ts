// The tests with which the official SDKs are developed: those of openai-python and anthropic-sdk-python from their source
// distributions on PyPI, those of openai-node and anthropic-sdk-typescript from a checkout of their repositories, as npm's
// packages hold none. Each calls an operation with placeholders and checks the answer, in Python its type too. They run
// against the simulator alone, then through a gateway in front of another one. The simulators take placeholders for ids, as
// the SDKs' own mock server does. Through the gateway they have the base address of the provider's whole API (`/openai/v1`,
// `/anthropic`), where what the gateway does not offer itself passes through. Ends with 1 where anything fails through the
// gateway only.
//   --sdk NAME            chooses: openai and anthropic for Python, openai-node, anthropic-sdk-typescript
//   --checkout NAME=PATH  the checkout of one of the latter two
//   --only PATH           a part: tests/api_resources/test_models.py, tests/api-resources/models.test.ts
//   --verbose             prints what fails at both
import { parseArgs } from "node:util";
import { type Simulator, startSimulator } from "portico-simulator";
import { startTestGateway } from "../support/gateway.ts";
import { checkoutTests } from "./checkout-tests.ts";
import type { Outcome, OwnTests } from "./own-tests.ts";
import { pythonTests } from "./python-tests.ts";
import { nodeSdks, pythonSdks, type Sdk } from "./sdks.ts";

const { values } = parseArgs({
  options: {
    sdk: { type: "string", multiple: true },
    checkout: { type: "string", multiple: true },
    only: { type: "string" },
    verbose: { type: "boolean", default: false },
  },
});

const isChosen = ({ name }: Sdk): boolean => values.sdk?.includes(name) ?? true;
const checkouts = new Map((values.checkout ?? []).map((each) => each.split("=", 2) as [string, string]));
for (const sdk of pythonSdks.filter(isChosen)) await compare(sdk, await pythonTests(sdk, values.only));
for (const sdk of nodeSdks.filter(isChosen)) {
  const checkout = checkouts.get(sdk.name);
  if (checkout !== undefined) await compare(sdk, checkoutTests(sdk, checkout, values.only));
  else
    process.stdout.write(
      `${sdk.name}: not run; --checkout ${sdk.name}=PATH names a checkout of its repository, as its package holds no tests
`,
    );
}

/** Runs an SDK's tests at both addresses and prints how they ended. */
async function compare(sdk: Sdk, tests: OwnTests): Promise<void> {
  const alone = await atSimulator(sdk, tests);
  const through = await throughGateway(sdk, tests);
  const count = (outcomes: ReadonlyMap<string, Outcome>, wanted: Outcome["outcome"]): number =>
    [...outcomes.values()].filter(({ outcome }) => outcome === wanted).length;
  const { title } = tests;
  for (const [place, outcomes] of [
    ["simulator alone", alone],
    ["through the gateway", through],
  ] as const)
    process.stdout.write(
      `${title}, ${place}: ${count(outcomes, "passed")} pass, ${count(outcomes, "failed")} fail, ` +
        `${count(outcomes, "skipped")} are skipped\n`,
    );
  const onlyThrough = [...through.values()].filter(
    ({ name, outcome }) => outcome === "failed" && alone.get(name)?.outcome !== "failed",
  );
  const onlyAlone = [...alone.values()].filter(
    ({ name, outcome }) => outcome === "failed" && through.get(name)?.outcome === "passed",
  );
  process.stdout.write(
    `${title}: ${onlyThrough.length} fail through the gateway only, ${onlyAlone.length} at the simulator alone only\n`,
  );
  for (const [group, count] of byGroup(onlyThrough)) process.stdout.write(`  ${group}: ${count}\n`);
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
    const [file = ""] = name.replace(/^tests\/api.resources\//, "").split("::");
    const group = file.replace(/(test_)?([^/]+?)(\.test\.ts|\.py)$/, "$2");
    counts.set(group, (counts.get(group) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a);
}

async function atSimulator(sdk: Sdk, tests: OwnTests): Promise<Map<string, Outcome>> {
  const simulator = await lenientSimulator();
  try {
    return byName(await tests.run(simulator.url + sdk.simulatorPath, "simulated"));
  } finally {
    await simulator.close();
  }
}

async function lenientSimulator(): Promise<Simulator> {
  const simulator = await startSimulator({ port: 0 });
  await fetch(`${simulator.url}/_admin/settings`, { method: "POST", body: '{"placeholders":true}' });
  return simulator;
}

async function throughGateway(sdk: Sdk, tests: OwnTests): Promise<Map<string, Outcome>> {
  const simulator = await lenientSimulator();
  const parameters = sdk.parameters.replace("URL", simulator.url);
  const config = `model_list:
  - model_name: "*"
    litellm_params: {${parameters}, api_key: simulated}
router_settings: {num_retries: 0, disable_cooldowns: true}
`;
  const gateway = await startTestGateway({ config });
  try {
    return byName(await tests.run(gateway.url + sdk.gatewayPath, gateway.masterKey));
  } finally {
    await gateway.close();
    await simulator.close();
  }
}

function byName(outcomes: readonly Outcome[]): Map<string, Outcome> {
  return new Map(outcomes.map((each) => [each.name, each]));
}
