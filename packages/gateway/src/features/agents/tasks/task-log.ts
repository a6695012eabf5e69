import { randomBytes } from "node:crypto";
import type { JsonObject } from "../../../contract/json.ts";
import type { CallSignal } from "../../../util/light-signal.ts";
import type { StreamEvent, Task, TaskState } from "../protocol/a2a-types.ts";
import { applyEvent } from "../protocol/apply-event.ts";
import { isCoolingDown, isTerminal } from "../protocol/task-state.ts";
import type { TaskStore } from "./store.ts";
import { type Refusal, type TaskRecord, taskRecord } from "./task-record.ts";

/** Milliseconds between looks for events that another replica wrote. */
const LOOK_AGAIN_AFTER = 400;
/** Milliseconds for which the events of an ended task are kept for readers that are behind. */
const EVENTS_KEPT_FOR = 10 * 60_000;

const endedStates: readonly TaskState[] = [
  "TASK_STATE_COMPLETED",
  "TASK_STATE_FAILED",
  "TASK_STATE_CANCELED",
  "TASK_STATE_REJECTED",
];

/** What is written beside the events of a change. */
export interface LogChange {
  readonly transcript?: readonly JsonObject[];
  readonly refusal?: Refusal;
}

/** A task at its beginning. */
export interface NewTask {
  readonly agentId: string;
  readonly tenant: string;
  readonly task: Task;
  readonly remoteId?: string;
  readonly transcript?: readonly JsonObject[];
}

/**
 * The tasks of agents as a durable log: every change is an event, readers follow the events whichever replica writes
 * them, and a task that has ended takes no more.
 */
export class TaskLog {
  readonly #store: TaskStore;
  readonly #readers = new Map<string, Set<() => void>>();
  /** Tasks that somebody reads, as they were last written here. */
  readonly #latest = new Map<string, TaskRecord>();
  readonly #onStatus: (record: TaskRecord) => Promise<void>;

  /** @param onStatus told after each change of a task's status */
  constructor(store: TaskStore, onStatus: (record: TaskRecord) => Promise<void>) {
    this.#store = store;
    this.#onStatus = onStatus;
  }

  async create(fresh: NewTask): Promise<TaskRecord> {
    const now = Date.now();
    const { agentId, tenant, task } = fresh;
    const row = {
      id: task.id,
      agent_id: agentId,
      tenant,
      context_id: task.contextId,
      remote_id: fresh.remoteId ?? null,
      state: task.status.state,
      task: JSON.stringify(task),
      transcript: JSON.stringify(fresh.transcript ?? []),
      refusal: null,
      last_event: 0,
      created_at: now,
      updated_at: now,
    };
    await this.#store.insert(row);
    return taskRecord(row, { task, transcript: fresh.transcript ?? [] });
  }

  async find(id: string): Promise<TaskRecord | undefined> {
    const row = await this.#store.find(id);
    return row === undefined ? undefined : taskRecord(row);
  }

  /**
   * Adds events to a task.
   * @returns the task afterwards; `undefined` when it had ended before, and nothing was written
   */
  append(
    id: string,
    events: readonly StreamEvent[],
    change: LogChange = {},
  ): Promise<TaskRecord | undefined> {
    return this.update(id, () => ({ events, ...change }));
  }

  /**
   * As `append`, with what depends on how the task is at that moment.
   * @param decide asked again when somebody else was faster; may throw, and then nothing is written
   */
  async update(
    id: string,
    decide: (record: TaskRecord) => LogChange & { readonly events: readonly StreamEvent[] },
  ): Promise<TaskRecord | undefined> {
    for (;;) {
      const before = await this.#current(id);
      if (before === undefined || isTerminal(before.state)) return undefined;
      const { events, ...change } = decide(before);
      const task = events.reduce(applyEvent, before.task);
      const changed = await this.#store.change(
        before.row,
        {
          state: task.status.state,
          task: JSON.stringify(task),
          ...(change.transcript === undefined ? {} : { transcript: JSON.stringify(change.transcript) }),
          ...(change.refusal === undefined ? {} : { refusal: JSON.stringify(change.refusal) }),
        },
        events.map((event) => JSON.stringify(event)),
      );
      if (changed === undefined) continue;
      const record = taskRecord(changed, {
        task,
        ...(change.transcript === undefined ? {} : { transcript: change.transcript }),
      });
      if (this.#readers.has(id)) this.#latest.set(id, record);
      for (const wake of this.#readers.get(id) ?? []) wake();
      if (events.some((event) => "statusUpdate" in event)) await this.#onStatus(record);
      return record;
    }
  }

  /** Takes over a remote task as its agent reported it. */
  async observe(record: TaskRecord, task: Task): Promise<TaskRecord> {
    const state = task.status.state;
    const change = { state, task: JSON.stringify(task) };
    const changed = await this.#store.change(record.row, change, []);
    const next =
      changed === undefined ? ((await this.find(record.id)) ?? record) : taskRecord(changed, { task });
    if (changed !== undefined && state !== record.state) await this.#onStatus(next);
    return next;
  }

  /**
   * The task's events behind `after` as they come, until it rests (has ended or waits for the caller) or `signal`
   * aborts.
   */
  async *follow(id: string, after: number, signal: CallSignal): AsyncGenerator<StreamEvent> {
    let number = after;
    const alarm = this.#watch(id);
    try {
      while (!signal.aborted) {
        const standing = await this.#store.standing(id);
        for (const row of await this.#store.eventsAfter(id, number)) {
          number = row.number;
          yield JSON.parse(row.event) as StreamEvent;
        }
        if (standing === undefined) return;
        if (isCoolingDown(standing.state as TaskState) && number >= standing.last_event) return;
        await alarm.ring(signal);
      }
    } finally {
      alarm.stop();
    }
  }

  /** Resolves with the task when `until` holds, or when `signal` aborts. */
  async waitFor(id: string, until: (state: TaskState) => boolean, signal: CallSignal): Promise<TaskRecord> {
    const alarm = this.#watch(id);
    try {
      for (;;) {
        const { state } = present(await this.#store.standing(id));
        if (until(state as TaskState) || signal.aborted) {
          const record = present(await this.find(id));
          // Another message may have come between the two looks.
          if (until(record.state) || signal.aborted) return record;
        }
        await alarm.ring(signal);
      }
    } finally {
      alarm.stop();
    }
  }

  /** Rings when this process wrote to the task, and now and then, for what others wrote. */
  #watch(id: string): { ring(signal: CallSignal): Promise<void>; stop(): void } {
    const readers = this.#readers.get(id) ?? new Set();
    this.#readers.set(id, readers);
    let rung = false;
    let wake: (() => void) | undefined;
    const reader = (): void => {
      rung = true;
      wake?.();
    };
    readers.add(reader);
    return {
      ring: async (signal) => {
        if (!rung)
          await new Promise<void>((resolve) => {
            const timer = setTimeout(resolve, LOOK_AGAIN_AFTER);
            const done = (): void => {
              clearTimeout(timer);
              signal.removeEventListener("abort", done);
              resolve();
            };
            wake = done;
            signal.addEventListener("abort", done);
          });
        rung = false;
      },
      stop: () => {
        readers.delete(reader);
        if (readers.size > 0) return;
        this.#readers.delete(id);
        this.#latest.delete(id);
      },
    };
  }

  /** A task that this process wrote last need not be read to be changed again: its texts may have megabytes. */
  async #current(id: string): Promise<TaskRecord | undefined> {
    const latest = this.#latest.get(id);
    if (latest !== undefined) {
      const standing = await this.#store.standing(id);
      if (standing?.last_event === latest.row.last_event) return latest;
    }
    return this.find(id);
  }

  /** Forgets the events of tasks that ended a while ago. */
  async forgetEvents(): Promise<boolean> {
    await this.#store.forgetEvents(endedStates, Date.now() - EVENTS_KEPT_FOR);
    return false;
  }
}

function present<T>(found: T | undefined): T {
  if (found === undefined) throw new Error("The task is gone");
  return found;
}

/** An id that nobody can guess. */
export function freshId(prefix: "task_" | "ctx_" | "msg_"): string {
  return prefix + randomBytes(18).toString("base64url");
}
