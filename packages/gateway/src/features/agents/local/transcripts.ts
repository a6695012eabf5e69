import type { JsonObject } from "../../../contract/json.ts";
import type { TaskStore } from "../tasks/store.ts";
import { type TaskRecord, taskRecord } from "../tasks/task-record.ts";

/** Earlier tasks of a conversation that the model gets to see. */
const MAX_EARLIER_TASKS = 50;

/** The conversations of local agents: a task continues what was said in the earlier ones of its context. */
export class TaskTranscripts {
  readonly #store: TaskStore;

  constructor(store: TaskStore) {
    this.#store = store;
  }

  /** The messages for the model: instructions, the context's ended tasks, and this one. */
  async promptOf({ row, transcript }: TaskRecord, instructions: string | undefined): Promise<JsonObject[]> {
    const rows = await this.#store.ofContext(row.agent_id, row.tenant, row.context_id);
    const earlier = rows
      .filter(({ id, created_at }) => id !== row.id && created_at <= row.created_at)
      .slice(-MAX_EARLIER_TASKS)
      .map((row) => taskRecord(row))
      .filter(({ state }) => state === "TASK_STATE_COMPLETED")
      .flatMap((record) => record.transcript);
    const system = instructions === undefined ? [] : [{ role: "system", content: instructions }];
    return [...system, ...earlier, ...transcript];
  }
}
