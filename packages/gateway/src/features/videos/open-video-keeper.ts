import { describeError } from "../../platform/log/describe-error.ts";
import type { Logger } from "../../platform/log/logger.ts";
import { Worker } from "../../platform/queue/worker.ts";
import { KEEP_QUEUE, VideoKeeper, type VideoKeeperDeps } from "./video-keeper.ts";

/** Copies at the same moment. */
const COPIES_AT_ONCE = 4;

/** The keeper of finished videos and its worker. */
export interface OpenVideoKeeper {
  readonly keeper: VideoKeeper;
  /** Gives unfinished copies back to the queue. */
  stop(): Promise<void>;
}

export function openVideoKeeper(deps: VideoKeeperDeps, logger: Logger): OpenVideoKeeper {
  const keeper = new VideoKeeper(deps);
  const worker = new Worker({
    queue: deps.queue,
    name: KEEP_QUEUE,
    handler: keeper.keep,
    concurrency: COPIES_AT_ONCE,
    onError: (error) => logger.warn({ error: describeError(error) }, "video not kept yet"),
  });
  keeper.onWork = () => worker.wake();
  return { keeper, stop: () => worker.stop() };
}
