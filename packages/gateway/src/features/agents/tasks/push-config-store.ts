import type { Store } from "../../../platform/store/store.ts";
import type { A2APushRow } from "./table.ts";

/** Where the changes of tasks are posted. */
export class PushConfigStore {
  readonly #db: Store["db"];

  constructor(store: Store) {
    this.#db = store.db;
  }

  /** Puts a configuration in the place of the one with the same id. */
  async put(row: A2APushRow): Promise<void> {
    await this.#db
      .insertInto("a2a_push_configs")
      .values(row)
      .onConflict((conflict) =>
        conflict.columns(["task_id", "id"]).doUpdateSet({ version: row.version, config: row.config }),
      )
      .execute();
  }

  find(taskId: string, id: string): Promise<A2APushRow | undefined> {
    return this.#db
      .selectFrom("a2a_push_configs")
      .selectAll()
      .where("task_id", "=", taskId)
      .where("id", "=", id)
      .executeTakeFirst();
  }

  /** Oldest first. */
  list(taskId: string): Promise<A2APushRow[]> {
    return this.#db
      .selectFrom("a2a_push_configs")
      .selectAll()
      .where("task_id", "=", taskId)
      .orderBy("created_at")
      .orderBy("id")
      .execute();
  }

  /** @returns whether it was there */
  async delete(taskId: string, id: string): Promise<boolean> {
    const result = await this.#db
      .deleteFrom("a2a_push_configs")
      .where("task_id", "=", taskId)
      .where("id", "=", id)
      .executeTakeFirst();
    return result.numDeletedRows > 0n;
  }
}
