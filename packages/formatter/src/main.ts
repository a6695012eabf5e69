import { processConsole } from "./cli/console.ts";
import { run } from "./cli/run.ts";

export { isBriefRun } from "./cli/run.ts";
export { isTurbofanDelayed } from "./concurrency/turbofan-delay.ts";

const args = process.argv.slice(2);
const console = processConsole();
if (hasWorkingFolder()) void start();
else {
  console.message(
    "Error: The working directory is gone. Change to one that exists and run this again.",
    "red",
  );
  process.exit(1);
}

async function start(): Promise<void> {
  const worker = import.meta.filename.endsWith(".ts") ? "files/format-worker.ts" : "launch-worker.cjs";
  process.exit(await run(args, console, `${import.meta.dirname}/${worker}`));
}

function hasWorkingFolder(): boolean {
  try {
    process.cwd();
    return true;
  } catch {
    return false;
  }
}
