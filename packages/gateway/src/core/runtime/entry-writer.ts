import { randomUUID } from "node:crypto";
import type { JsonObject } from "../../contract/json.ts";
import { type ConfigEntry, entryOfRow } from "../../platform/config/runtime/entry.ts";
import { RUNTIME_TOPIC, type RuntimeConfig } from "../../platform/config/runtime/runtime-config.ts";
import type { ConfigEntryKind, ConfigEntryRow } from "../../platform/config/runtime/table.ts";
import type { Store } from "../../platform/store/schema.ts";
import type { SealedText } from "../../platform/store/sealed-text.ts";
import { maskSecrets } from "../../platform/store/secret-params.ts";
import { bumpVersion } from "../../platform/store/settings-store.ts";
import { type Change, type Changer, change } from "../auth/records/change.ts";

/** Names of the tables under which the audit log knows the entries, as LiteLLM calls them. */
const AUDITED: Readonly<Record<ConfigEntryKind, string>> = {
  model: "LiteLLM_ProxyModelTable",
  credential: "LiteLLM_CredentialsTable",
  access_group: "LiteLLM_AccessGroupTable",
};

/** What an entry becomes, seen its present state; throws where that must not be. */
export type NextBody = (before: ConfigEntry | undefined) => JsonObject;

/** Changes what is configured at run time: one change after the other, in force here when it returns. */
export class EntryWriter {
  readonly runtime: RuntimeConfig;
  readonly #store: Store;
  readonly #seal: SealedText;

  constructor(runtime: RuntimeConfig, store: Store, seal: SealedText) {
    this.runtime = runtime;
    this.#store = store;
    this.#seal = seal;
  }

  /** Makes or changes an entry. */
  async put(changer: Changer, kind: ConfigEntryKind, name: string, next: NextBody): Promise<ConfigEntry> {
    await this.runtime.refresh();
    const put = await change(this.#store, changer, (under) => this.putWithin(under, kind, name, next));
    await this.runtime.refresh();
    return put;
  }

  /** The same as part of a change; it is in force here once the runtime configuration looks again. */
  async putWithin(
    { db, audit, changer }: Change,
    kind: ConfigEntryKind,
    name: string,
    next: NextBody,
  ): Promise<ConfigEntry> {
    const before = await this.#find(db, kind, name);
    const body = next(before);
    const now = Date.now();
    const row: ConfigEntryRow = {
      kind,
      name,
      body: this.#seal.seal(JSON.stringify(body)),
      revision: randomUUID(),
      created_at: before?.createdAt ?? now,
      created_by: before?.createdBy ?? changer.by,
      updated_at: now,
      updated_by: changer.by,
    };
    await db
      .insertInto("config_entries")
      .values(row)
      .onConflict((conflict) => conflict.columns(["kind", "name"]).doUpdateSet(row))
      .execute();
    await bumpVersion(db, RUNTIME_TOPIC);
    await audit({
      action: before === undefined ? "created" : "updated",
      table: AUDITED[kind],
      id: name,
      before: before && maskSecrets(before.body),
      after: maskSecrets(body),
    });
    return entryOfRow(row, this.#seal)!;
  }

  /**
   * Removes an entry.
   * @param check sees it first; throws where it must stay
   */
  async remove(
    changer: Changer,
    kind: ConfigEntryKind,
    name: string,
    check: (before: ConfigEntry | undefined) => void,
  ): Promise<void> {
    await this.runtime.refresh();
    await change(this.#store, changer, async ({ db, audit }) => {
      const before = await this.#find(db, kind, name);
      check(before);
      await db.deleteFrom("config_entries").where("kind", "=", kind).where("name", "=", name).execute();
      await bumpVersion(db, RUNTIME_TOPIC);
      const table = AUDITED[kind];
      await audit({ action: "deleted", table, id: name, before: before && maskSecrets(before.body) });
    });
    await this.runtime.refresh();
  }

  async #find(db: Store["db"], kind: ConfigEntryKind, name: string): Promise<ConfigEntry | undefined> {
    const row = await db
      .selectFrom("config_entries")
      .selectAll()
      .where("kind", "=", kind)
      .where("name", "=", name)
      .executeTakeFirst();
    return row && entryOfRow(row, this.#seal);
  }
}
