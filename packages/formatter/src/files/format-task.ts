import { SharedCounter } from "../concurrency/shared-counter.ts";
import type { WorkerMessage } from "../concurrency/worker-threads.ts";
import { formatFile } from "./format-file.ts";
import type { FormatTask } from "./format-many.ts";
import type { FileResult } from "./job.ts";

/** Results are sent in groups: one message for each file would cost more than the small files themselves. */
const GROUP = 32;

/** What a thread does: formats files of the task until none is left, and posts the results. */
export function formatTask(task: FormatTask, post: (message: WorkerMessage<FileResult>) => void): void {
  const counter = new SharedCounter(task.counter);
  let results: [number, FileResult][] = [];
  const send = (isLast: boolean): void => {
    post({ results, isLast });
    results = [];
  };
  for (
    let index = counter.take(task.paths.length);
    index !== undefined;
    index = counter.take(task.paths.length)
  ) {
    results.push([index, formatFile(task.paths[index]!, task.job)]);
    if (results.length >= GROUP) send(false);
  }
  send(true);
}
