import { type ChildProcess, spawn } from "node:child_process";
import { openSync, readdirSync, readFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { type ProcessStat, processes, textOf } from "../process-stat.ts";

/** A server that the benchmark started. */
export interface RunningProcess {
  readonly pid: number;
  stop(): Promise<void>;
}

/** How a server is started. */
export interface ProcessOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Gets everything that the server prints, so that its logging costs what it costs. */
  readonly logFile: string;
  readonly cwd?: string;
}

/**
 * Starts a server and resolves when its port accepts connections.
 * @param every milliseconds between two looks
 */
export async function startProcess(
  options: ProcessOptions,
  port: number,
  seconds = 120,
  every = 100,
): Promise<RunningProcess> {
  const log = openSync(options.logFile, "a");
  const child = spawn(options.command, options.args, {
    cwd: options.cwd,
    env: { ...process.env, ...options.environment },
    stdio: ["ignore", log, log],
  });
  const exited = new Promise<void>((done) => child.once("exit", () => done()));
  for (const deadline = Date.now() + seconds * 1000; !(await accepts(port)); ) {
    if (child.exitCode !== null || Date.now() > deadline) {
      child.kill("SIGKILL");
      throw new Error(
        `${options.command} did not start:\n${readFileSync(options.logFile, "utf8").slice(-2000)}`,
      );
    }
    await new Promise((wait) => setTimeout(wait, every));
  }
  return { pid: child.pid!, stop: () => stopProcess(child, exited) };
}

async function stopProcess(child: ChildProcess, exited: Promise<void>): Promise<void> {
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), 5000);
  await exited;
  clearTimeout(timer);
}

async function accepts(port: number): Promise<boolean> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(2000) });
    await response.body?.cancel();
    return true;
  } catch {
    return false;
  }
}

/** A port that was free a moment ago. */
export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

/** CPU seconds, user and system, that a process and its descendants have used. */
export function cpuSeconds(pid: number): number {
  return family(pid).reduce((sum, [, { cpu }]) => sum + cpu, 0);
}

/** CPU seconds of a process's threads by their names; those of one name are added up. */
export function threadSeconds(pid: number): ReadonlyMap<string, number> {
  const seconds = new Map<string, number>();
  for (const id of threadsOf(pid)) {
    const task = `/proc/${pid}/task/${id}`;
    const name = textOf(`${task}/comm`).trim();
    const nanoseconds = Number(textOf(`${task}/schedstat`).split(" ")[0]);
    seconds.set(name, (seconds.get(name) ?? 0) + nanoseconds / 1e9);
  }
  return seconds;
}

function threadsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

/** CPU seconds of a process and its descendants, to the nanosecond; a thread or process that ended is not in it. */
export function exactCpuSeconds(pid: number): number {
  return family(pid).reduce(
    (sum, [member]) => sum + [...threadSeconds(member).values()].reduce((all, own) => all + own, 0),
    0,
  );
}

/** Resident memory of a process and its descendants in MiB. */
export function residentMegabytes(pid: number): number {
  return family(pid).reduce((sum, [, { resident }]) => sum + resident / 2 ** 20, 0);
}

/** A process and its descendants. */
function family(pid: number): [number, ProcessStat][] {
  const all = processes();
  const isDescendant = (candidate: number): boolean => {
    for (let at: number | undefined = candidate; at !== undefined && at > 0; at = all.get(at)?.parent)
      if (at === pid) return true;
    return false;
  };
  return [...all].filter(([candidate]) => isDescendant(candidate));
}
