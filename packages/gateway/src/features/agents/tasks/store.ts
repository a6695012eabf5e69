import type { Store } from "../../../platform/store/schema.ts";
import type { A2ATaskRow } from "./table.ts";

/** Which tasks a list shows, newest change first. */
export interface TaskPage {
  readonly agentId: string;
  /** Absent: every tenant's. */
  readonly tenant: string | undefined;
  readonly contextId?: string;
  readonly state?: string;
  /** Milliseconds since the epoch: only tasks that changed since. */
  readonly since?: number;
  readonly limit: number;
  /** Go on behind this task. */
  readonly after?: Pick<A2ATaskRow, "updated_at" | "id">;
}

/** What of a task may change. */
export type TaskChange = Partial<Pick<A2ATaskRow, "state" | "task" | "transcript" | "refusal">>;

/** The tasks of agents and their events. */
export class TaskStore {
  readonly #db: Store["db"];

  constructor(store: Store) {
    this.#db = store.db;
  }

  async insert(row: A2ATaskRow): Promise<void> {
    await this.#db.insertInto("a2a_tasks").values(row).execute();
  }

  find(id: string): Promise<A2ATaskRow | undefined> {
    return this.#db.selectFrom("a2a_tasks").selectAll().where("id", "=", id).executeTakeFirst();
  }

  /** Without the texts, which may have megabytes. */
  standing(id: string): Promise<Pick<A2ATaskRow, "state" | "last_event"> | undefined> {
    return this.#db
      .selectFrom("a2a_tasks")
      .select(["state", "last_event"])
      .where("id", "=", id)
      .executeTakeFirst();
  }

  findRemote(agentId: string, tenant: string, remoteId: string): Promise<A2ATaskRow | undefined> {
    return this.#db
      .selectFrom("a2a_tasks")
      .selectAll()
      .where("remote_id", "=", remoteId)
      .where("agent_id", "=", agentId)
      .where("tenant", "=", tenant)
      .executeTakeFirst();
  }

  /** A context's tasks, oldest first. */
  ofContext(agentId: string, tenant: string, contextId: string): Promise<A2ATaskRow[]> {
    return this.#db
      .selectFrom("a2a_tasks")
      .selectAll()
      .where("context_id", "=", contextId)
      .where("agent_id", "=", agentId)
      .where("tenant", "=", tenant)
      .orderBy("created_at")
      .execute();
  }

  async list(page: TaskPage): Promise<{ rows: A2ATaskRow[]; total: number }> {
    const { tenant, contextId, state, since, after } = page;
    let query = this.#db.selectFrom("a2a_tasks").where("agent_id", "=", page.agentId);
    if (tenant !== undefined) query = query.where("tenant", "=", tenant);
    if (contextId !== undefined) query = query.where("context_id", "=", contextId);
    if (state !== undefined) query = query.where("state", "=", state);
    if (since !== undefined) query = query.where("updated_at", ">=", since);
    const { total } = await query
      .select((count) => count.fn.countAll<number>().as("total"))
      .executeTakeFirstOrThrow();
    if (after !== undefined)
      query = query.where((where) =>
        where.or([
          where("updated_at", "<", after.updated_at),
          where.and([where("updated_at", "=", after.updated_at), where("id", "<", after.id)]),
        ]),
      );
    const rows = await query
      .selectAll()
      .orderBy("updated_at", "desc")
      .orderBy("id", "desc")
      .limit(page.limit)
      .execute();
    return { rows, total: Number(total) };
  }

  /**
   * Changes a task and adds its events, unless it has changed since `row` was read.
   * @returns the task after the change; `undefined` when somebody else was faster
   */
  change(row: A2ATaskRow, change: TaskChange, events: readonly string[]): Promise<A2ATaskRow | undefined> {
    const next: A2ATaskRow = {
      ...row,
      ...change,
      last_event: row.last_event + Math.max(1, events.length),
      updated_at: Date.now(),
    };
    return this.#db.transaction().execute(async (db) => {
      const result = await db
        .updateTable("a2a_tasks")
        .set({ ...change, last_event: next.last_event, updated_at: next.updated_at })
        .where("id", "=", row.id)
        .where("last_event", "=", row.last_event)
        .executeTakeFirst();
      if (result.numUpdatedRows === 0n) return undefined;
      const rows = events.map((event, index) => ({
        task_id: row.id,
        number: row.last_event + index + 1,
        event,
      }));
      if (rows.length > 0) await db.insertInto("a2a_events").values(rows).execute();
      return next;
    });
  }

  /** The events behind a number, in order. */
  eventsAfter(taskId: string, number: number): Promise<{ number: number; event: string }[]> {
    return this.#db
      .selectFrom("a2a_events")
      .select(["number", "event"])
      .where("task_id", "=", taskId)
      .where("number", ">", number)
      .orderBy("number")
      .execute();
  }

  /** Forgets the events of tasks that ended before a time: their streams are over, the tasks themselves stay. */
  async forgetEvents(endedStates: readonly string[], before: number): Promise<void> {
    await this.#db
      .deleteFrom("a2a_events")
      .where("task_id", "in", (tasks) =>
        tasks
          .selectFrom("a2a_tasks")
          .select("id")
          .where("state", "in", endedStates)
          .where("updated_at", "<", before),
      )
      .execute();
  }
}
