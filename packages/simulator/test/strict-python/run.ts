// Runs strict.py in a fresh virtual environment with the clients from PyPI. Without addresses among the arguments
// it starts a simulator and points the script there; all arguments go on to the script.
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startSimulator } from "../../src/index.ts";

const here = import.meta.dirname;
const folder = await mkdtemp(join(tmpdir(), "strict-python-"));
const simulator = await startSimulator();
try {
  const python = join(folder, "bin", "python");
  await run("python3", ["-m", "venv", folder]);
  await run(python, [
    "-m",
    "pip",
    "install",
    "--quiet",
    "--disable-pip-version-check",
    "-r",
    join(here, "requirements.txt"),
  ]);
  const given = process.argv.slice(2);
  const addressed = given.some((argument) => argument.includes("-base-url"));
  const own = [
    "--openai-base-url",
    `${simulator.url}/openai/v1`,
    "--anthropic-base-url",
    `${simulator.url}/anthropic`,
  ];
  process.exitCode = await run(
    python,
    ["-B", join(here, "strict.py"), ...(addressed ? [] : own), ...given],
    true,
  );
} finally {
  await simulator.close();
  await rm(folder, { recursive: true, force: true });
}

async function run(command: string, args: readonly string[], mayFail = false): Promise<number> {
  const child = spawn(command, args, { stdio: "inherit" });
  const code = await new Promise<number>((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (status) => resolve(status ?? 1));
  });
  if (code !== 0 && !mayFail) throw new Error(`${command} ${args.join(" ")} ended with ${code}`);
  return code;
}
