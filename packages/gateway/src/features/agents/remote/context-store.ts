import type { Store } from "../../../platform/store/schema.ts";
import type { A2AContextRow } from "../tasks/table.ts";

/** Which conversation at a remote agent belongs to which of ours; each tenant has its own. */
export class ContextStore {
  readonly #db: Store["db"];

  constructor(store: Store) {
    this.#db = store.db;
  }

  find(agentId: string, tenant: string, contextId: string): Promise<A2AContextRow | undefined> {
    return this.#ofTenant(agentId, tenant).where("context_id", "=", contextId).executeTakeFirst();
  }

  findRemote(agentId: string, tenant: string, remoteContextId: string): Promise<A2AContextRow | undefined> {
    return this.#ofTenant(agentId, tenant)
      .where("remote_context_id", "=", remoteContextId)
      .executeTakeFirst();
  }

  /** Remembers a context; one that is known keeps its remote one. */
  async insert(row: A2AContextRow): Promise<void> {
    await this.#db
      .insertInto("a2a_contexts")
      .values(row)
      .onConflict((conflict) => conflict.columns(["agent_id", "tenant", "context_id"]).doNothing())
      .execute();
  }

  #ofTenant(agentId: string, tenant: string) {
    return this.#db
      .selectFrom("a2a_contexts")
      .selectAll()
      .where("agent_id", "=", agentId)
      .where("tenant", "=", tenant);
  }
}
