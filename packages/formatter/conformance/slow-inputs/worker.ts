import { parentPort } from "node:worker_threads";
import { formatContents } from "../../src/files/format-contents.ts";
import type { LineRange } from "../../src/format/ranges/line-range.ts";
import { ParseError } from "../../src/parse/errors.ts";
import type { Measurement } from "./log.ts";
import { shapes, styles } from "./shapes.ts";

/** What to format. */
export interface Task {
  readonly shape: number;
  readonly style: string;
  readonly bytes: number;
}

/** CPU time of this thread in ms; other processes do not count. */
function cpuTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

function notebookOf(cell: string): string {
  return JSON.stringify({ cells: [{ cell_type: "code", source: cell }], metadata: {} });
}

function rangesOf(text: string): LineRange[] {
  const lines = text.split("\n").length;
  return Array.from({ length: Math.ceil(lines / 4) }, (_, at): LineRange => [4 * at + 1, 4 * at + 2]);
}

parentPort!.on("message", ({ shape, style, bytes }: Task) => {
  const { mode, fast = false, inRanges } = styles[style]!;
  const text = shapes[shape]!.make(bytes);
  const source = mode.isIpynb ? notebookOf(text) : text;
  const lineRanges = inRanges ? rangesOf(text) : [];
  const began = cpuTime();
  let isRefused = false;
  try {
    formatContents(source, mode, { pythonCellMagics: [], fast, lineRanges });
  } catch (error) {
    // Many of these are not Python; that takes time as well.
    if (!(error instanceof Error)) throw error;
    isRefused = error instanceof ParseError;
  }
  const measured: Measurement = { time: cpuTime() - began, isRefused };
  parentPort!.postMessage(measured);
});
