// Calls every A2A method with the official Python client, in both protocol versions, on a local agent and on remote
// ones of each version.
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startSimulator } from "portico-simulator";
import { startTestGateway, type TestGateway } from "../../support/gateway.ts";
import { startRemoteAgent } from "../../support/remote-agent.ts";

const here = import.meta.dirname;
const simulator = await startSimulator();
const gateway = await startTestGateway({
  config: `
model_list:
  - {model_name: gpt, litellm_params: {model: openai/gpt-4o, api_key: k, api_base: "${simulator.url}/openai/v1"}}
gateway_settings: {allow_private_networks: true}
`,
});
const remotes = { "remote-0.3": await startRemoteAgent("0.3"), "remote-1.0": await startRemoteAgent("1.0") };
const folder = await mkdtemp(join(tmpdir(), "strict-a2a-"));
try {
  await register(gateway, { agent_name: "local", gateway_params: { model: "gpt" } });
  for (const [agent_name, { url }] of Object.entries(remotes))
    await register(gateway, {
      agent_name,
      agent_card_params: { url, protocolVersion: agent_name.slice(-3) },
    });
  const python = join(folder, "bin", "python");
  await run("python3", ["-m", "venv", folder]);
  const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
  await run(python, [...pip, "-r", join(here, "requirements.txt")]);
  for (const agent of ["local", ...Object.keys(remotes)])
    for (const version of ["0.3", "1.0"]) {
      process.stdout.write(`${agent} agent, client in version ${version}\n`);
      const address = ["--url", gateway.url, "--key", gateway.masterKey];
      await run(python, [
        "-B",
        join(here, "checks.py"),
        ...address,
        "--agent",
        agent,
        "--version",
        version,
      ]).catch(() => {
        process.exitCode = 1;
      });
    }
} finally {
  await gateway.close();
  await Promise.all(Object.values(remotes).map((remote) => remote.close()));
  await simulator.close();
  await rm(folder, { recursive: true, force: true });
}

async function register(to: TestGateway, body: object): Promise<void> {
  const { status } = await to.call("/v1/agents", { body });
  if (status !== 200) throw new Error(`an agent was refused with ${status}`);
}

async function run(command: string, args: readonly string[]): Promise<void> {
  const child = spawn(command, args, { stdio: "inherit" });
  const code = await new Promise<number>((done, failed) => {
    child.on("error", failed);
    child.on("exit", (status) => done(status ?? 1));
  });
  if (code !== 0) throw new Error(`${command} ended with ${code}`);
}
