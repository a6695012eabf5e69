import type { JsonObject } from "../../../contract/json.ts";
import type { JobQueue, Lease } from "../../../platform/queue/job-queue.ts";
import type { JobOutcome } from "../../../platform/queue/worker.ts";
import type { Upstream } from "../../../platform/transport/upstream.ts";
import type { PushConfig, Task } from "../protocol/a2a-types.ts";
import { toLegacyTask } from "../protocol/legacy/legacy-task.ts";
import type { PushConfigStore } from "./push-config-store.ts";
import type { TaskRecord } from "./task-record.ts";

export const PUSH_QUEUE = "a2a-push";

/** Tries in all; with the queue's pauses they last about four minutes. */
const MAX_ATTEMPTS = 9;
/** Seconds for one notification. */
const DELIVERY_SECONDS = 15;

/** Posts the changes of tasks to the addresses that their callers named, again where one does not take it. */
export class PushSender {
  readonly #configs: PushConfigStore;
  readonly #queue: JobQueue;
  readonly #upstream: Upstream;
  /** Called when there is something to deliver. */
  onWork: () => void = () => {};

  constructor(configs: PushConfigStore, queue: JobQueue, upstream: Upstream) {
    this.#configs = configs;
    this.#queue = queue;
    this.#upstream = upstream;
  }

  /** Notes that a task's status has changed, for everyone who wants to hear of it. */
  async announce({ id, row, task }: TaskRecord): Promise<void> {
    const configs = await this.#configs.list(id);
    for (const config of configs) {
      const key = `${id}:${config.id}:${row.last_event}`;
      const payload = { taskId: id, configId: config.id, task: task as unknown as JsonObject };
      await this.#queue.enqueue(PUSH_QUEUE, key, payload, { maxAttempts: MAX_ATTEMPTS });
    }
    if (configs.length > 0) this.onWork();
  }

  /** Delivers one notification; a job of the queue. */
  readonly deliver = async (lease: Lease, signal: AbortSignal): Promise<JobOutcome> => {
    const { taskId, configId, task } = lease.payload;
    const row = await this.#configs.find(taskId as string, configId as string);
    if (row === undefined) return { done: true };
    const config = JSON.parse(row.config) as PushConfig;
    const legacy = row.version === "0.3";
    const response = await this.#upstream.request({
      url: config.url,
      method: "POST",
      headers: {
        "content-type": legacy ? "application/json" : "application/a2a+json",
        ...(config.token === undefined ? {} : { "x-a2a-notification-token": config.token }),
        ...authorization(config),
      },
      body: Buffer.from(JSON.stringify(legacy ? toLegacyTask(task as unknown as Task) : { task })),
      timeouts: { whole: DELIVERY_SECONDS },
      guarded: true,
      signal,
    });
    response.body.cancel();
    if (response.status < 200 || response.status >= 300)
      throw new Error(`The push notification address answered with status ${response.status}`);
    return { done: true };
  };
}

function authorization({ authentication }: PushConfig): Record<string, string> {
  if (authentication?.credentials === undefined) return {};
  return { authorization: `${authentication.scheme} ${authentication.credentials}` };
}
