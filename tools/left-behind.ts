import { vi } from "vitest";

/** What the test files that share a process find in it. */
export interface Surroundings {
  /** What a file may put another in place of, by its name. */
  readonly values: ReadonlyMap<string, unknown>;
  /** How many of a kind there are: servers and programs that were started, listeners of the process. */
  readonly counts: ReadonlyMap<string, number>;
}

/** Milliseconds that what a file has closed may take to be gone; far more than anything takes. */
const PATIENCE = 60_000;
const INTERVAL = 10;
/** Kept, since tests may put other clocks in place. */
const later = setTimeout;
const clock = performance.now.bind(performance);

const GLOBALS = [
  "fetch",
  "WebSocket",
  "crypto",
  "console",
  "Date",
  "setTimeout",
  "setInterval",
  "setImmediate",
  "queueMicrotask",
];
const OF_THE_PROCESS = ["exit", "exitCode", "kill", "emit", "platform", "hrtime", "memoryUsage", "argv"];

/** Where the dispatcher of `fetch` is that everybody shares: undici's, and the one of Node itself. */
const DISPATCHERS = ["undici.globalDispatcher.1", "undici.globalDispatcher.2"];

/** What is open, in Node's words, that the file which opened it has to close. */
const OPEN = ["TCPServerWrap", "PipeServerWrap", "ProcessWrap", "FSEventWrap", "StatWatcher", "Timeout"];

/** Of the process: one that stays catches what belongs to a later file. */
const EVENTS = [
  "SIGINT",
  "SIGTERM",
  "SIGHUP",
  "SIGUSR1",
  "SIGUSR2",
  "uncaughtException",
  "uncaughtExceptionMonitor",
  "unhandledRejection",
];

/** What this process has at this moment. */
export function surroundings(): Surroundings {
  const all = globalThis as unknown as Record<string | symbol, unknown>;
  const values = new Map<string, unknown>([
    ["the working directory", process.cwd()],
    ["fake timers", vi.isFakeTimers()],
    ["Date.now", Date.now],
    ["performance.now", performance.now],
    ["Math.random", Math.random],
    ["process.stdout.write", process.stdout.write],
    ["process.stderr.write", process.stderr.write],
  ]);
  for (const name of GLOBALS) values.set(name, all[name]);
  for (const name of OF_THE_PROCESS)
    values.set(`process.${name}`, (process as unknown as Record<string, unknown>)[name]);
  for (const name of DISPATCHERS) values.set(name, kindOf(all[Symbol.for(name)]));
  const counts = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo())
    if (OPEN.includes(kind)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  for (const event of EVENTS) counts.set(`listeners of ${event}`, process.listenerCount(event));
  return { values, counts };
}

/**
 * What a file leaves for the next one in its process. Waits for what is about to close.
 * @param before what it found
 */
export async function leftBehind(before: Surroundings, patience = PATIENCE): Promise<string[]> {
  const end = clock() + patience;
  for (;;) {
    const found = differences(before, surroundings());
    if (found.length === 0 || clock() >= end) return found;
    await new Promise((resolve) => later(resolve, INTERVAL));
  }
}

function differences(before: Surroundings, now: Surroundings): string[] {
  const changed = [...now.values].filter(([name, value]) => !Object.is(value, before.values.get(name)));
  const more = [...now.counts].filter(([name, count]) => count > (before.counts.get(name) ?? 0));
  return [
    ...changed.map(([name]) => `${name} is another`),
    ...more.map(([name, count]) => `${count - (before.counts.get(name) ?? 0)} more: ${name}`),
  ];
}

/** A dispatcher comes into being with the first `fetch`: only one of another kind was put in place. */
function kindOf(dispatcher: unknown): unknown {
  return dispatcher === undefined ? "Agent" : dispatcher?.constructor.name;
}
