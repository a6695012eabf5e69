// Runs the simulator's strict Python checks against a gateway in front of it, once for each kind of deployment: the
// official clients from PyPI refuse every answer and every event that does not fit their types.
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { startTestGateway } from "../support/gateway.ts";

const checks = resolve(import.meta.dirname, "../../../simulator/test/strict-python");
const chat = ["chat", "chat_tools", "chat_stream"];
const responses = ["responses", "response_stream", "response_background", "conversations"];
const messages = ["message_tools", "message_stream", "count_tokens"];

/**
 * What each deployment is asked. Only Anthropic says at which sequence it stopped, marks what its cache took and signs
 * its thinking (Gemini signs the tool call).
 */
const deployments: Readonly<Record<string, readonly string[]>> = {
  "openai/gpt-4o": [...chat, "embeddings", "models", ...responses, ...messages],
  "azure/gpt-4o": [...chat, "embeddings", ...responses, ...messages],
  "anthropic/claude-sonnet-5": [
    ...chat,
    "messages",
    "message_thinking",
    "message_cache",
    ...responses,
    ...messages,
  ],
  "google/gemini-2.5-flash": [...chat, ...responses, ...messages],
};

const folder = await mkdtemp(join(tmpdir(), "strict-python-"));
const gateway = await startTestGateway();
try {
  const python = join(folder, "bin", "python");
  const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
  await run("python3", ["-m", "venv", folder]);
  await run(python, [...pip, "-r", join(checks, "requirements.txt")]);
  const only = new Set(process.argv.slice(2));
  for (const [model, names] of Object.entries(deployments)) {
    if (only.size > 0 && !only.has(model)) continue;
    process.stdout.write(`${model}\n`);
    const address = ["--openai-base-url", `${gateway.url}/v1`, "--anthropic-base-url", gateway.url];
    const rest = ["--key", gateway.masterKey, "--model", model, "--only", names.join(",")];
    await run(python, ["-B", join(checks, "strict.py"), ...address, ...rest]).catch(() => {
      process.exitCode = 1;
    });
  }
} finally {
  await gateway.close();
  await rm(folder, { recursive: true, force: true });
}

async function run(command: string, args: readonly string[]): Promise<void> {
  const child = spawn(command, args, { stdio: "inherit" });
  const code = await new Promise<number>((done, failed) => {
    child.on("error", failed);
    child.on("exit", (status) => done(status ?? 1));
  });
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${code}`);
}
