import type { JsonObject } from "../../contract/json.ts";
import { type AuditEntry, type Changer, writeAudit } from "../../core/auth/records/change.ts";
import type { Store } from "../../platform/store/schema.ts";
import type { SealedText } from "../../platform/store/sealed-text.ts";
import { mapSecrets } from "../../platform/store/secret-params.ts";
import { bumpVersion, SettingsStore } from "../../platform/store/settings-store.ts";
import type { AgentRow } from "./table.ts";

const TOPIC = "agents";

/** The agents' name in the audit log, LiteLLM's. */
const AUDITED = "LiteLLM_AgentsTable";

/** What the audit log says of a change: who made it, and the agent before and after. */
export interface AuditedChange extends Pick<AuditEntry, "before" | "after"> {
  readonly changer: Changer;
}

/** What came of a change: `taken` when another agent has the name already. */
export type AgentChange = "done" | "taken" | "missing";

/** The agent definitions in the store. Every change is counted, so that replicas notice it with their next request. */
export class AgentStore {
  readonly #db: Store["db"];
  readonly #settings: SettingsStore;

  readonly #sealed: SealedText;

  /** @param sealed encrypts the credentials; rows of earlier versions have them in clear text */
  constructor(store: Store, sealed: SealedText) {
    this.#db = store.db;
    this.#settings = new SettingsStore(store);
    this.#sealed = sealed;
  }

  /** How often any agent has changed. */
  version(): Promise<number> {
    return this.#settings.version(TOPIC);
  }

  async find(agentId: string): Promise<AgentRow | undefined> {
    const query = this.#db.selectFrom("agents").selectAll().where("agent_id", "=", agentId);
    const row = await query.executeTakeFirst();
    return row && this.#opened(row);
  }

  /** Oldest first. */
  async list(): Promise<AgentRow[]> {
    const query = this.#db.selectFrom("agents").selectAll().orderBy("created_at").orderBy("agent_id");
    return (await query.execute()).map((row) => this.#opened(row));
  }

  /** Of several inserts of one name at the same moment exactly one is `done`. */
  insert(row: AgentRow, audited: AuditedChange): Promise<AgentChange> {
    return this.#change("created", row.agent_id, audited, async (db) => {
      const result = await db
        .insertInto("agents")
        .values(this.#closed(row))
        .onConflict((conflict) => conflict.column("agent_name").doNothing())
        .executeTakeFirst();
      return (result.numInsertedOrUpdatedRows ?? 0n) > 0n ? "done" : "taken";
    });
  }

  update(
    agentId: string,
    change: Omit<Partial<AgentRow>, "agent_id">,
    audited: AuditedChange,
  ): Promise<AgentChange> {
    return this.#change("updated", agentId, audited, async (db) => {
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
        .set(this.#closed(change))
        .where("agent_id", "=", agentId)
        .executeTakeFirst();
      return result.numUpdatedRows > 0n ? "done" : "missing";
    });
  }

  delete(agentId: string, audited: AuditedChange): Promise<AgentChange> {
    return this.#change("deleted", agentId, audited, async (db) => {
      const result = await db.deleteFrom("agents").where("agent_id", "=", agentId).executeTakeFirst();
      return result.numDeletedRows > 0n ? "done" : "missing";
    });
  }

  #closed<Row extends Partial<AgentRow>>(row: Row): Row {
    const sealed = (text: string): string => this.#sealed.seal(text);
    return this.#mapped(row, (params) => mapSecrets(params, sealed));
  }

  /** What another key sealed stays as it is: the agent is shown, and its calls fail. */
  #opened(row: AgentRow): AgentRow {
    const opened = (text: string): string => this.#sealed.open(text) ?? text;
    // An address may be sealed whole, and its name then says nothing of it.
    return this.#mapped(
      row,
      (params) =>
        JSON.parse(JSON.stringify(params), (_, value) =>
          typeof value === "string" ? opened(value) : value,
        ) as JsonObject,
    );
  }

  #mapped<Row extends Partial<AgentRow>>(row: Row, change: (params: JsonObject) => JsonObject): Row {
    const columns = ["gateway_params", "agent_card_params"] as const;
    const changed = columns.flatMap((name) => {
      const text = row[name];
      return text === undefined ? [] : [[name, JSON.stringify(change(JSON.parse(text) as JsonObject))]];
    });
    return { ...row, ...Object.fromEntries(changed) };
  }

  #change(
    action: AuditEntry["action"],
    id: string,
    { changer, ...values }: AuditedChange,
    work: (db: Store["db"]) => Promise<AgentChange>,
  ): Promise<AgentChange> {
    return this.#db.transaction().execute(async (transaction) => {
      const change = await work(transaction);
      if (change !== "done") return change;
      await bumpVersion(transaction, TOPIC);
      await writeAudit(transaction, changer, { action, table: AUDITED, id, ...values });
      return change;
    });
  }
}
