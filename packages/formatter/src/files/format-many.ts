import type { SharedCounter } from "../concurrency/shared-counter.ts";
import type { WorkerThreads } from "../concurrency/worker-threads.ts";
import { now } from "../util/clock.ts";
import { formatFile } from "./format-file.ts";
import type { FileResult, Job } from "./job.ts";

/** What every thread gets: all paths, biggest files first, and whose turn it is. */
export interface FormatTask {
  readonly paths: readonly string[];
  readonly counter: SharedArrayBuffer;
  readonly job: Job;
}

/** How long the main thread formats before it looks at messages, in ms. */
const TURN = 30;

/**
 * Formats many files in this thread and in the started ones.
 *
 * @param paths biggest files first, so that no thread is left alone with one at the end.
 * @param onResult called once for each path by its index, in any order; not for those that an interruption left out.
 * @param counter gives out the files; stopped, it ends the run with those that are being formatted.
 */
export async function formatMany(
  paths: readonly string[],
  job: Job,
  threads: WorkerThreads,
  onResult: (index: number, result: FileResult) => void,
  counter: SharedCounter,
): Promise<void> {
  const task: FormatTask = { paths, counter: counter.buffer, job };
  const reported = new Uint8Array(paths.length);
  const note = (index: number, result: FileResult): void => {
    reported[index] = 1;
    onResult(index, result);
  };
  const others = threads.run<FileResult>(task, note);
  await formatHere(task, counter, note);
  await others;
  if (counter.isStopped) return;
  paths.forEach((path, index) => {
    if (reported[index] === 0)
      onResult(index, {
        kind: "failed",
        message: `error: cannot format ${path}: a worker thread ended early`,
      });
  });
}

async function formatHere(
  { paths, job }: FormatTask,
  counter: SharedCounter,
  onResult: (index: number, result: FileResult) => void,
): Promise<void> {
  let turnEnd = now() + TURN;
  for (let index = counter.take(paths.length); index !== undefined; index = counter.take(paths.length)) {
    onResult(index, formatFile(paths[index]!, job));
    if (now() < turnEnd) continue;
    await new Promise<void>((resolve) => setImmediate(resolve));
    turnEnd = now() + TURN;
  }
}
