import { processConsole } from "./cli/console.ts";
import { run } from "./cli/run.ts";
import { RunMemory } from "./cli/run-memory.ts";

export { isTurbofanDelayed } from "./concurrency/turbofan-delay.ts";

const args = process.argv.slice(2);
const console = processConsole();
if (hasWorkingFolder()) start();
else {
  console.message(
    "Error: The working directory is gone. Change to one that exists and run this again.",
    "red",
  );
  process.exit(1);
}

/** Loads no more than it needs: most of what a run over known files takes is to load what starts it. */
function start(): void {
  const memory = new RunMemory(args, console.hasStyles);
  const answer = memory.repeat();
  if (answer === undefined) {
    void makeRun(memory);
    return;
  }
  for (const message of answer.messages) console.message(message);
  process.exit(answer.exitCode);
}

async function makeRun(memory: RunMemory): Promise<void> {
  const isSource = import.meta.url.endsWith(".ts");
  const workerModule = new URL(isSource ? "files/format-worker.ts" : "launch-worker.cjs", import.meta.url);
  process.exit(await run(args, console, memory, workerModule));
}

function hasWorkingFolder(): boolean {
  try {
    process.cwd();
    return true;
  } catch {
    return false;
  }
}
