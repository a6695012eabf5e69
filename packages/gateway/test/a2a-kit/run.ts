// Runs the public A2A conformance kit (github.com/a2aproject/a2a-tck) against a local agent of the gateway.
//   --kit FOLDER     a checkout of the kit
//   --python PATH    the Python that has the kit's requirements; python3 otherwise
//   --report FILE    keeps pytest's report as JSON
//   --as-is          without the help for what the kit leaves out, see front.ts
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { startSimulator } from "portico-simulator";
import { startTestGateway } from "../support/gateway.ts";
import { openFront } from "./front.ts";
import { printResults, readResults } from "./results.ts";

const { values } = parseArgs({
  options: {
    kit: { type: "string" },
    python: { type: "string" },
    report: { type: "string" },
    "as-is": { type: "boolean", default: false },
  },
});
if (values.kit === undefined) throw new Error("--kit FOLDER is missing: a checkout of a2aproject/a2a-tck");

/** Seconds that the kit waits for a stream. */
const streamingTimeout = "2.0";
/** Milliseconds that the agent thinks: the kit wants to see tasks while they work, some for twice its timeout. */
const thinkingMs = values["as-is"] ? 0 : 6000;
const folder = mkdtempSync(join(tmpdir(), "a2a-kit-"));
const simulator = await startSimulator();
simulator.setFault({ path: "/openai", ttftMs: thinkingMs, times: "forever" });
const gateway = await startTestGateway({
  config: `
model_list:
  - {model_name: gpt, litellm_params: {model: openai/gpt-4o, api_key: k, api_base: "${simulator.url}/openai/v1"}}
gateway_settings: {allow_private_networks: true}
`,
});
const front = await openFront(gateway.url, "/a2a/kit", values["as-is"]);
try {
  const agent = {
    agent_name: "kit",
    agent_card_params: {
      name: "Conformance",
      description: "Repeats what it is told",
      capabilities: { streaming: true },
      skills: [{ id: "echo", name: "Echo", description: "Repeats what it is told", tags: ["echo"] }],
    },
    gateway_params: { model: "gpt", make_public: true },
  };
  const { status } = await gateway.call("/v1/agents", { body: agent });
  if (status !== 200) throw new Error(`the agent was refused with ${status}`);
  const report = resolve(values.report ?? join(folder, "report.json"));
  await runKit(report);
  process.exitCode = printResults(readResults(report)) ? 0 : 1;
} finally {
  front.close();
  await gateway.close();
  await simulator.close();
  rmSync(folder, { recursive: true, force: true });
}

/** Resolves when the kit has ended; that tests fail is no error here. */
async function runKit(report: string): Promise<void> {
  const options = [
    ...["-m", "pytest", "tests/mandatory", "tests/optional", "-q", "--tb=line"],
    ...["--test-scope=all", "--transports=jsonrpc", `--sut-url=${front.url}`],
    ...["-p", "no:cacheprovider", "--json-report", `--json-report-file=${report}`],
  ];
  const child = spawn(values.python ?? "python3", options, {
    cwd: values.kit,
    stdio: ["ignore", "inherit", "inherit"],
    env: {
      ...process.env,
      PYTHONDONTWRITEBYTECODE: "1",
      TCK_STREAMING_TIMEOUT: streamingTimeout,
      A2A_AUTH_TYPE: "bearer",
      A2A_AUTH_TOKEN: gateway.masterKey,
    },
  });
  await new Promise<void>((done, failed) => {
    child.once("error", failed);
    child.once("exit", () => done());
  });
}
