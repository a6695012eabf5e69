import { describeError } from "../../platform/log/describe-error.ts";
import type { Lease } from "../../platform/queue/job-queue.ts";
import { type JobOutcome, Worker } from "../../platform/queue/worker.ts";
import type { BatchDeps } from "./batch-deps.ts";
import { type BatchJobs, CONTROL_QUEUE, type ControlKind, SLICE_QUEUE, type Wakeable } from "./batch-jobs.ts";
import { adoptSubmission } from "./provider/find-submitted.ts";
import type { ProviderBatchCreation } from "./provider/provider-batch-creation.ts";
import { confirmMissing } from "./provider/take-over.ts";
import { watchBatch } from "./provider/watch-batch.ts";
import { runRemote } from "./remote/run-remote.ts";
import { finishBatch } from "./run/finish-batch.ts";
import { prepareBatch } from "./run/prepare-batch.ts";
import { RowCommitter } from "./run/row-committer.ts";
import { RowGate } from "./run/row-gate.ts";
import { runSlice, type SliceTools } from "./run/run-slice.ts";
import { sendWebhook } from "./webhooks.ts";

/** Slices and other jobs at the same time in one process. */
const SLICES_AT_ONCE = 8;
const CONTROLS_AT_ONCE = 4;
/** Rows at the same time in one process while no interactive call runs. */
const ROWS_AT_ONCE = 32;
/** Short, so that a killed process's rows go on soon. */
const LEASE_MS = 6000;
/** Milliseconds between looks for other processes' work; this process's own wakes the workers. */
const POLL_MS = 1000;

type Handler = (lease: Lease, signal: AbortSignal) => Promise<JobOutcome>;

/** The workers of one process. */
export class BatchWorkers implements Wakeable {
  readonly #workers: ReadonlyMap<string, Worker>;

  constructor(deps: BatchDeps, jobs: BatchJobs, providerRun: ProviderBatchCreation) {
    const tools: SliceTools = {
      jobs,
      gate: new RowGate(ROWS_AT_ONCE, deps.interactiveCalls),
      committer: new RowCommitter(deps.batches, deps.ledger),
      restingUntil: new Map(),
    };
    const worker = (name: string, concurrency: number, handler: Handler): [string, Worker] => [
      name,
      new Worker({
        queue: deps.queue,
        name,
        concurrency,
        leaseMs: LEASE_MS,
        pollMs: POLL_MS,
        handler,
        onError: (error, lease) => {
          const job = lease === undefined ? name : `${name} ${lease.key}`;
          deps.logger.warn({ job, error: describeError(error) }, "batch work failed");
        },
      }),
    ];
    this.#workers = new Map([
      worker(SLICE_QUEUE, SLICES_AT_ONCE, (lease, signal) => runSlice(deps, tools, lease, signal)),
      worker(CONTROL_QUEUE, CONTROLS_AT_ONCE, (lease, signal) =>
        control(deps, jobs, providerRun, lease, signal),
      ),
    ]);
    jobs.connect(this);
  }

  wake(queue: string): void {
    this.#workers.get(queue)?.wake();
  }

  /** Gives all work back. */
  async stop(): Promise<void> {
    await Promise.all([...this.#workers.values()].map((worker) => worker.stop()));
  }
}

async function control(
  deps: BatchDeps,
  jobs: BatchJobs,
  providerRun: ProviderBatchCreation,
  lease: Lease,
  signal: AbortSignal,
): Promise<JobOutcome> {
  const batchId = String(lease.payload.batch);
  switch (lease.payload.kind as ControlKind) {
    case "prepare":
      await prepareBatch(deps, jobs, batchId, signal);
      return { done: true };
    case "finish":
      await finishBatch(deps, jobs, batchId);
      return { done: true };
    case "remote":
      return runRemote(deps, jobs, lease, signal);
    case "adopt":
      return adoptSubmission(deps, providerRun, lease, signal);
    case "watch":
      return watchBatch(deps, jobs, lease, signal);
    case "confirm":
      return confirmMissing(deps, jobs, lease, signal);
    case "webhook":
      return sendWebhook(deps, lease, signal);
  }
}
