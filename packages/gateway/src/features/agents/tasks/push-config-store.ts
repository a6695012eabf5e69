import type { Store } from "../../../platform/store/schema.ts";
import type { SealedText } from "../../../platform/store/sealed-text.ts";
import type { A2APushRow } from "./table.ts";

/** Where the changes of tasks are posted. */
export class PushConfigStore {
  readonly #db: Store["db"];
  readonly #sealed: SealedText;

  /** @param sealed encrypts the configurations, which have tokens in them; rows of earlier versions are in clear text */
  constructor(store: Store, sealed: SealedText) {
    this.#db = store.db;
    this.#sealed = sealed;
  }

  /** Puts a configuration in the place of the one with the same id. */
  async put({ config, ...rest }: A2APushRow): Promise<void> {
    const row = { ...rest, config: this.#sealed.seal(config) };
    await this.#db
      .insertInto("a2a_push_configs")
      .values(row)
      .onConflict((conflict) =>
        conflict.columns(["task_id", "id"]).doUpdateSet({ version: row.version, config: row.config }),
      )
      .execute();
  }

  async find(taskId: string, id: string): Promise<A2APushRow | undefined> {
    const row = await this.#db
      .selectFrom("a2a_push_configs")
      .selectAll()
      .where("task_id", "=", taskId)
      .where("id", "=", id)
      .executeTakeFirst();
    return row && this.#opened(row);
  }

  /** Oldest first. */
  async list(taskId: string): Promise<A2APushRow[]> {
    const rows = await this.#db
      .selectFrom("a2a_push_configs")
      .selectAll()
      .where("task_id", "=", taskId)
      .orderBy("created_at")
      .orderBy("id")
      .execute();
    return rows.flatMap((row) => this.#opened(row) ?? []);
  }

  /** What another key sealed counts as gone: nobody can tell where it leads. */
  #opened(row: A2APushRow): A2APushRow | undefined {
    const config = this.#sealed.open(row.config);
    return config === undefined ? undefined : { ...row, config };
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
