import { parentPort } from "node:worker_threads";
import { formatContents } from "../../src/files/format-contents.ts";
import { ParseError } from "../../src/parse/errors.ts";
import type { Measurement } from "./log.ts";
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
  let isRefused = false;
  try {
    formatContents(source, modes[mode]!, { pythonCellMagics: [], fast, lineRanges: [] });
  } catch (error) {
    // Many of these are not Python; that takes time as well.
    if (!(error instanceof Error)) throw error;
    isRefused = error instanceof ParseError;
  }
  const measured: Measurement = { time: cpuTime() - began, isRefused };
  parentPort!.postMessage(measured);
});
