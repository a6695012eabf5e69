import { once } from "node:events";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { modes, shapes } from "./shapes.ts";
import type { Task } from "./worker.ts";

const HELP = `Looks for inputs that take long: texts of one shape each, in several sizes and modes, the safety check on and off.
Ends with 1 when 4 KB take more than 1 s of CPU time, or 100 KB more than 10 s.

  --seconds N   when to stop (default: when all combinations have been tried)
  --only TEXT   only shapes whose name holds this
  --large N     of how many combinations 100 KB are tried, the slowest at 4 KB first (default 200)
  --large-only  try 100 KB of any combinations, without 4 KB of them first
  --start N     pass over the first N combinations, which an earlier run has tried (default 0)
`;

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "Infinity" },
    only: { type: "string", default: "" },
    large: { type: "string", default: "200" },
    "large-only": { type: "boolean", default: false },
    start: { type: "string", default: "0" },
    help: { type: "boolean", short: "h", default: false },
  },
});

/** Bytes and the CPU time that they may take, in ms. */
const SMALL = { bytes: 4_096, limitMs: 1_000 };
const LARGE = { bytes: 102_400, limitMs: 10_000 };
/** A task is ended when it has had so many times the CPU time that it may take. */
const PATIENCE = 3;
/** How often a task's CPU time is looked at; on a crowded machine it says more than the time on the clock. */
const LOOK_MS = 500;

/** A thread that is given tasks one by one, and replaced when it does not come back. */
class Stopwatch {
  #worker: Worker | undefined;

  /** CPU time in ms; `Infinity` for a task that had to be ended. */
  async measure(task: Task, limitMs: number): Promise<number> {
    this.#worker ??= await start();
    const worker = this.#worker;
    const before = await worker.cpuUsage();
    worker.postMessage(task);
    const late = new AbortController();
    const watch = setInterval(() => {
      const look = ({ user, system }: NodeJS.CpuUsage): void => {
        if ((user + system) / 1000 > limitMs * PATIENCE) late.abort();
      };
      // A thread that has died says so itself.
      worker.cpuUsage(before).then(look, () => {});
    }, LOOK_MS);
    try {
      const [time] = await once(worker, "message", { signal: late.signal });
      return time;
    } catch (error) {
      if (!late.signal.aborted) process.stdout.write(`the thread died: ${String(error)}\n`);
      this.#worker = undefined;
      await worker.terminate();
      return Number.POSITIVE_INFINITY;
    } finally {
      clearInterval(watch);
    }
  }

  async end(): Promise<void> {
    await this.#worker?.terminate();
  }
}

/** A thread with the stack that those of a run with many files have. */
async function start(): Promise<Worker> {
  const worker = new Worker(new URL("worker.ts", import.meta.url), { resourceLimits: { stackSizeMb: 64 } });
  await once(worker, "online");
  return worker;
}

/** A prime that divides no number of combinations. */
const STRIDE = 7919;

interface Measured {
  readonly task: Task;
  readonly time: number;
}

function describe({ task, time }: Measured): string {
  const safety = task.fast ? ", fast" : "";
  return `${time.toFixed(0).padStart(7)} ms  ${task.bytes} bytes  ${task.mode}${safety}  ${shapes[task.shape]!.name}`;
}

/** All of them in an order in which the first ones, where the time ends early, are of all kinds. */
function scattered<T>(items: readonly T[]): T[] {
  return items.map((_, index) => items[(index * STRIDE) % items.length]!);
}

async function main(): Promise<void> {
  const stopwatch = new Stopwatch();
  const end = Date.now() + Number(values.seconds) * 1000;
  const slow: Measured[] = [];
  const measured: Measured[] = [];
  const tasks = shapes.flatMap(({ name }, shape) =>
    name.includes(values.only)
      ? Object.keys(modes).map((mode): Task => ({ shape, mode, bytes: SMALL.bytes, fast: mode === "-l 1" }))
      : [],
  );
  const run = async (task: Task, limitMs: number): Promise<void> => {
    let time = await stopwatch.measure(task, limitMs);
    // Once more before it counts: the first run of a path is compiled, and collections of earlier garbage fall anywhere.
    if (time > limitMs && Number.isFinite(time)) time = await stopwatch.measure(task, limitMs);
    measured.push({ task, time });
    if (time <= limitMs) return;
    slow.push(measured.at(-1)!);
    process.stdout.write(`slow: ${describe(measured.at(-1)!)}\n`);
  };
  const all = scattered(tasks).slice(Number(values.start));
  if (!values["large-only"]) for (const task of all) if (Date.now() < end) await run(task, SMALL.limitMs);
  const small = measured.length;
  const hardest = measured.toSorted((a, b) => b.time - a.time).map(({ task }) => task);
  for (const task of (values["large-only"] ? all : hardest).slice(0, Number(values.large)))
    if (Date.now() < end) await run({ ...task, bytes: LARGE.bytes }, LARGE.limitMs);
  await stopwatch.end();
  for (const each of measured.toSorted((a, b) => b.time - a.time).slice(0, 8))
    process.stdout.write(`${describe(each)}\n`);
  process.stdout.write(
    `${small} of ${tasks.length} inputs of 4 KB and ${measured.length - small} of 100 KB: ${slow.length} too slow\n`,
  );
  if (slow.length > 0) process.exitCode = 1;
}

if (values.help) process.stdout.write(HELP);
else await main();
