import type { Console } from "../src/cli/console.ts";
import { run } from "../src/cli/run.ts";

const workerModule = new URL("../src/files/format-worker.ts", import.meta.url);

/** What a run comes to. */
export interface Answer {
  readonly messages: readonly string[];
  readonly exitCode: number;
}

/** A run of the command line. Its messages have what it puts out among them. */
export async function runInProcess(args: readonly string[]): Promise<Answer> {
  const messages: string[] = [];
  const console: Console = {
    style: (text) => text,
    message: (text) => void messages.push(text),
    output: (bytes) => void messages.push(String(bytes)),
  };
  return { exitCode: await run(args, console, workerModule), messages };
}
