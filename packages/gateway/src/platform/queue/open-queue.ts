import type { Logger } from "../log/logger.ts";
import type { Store } from "../store/schema.ts";
import { EmbeddedQueue } from "./embedded-queue.ts";
import type { JobQueue } from "./job-queue.ts";

/** The queue that belongs to a store: in its file, or pg-boss in the same database. */
export async function openQueue(store: Store, logger: Logger): Promise<JobQueue> {
  if (store.kind === "sqlite") return new EmbeddedQueue(store);
  const { BossQueue } = await import("./boss-queue.ts");
  return BossQueue.open(store, logger);
}
