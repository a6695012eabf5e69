import type { Gauge, Registry } from "prom-client";
import type { QueueDepth } from "../queue/job-queue.ts";

/** Adds the gauge of durable work that is not done yet. */
export function addQueueGauges(
  GaugeOf: typeof Gauge,
  registers: Registry[],
  queues: () => Promise<readonly QueueDepth[]>,
): void {
  new GaugeOf({
    name: "portico_queue_jobs",
    help: "Jobs of a queue that wait, those for later included, or are worked on",
    labelNames: ["queue", "state"],
    registers,
    // All workers look at the same store.
    aggregator: "max",
    async collect() {
      const all = await queues();
      this.reset();
      for (const { queue, waiting, running } of all) {
        this.set({ queue, state: "waiting" }, waiting);
        this.set({ queue, state: "running" }, running);
      }
    },
  });
}
