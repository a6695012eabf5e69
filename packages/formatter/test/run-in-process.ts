import type { Console } from "../src/cli/console.ts";
import { run } from "../src/cli/run.ts";
import { type Answer, RunMemory } from "../src/cli/run-memory.ts";

const workerModule = new URL("../src/files/format-worker.ts", import.meta.url);

/** A run that is made whatever is remembered of earlier ones. Its messages have what it puts out among them. */
export async function runInProcess(
  args: readonly string[],
  memory: RunMemory = new RunMemory(args, false),
): Promise<Answer> {
  const messages: string[] = [];
  const console: Console = {
    hasStyles: false,
    style: (text) => text,
    message: (text) => void messages.push(text),
    output: (bytes) => void messages.push(String(bytes)),
  };
  return { exitCode: await run(args, console, memory, workerModule), messages };
}
