import { bumpVersion, SettingsStore } from "../../platform/store/settings-store.ts";
import type { Store } from "../../platform/store/store.ts";
import type { AgentRow } from "./table.ts";

const TOPIC = "agents";

/** What came of a change: `taken` when another agent has the name already. */
export type AgentChange = "done" | "taken" | "missing";

/** The agent definitions in the store. Every change is counted, so that replicas notice it with their next request. */
export class AgentStore {
  readonly #db: Store["db"];
  readonly #settings: SettingsStore;

  constructor(store: Store) {
    this.#db = store.db;
    this.#settings = new SettingsStore(store);
  }

  /** How often any agent has changed. */
  version(): Promise<number> {
    return this.#settings.version(TOPIC);
  }

  find(agentId: string): Promise<AgentRow | undefined> {
    return this.#db.selectFrom("agents").selectAll().where("agent_id", "=", agentId).executeTakeFirst();
  }

  /** Oldest first. */
  list(): Promise<AgentRow[]> {
    return this.#db.selectFrom("agents").selectAll().orderBy("created_at").orderBy("agent_id").execute();
  }

  /** Of several inserts of one name at the same moment exactly one is `done`. */
  insert(row: AgentRow): Promise<AgentChange> {
    return this.#change(async (db) => {
      const result = await db
        .insertInto("agents")
        .values(row)
        .onConflict((conflict) => conflict.column("agent_name").doNothing())
        .executeTakeFirst();
      return (result.numInsertedOrUpdatedRows ?? 0n) > 0n ? "done" : "taken";
    });
  }

  update(agentId: string, change: Omit<Partial<AgentRow>, "agent_id">): Promise<AgentChange> {
    return this.#change(async (db) => {
      if (change.agent_name !== undefined) {
        const other = await db
          .selectFrom("agents")
          .select("agent_id")
          .where("agent_name", "=", change.agent_name)
          .where("agent_id", "!=", agentId)
          .executeTakeFirst();
        if (other !== undefined) return "taken";
      }
      const result = await db
        .updateTable("agents")
        .set(change)
        .where("agent_id", "=", agentId)
        .executeTakeFirst();
      return result.numUpdatedRows > 0n ? "done" : "missing";
    });
  }

  delete(agentId: string): Promise<AgentChange> {
    return this.#change(async (db) => {
      const result = await db.deleteFrom("agents").where("agent_id", "=", agentId).executeTakeFirst();
      return result.numDeletedRows > 0n ? "done" : "missing";
    });
  }

  #change(work: (db: Store["db"]) => Promise<AgentChange>): Promise<AgentChange> {
    return this.#db.transaction().execute(async (transaction) => {
      const change = await work(transaction);
      if (change === "done") await bumpVersion(transaction, TOPIC);
      return change;
    });
  }
}
