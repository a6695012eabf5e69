import type { JsonObject } from "../../../contract/json.ts";
import type { Task, TaskState } from "../protocol/a2a-types.ts";
import type { A2ATaskRow } from "./table.ts";

/** Why a task was not begun, as the caller's HTTP error would say it. */
export interface Refusal {
  readonly status: number;
  readonly type: string;
  readonly message: string;
  readonly retryAfter?: number;
}

/** A stored task, read. */
export interface TaskRecord {
  readonly row: A2ATaskRow;
  readonly id: string;
  readonly state: TaskState;
  readonly task: Task;
  /** The conversation with the model, in the chat format. */
  readonly transcript: readonly JsonObject[];
  readonly refusal: Refusal | undefined;
}

/** What of a record is known without reading it from its row. */
export type KnownParts = Partial<Pick<TaskRecord, "task" | "transcript">>;

/** A row as a record. Its texts may have megabytes, so that each is read when it is first asked for, and once. */
export function taskRecord(row: A2ATaskRow, known: KnownParts = {}): TaskRecord {
  return new StoredTask(row, known);
}

class StoredTask implements TaskRecord {
  readonly row: A2ATaskRow;
  #task: Task | undefined;
  #transcript: readonly JsonObject[] | undefined;

  constructor(row: A2ATaskRow, { task, transcript }: KnownParts) {
    this.row = row;
    this.#task = task;
    this.#transcript = transcript;
  }

  get id(): string {
    return this.row.id;
  }

  get state(): TaskState {
    return this.row.state as TaskState;
  }

  get task(): Task {
    this.#task ??= JSON.parse(this.row.task) as Task;
    return this.#task;
  }

  get transcript(): readonly JsonObject[] {
    this.#transcript ??= JSON.parse(this.row.transcript) as JsonObject[];
    return this.#transcript;
  }

  get refusal(): Refusal | undefined {
    const { refusal } = this.row;
    return refusal === null ? undefined : (JSON.parse(refusal) as Refusal);
  }
}
