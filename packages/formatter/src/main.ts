import { processConsole } from "./cli/console.ts";
import { RunMemory } from "./cli/run-memory.ts";

const args = process.argv.slice(2);
const console = processConsole();
const memory = new RunMemory(args, console.hasStyles);
const answer = memory.repeat();
if (answer === undefined) void start();
else {
  for (const message of answer.messages) console.message(message);
  process.exit(answer.exitCode);
}

async function start(): Promise<void> {
  const { run } = await import("./cli/run.ts");
  const isSource = import.meta.url.endsWith(".ts");
  const workerModule = new URL(isSource ? "files/format-worker.ts" : "format-worker.cjs", import.meta.url);
  process.exit(await run(args, console, memory, workerModule));
}
