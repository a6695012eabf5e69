import { readdirSync, readFileSync } from "node:fs";

/** Clock ticks of /proc in a second; Linux has had 100 on every architecture that matters here. */
const TICKS_PER_SECOND = 100;

/** What /proc/PID/stat tells of a process (proc(5)). */
export interface ProcessStat {
  readonly parent: number;
  /** Seconds of CPU, user and system, of all its threads. */
  readonly cpu: number;
  /** The same of the children that have ended. */
  readonly childrenCpu: number;
  /** Bytes. */
  readonly resident: number;
}

/** @returns nothing once the process is gone */
export function statOf(pid: number | string): ProcessStat | undefined {
  const stat = textOf(`/proc/${pid}/stat`);
  if (stat === "") return undefined;
  // From the state on, which follows the command's name in parentheses.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const seconds = (at: number): number => (Number(fields[at]) + Number(fields[at + 1])) / TICKS_PER_SECOND;
  return {
    parent: Number(fields[1]),
    cpu: seconds(11),
    childrenCpu: seconds(13),
    resident: Number(fields[21]) * 4096,
  };
}

/** Every process of the machine. */
export function processes(): ReadonlyMap<number, ProcessStat> {
  const all = new Map<number, ProcessStat>();
  for (const name of readdirSync("/proc")) {
    const stat = /^\d+$/.test(name) ? statOf(name) : undefined;
    if (stat !== undefined) all.set(Number(name), stat);
  }
  return all;
}

/** A file of /proc; nothing once its process or thread is gone. */
export function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
