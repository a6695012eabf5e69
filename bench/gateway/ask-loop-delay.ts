import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { LoopDelay } from "./loop-delay.ts";

/** How a gateway is started that can tell how late its timers come, and how it is asked. */
export interface DelayWatch {
  readonly environment: Readonly<Record<string, string>>;
  /** What came since the last time that it was asked, and in all. */
  ask(pid: number): Promise<LoopDelay>;
}

/** @param folder that the gateway writes its answers into */
export function watchLoopDelay(folder: string): DelayWatch {
  const file = join(folder, "loop-delays");
  const preload = `--import=${resolve(import.meta.dirname, "loop-delay.ts")}`;
  return {
    environment: { NODE_OPTIONS: preload, LOOP_DELAY_FILE: file },
    async ask(pid) {
      const before = linesOf(file).length;
      process.kill(pid, "SIGUSR2");
      while (linesOf(file).length === before) await setTimeout(5);
      return JSON.parse(linesOf(file).at(-1)!) as LoopDelay;
    },
  };
}

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, "utf8").split("\n").slice(0, -1);
  } catch {
    return [];
  }
}
