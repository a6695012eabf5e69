import { parentPort } from "node:worker_threads";
import { formatContents } from "../../src/files/format-contents.ts";
import { modes, shapes } from "./shapes.ts";

/** What to format. */
export interface Task {
  readonly shape: number;
  readonly mode: string;
  readonly bytes: number;
  readonly fast: boolean;
}

/** CPU time of this thread in ms; other processes do not count. */
function cpuTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

parentPort!.on("message", ({ shape, mode, bytes, fast }: Task) => {
  const source = shapes[shape]!.make(bytes);
  const began = cpuTime();
  try {
    formatContents(source, modes[mode]!, { pythonCellMagics: [], fast, lineRanges: [] });
  } catch (error) {
    // Most of these are not Python; that takes time as well.
    if (!(error instanceof Error)) throw error;
  }
  parentPort!.postMessage(cpuTime() - began);
});
