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

export function taskRecord(row: A2ATaskRow): TaskRecord {
  return {
    row,
    id: row.id,
    state: row.state as TaskState,
    task: JSON.parse(row.task) as Task,
    transcript: JSON.parse(row.transcript) as JsonObject[],
    refusal: row.refusal === null ? undefined : (JSON.parse(row.refusal) as Refusal),
  };
}
