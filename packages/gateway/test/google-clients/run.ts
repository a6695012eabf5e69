// Google's SDK for Python, unmodified from PyPI, against a gateway in front of every simulated provider. Gemini CLI is
// tried by `npm run agents`.
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startSimulator } from "portico-simulator";
import { everyProvider, everyProviderConfig } from "../support/every-provider.ts";
import { startTestGateway } from "../support/gateway.ts";

const folder = await mkdtemp(join(tmpdir(), "google-clients-"));
const simulator = await startSimulator({ port: 0 });
const { url } = simulator;
const embeddings = `  - model_name: embed
    litellm_params: {model: openai/text-embedding-3-small, api_base: "${url}/openai/v1", api_key: simulated}
  - model_name: google-embed
    litellm_params: {model: gemini/gemini-embedding-001, api_base: "${url}/google", api_key: simulated}
router_settings`;
const gateway = await startTestGateway({
  config: everyProviderConfig(url).replace("router_settings", embeddings),
});
const models = Object.values(everyProvider);
try {
  await python();
} finally {
  await gateway.close();
  await simulator.close();
  await rm(folder, { recursive: true, force: true });
}

async function python(): Promise<void> {
  const venv = join(folder, "venv");
  const program = join(venv, "bin", "python");
  const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
  await run("python3", ["-m", "venv", venv]);
  await run(program, [...pip, "-r", join(import.meta.dirname, "requirements.txt")]);
  const address = ["--base-url", gateway.url, "--key", gateway.masterKey];
  const named = ["--models", models.join(","), "--embedding-models", "embed,google-embed"];
  await run(program, ["-B", join(import.meta.dirname, "checks.py"), ...address, ...named]).catch(failed);
}

function failed(error: unknown): void {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}

async function run(command: string, args: readonly string[]): Promise<void> {
  const child = spawn(command, args, { stdio: "inherit" });
  const code = await new Promise<number>((done, refused) => {
    child.on("error", refused);
    child.on("exit", (status) => done(status ?? 1));
  });
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${code}`);
}
