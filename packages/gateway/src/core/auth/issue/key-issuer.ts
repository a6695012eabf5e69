import { randomBytes } from "node:crypto";
import { type SelectQueryBuilder, sql } from "kysely";
import { type GatewayError, invalidRequest, notFound } from "../../../contract/errors.ts";
import type { JsonObject } from "../../../contract/json.ts";
import { modelOwner } from "../../../contract/owner-name.ts";
import { keyName } from "../../../contract/principal.ts";
import type { Schema } from "../../../platform/store/schema.ts";
import { sha256 } from "../../../util/sha256.ts";
import { moveTerms } from "../../ledger/rollover.ts";
import { moveSums } from "../../ledger/spend-sums.ts";
import { type PriorityShares, requireKnownMetadata } from "../fields/known-metadata.ts";
import { type CallbackRules, callbacksIn, sealedCallbacks } from "../fields/own-callbacks.ts";
import { requireBudgetToRollOver } from "../fields/rollover-budget.ts";
import type { AuditEntry, Change, Changer } from "../records/change.ts";
import { generationOf, retireOwner } from "../records/generations.ts";
import { keySettings } from "../records/key-fields.ts";
import { keyObject } from "../records/key-object.ts";
import type { KeyStore } from "../records/key-store.ts";
import type { KeyRow } from "../records/keys-table.ts";
import { hasOlderTexts, ofOneHolder } from "./key-holder.ts";
import { changeWithinBounds, type KeyTerms, withTerms } from "./key-terms.ts";

/** A key as it is told its owner, once. */
export interface IssuedKey {
  readonly key: string;
  readonly row: KeyRow;
}

/** Milliseconds for which it is known what became of an old text: batches may run for 30 days. */
const KNOWN_FOR = 31 * 86_400_000;

type MetadataOfKey = Pick<KeyRow, "metadata" | "team_metadata">;

/** Looks at a key and at what is to become of it within the change: throws where that must not be. */
export type KeyCheck = (change: Change, next: KeyRow, before: KeyRow | undefined) => Promise<void> | void;

/** How a key is renewed. */
export interface Renewal {
  /** The new text where the administrator chose it. */
  readonly wanted?: string | undefined;
  /** Until when the old text is accepted too, in milliseconds since the epoch. */
  readonly graceUntil?: number | undefined;
}

type KeyHashes = SelectQueryBuilder<Schema, "gateway_keys", Pick<KeyRow, "key_hash">>;

const unchecked: KeyCheck = () => {};
const noTerms: KeyTerms = { defaults: undefined, bounds: undefined };

/** Makes, renews and removes the keys of the store. The key itself is never kept, only its hash. */
export class KeyIssuer {
  readonly #keys: KeyStore;
  readonly #isOfFile: (keyHash: string) => boolean;
  readonly #rules: CallbackRules | undefined;
  readonly #terms: () => KeyTerms;
  readonly #priorityShares: PriorityShares;

  /**
   * @param isOfFile whether a hash is the master key's or that of a key of the configuration, which go before the store's
   * @param rules for the destinations of spans in `metadata.logging`; without them there can be none
   * @param terms what the configuration says of every key, as it is now
   * @param priorityShares those that a key's metadata may name
   */
  constructor(
    keys: KeyStore,
    isOfFile: (keyHash: string) => boolean = () => false,
    rules?: CallbackRules,
    terms: () => KeyTerms = () => noTerms,
    priorityShares: PriorityShares = () => undefined,
  ) {
    this.#terms = terms;
    this.#priorityShares = priorityShares;
    this.#keys = keys;
    this.#rules = rules;
    this.#isOfFile = isOfFile;
  }

  /**
   * Makes a key.
   * @param wanted the key's text where the administrator chose it; its caller has checked it
   * @throws GatewayError 400 when key or alias exist already
   */
  issue(
    columns: Partial<KeyRow>,
    changer: Changer,
    wanted?: string,
    verify: KeyCheck = unchecked,
  ): Promise<IssuedKey> {
    return this.#keys.change(changer, (change) => this.issueWithin(change, columns, wanted, verify));
  }

  /** The same as part of a change. */
  async issueWithin(
    change: Change,
    columns: Partial<KeyRow>,
    wanted?: string,
    verify: KeyCheck = unchecked,
  ): Promise<IssuedKey> {
    const key = wanted ?? newKey();
    const now = Date.now();
    const { by } = change.changer;
    const made: KeyRow = {
      ...blankKey,
      ...this.#sealed(withTerms(columns, this.#terms())),
      key_hash: sha256(key),
      key_name: keyName(key),
      created_at: now,
      created_by: by,
      updated_at: now,
      updated_by: by,
      generation: await generationOf(change.db, "key", sha256(key)),
    };
    await verify(change, made, undefined);
    const row = ofOneHolder(made, undefined, change.changer);
    this.#requireKnown({ ...blankKey, ...columns }, blankKey);
    requireBudgetToRollOver(limitsIn(row), {});
    await this.#requireFree(change, row);
    await change.db.insertInto("gateway_keys").values(row).execute();
    // A text that a renewed key had before: calls of the new one are not that one's.
    await change.db.deleteFrom("renewed_keys").where("old_hash", "=", row.key_hash).execute();
    await change.audit({ action: "created", ...keyEntry(row), after: keyObject(row, 0) });
    return { key, row };
  }

  /**
   * Changes a key.
   * @param columnsOf what to change of the key as it is now
   * @throws GatewayError 404 when there is no such key, 400 when the alias is another key's
   */
  async update(
    keyHash: string,
    columnsOf: (row: KeyRow) => Partial<KeyRow>,
    changer: Changer,
    verify: KeyCheck = unchecked,
    action: AuditEntry["action"] = "updated",
  ): Promise<KeyRow> {
    return this.#keys.change(changer, async (change) => {
      const before = await this.#stored(change, keyHash);
      const updated = { updated_at: Date.now(), updated_by: changer.by };
      const changed = { ...before, ...this.#changed(columnsOf(before), before), ...updated };
      await verify(change, changed, before);
      const row = ofOneHolder(changed, before, changer);
      this.#requireKnown(row, before);
      requireBudgetToRollOver(limitsIn(row), limitsIn(before));
      await this.#requireFreeAlias(change, row);
      await change.db.updateTable("gateway_keys").set(row).where("key_hash", "=", keyHash).execute();
      await change.audit({
        action,
        ...keyEntry(row),
        before: keyObject(before, 0),
        after: keyObject(row, 0),
      });
      return row;
    });
  }

  /**
   * Gives a key a new text; the old one is refused from then on, or after a time of grace. What it may do and has spent
   * moves along.
   */
  async regenerate(
    keyHash: string,
    columnsOf: (row: KeyRow) => Partial<KeyRow>,
    changer: Changer,
    { wanted, graceUntil }: Renewal = {},
    verify: KeyCheck = unchecked,
  ): Promise<IssuedKey> {
    const key = wanted ?? newKey();
    return this.#keys.change(changer, async (change) => {
      const { db } = change;
      const old = await this.#stored(change, keyHash);
      const renewed: KeyRow = {
        ...old,
        ...this.#changed(columnsOf(old), old),
        key_hash: sha256(key),
        key_name: keyName(key),
        updated_at: Date.now(),
        updated_by: changer.by,
      };
      await verify(change, renewed, old);
      const isOnlyText = graceUntil === undefined && !(await hasOlderTexts(change, keyHash));
      const row = withOwner(ofOneHolder(renewed, old, changer, isOnlyText), old);
      this.#requireKnown(row, old);
      requireBudgetToRollOver(limitsIn(row), limitsIn(old));
      await db.deleteFrom("gateway_keys").where("key_hash", "=", keyHash).execute();
      await retireOwner(db, "key", keyHash);
      await this.#requireFree(change, row);
      await db.insertInto("gateway_keys").values(row).execute();
      const moved = { key_hash: row.key_hash };
      await db.updateTable("key_spend").set(moved).where("key_hash", "=", keyHash).execute();
      await db.updateTable("budget_windows").set(moved).where("key_hash", "=", keyHash).execute();
      await moveTerms(db, keyHash, row.key_hash);
      if (old.settings.includes('"model_max_budget"')) await moveModelSpend(db, keyHash, row.key_hash);
      await db.updateTable("spend_logs").set(moved).where("key_hash", "=", keyHash).execute();
      await this.#noteRenewed(db, keyHash, row.key_hash, graceUntil ?? Date.now());
      await moveSums(this.#keys, db, keyHash, row.key_hash);
      await change.audit({
        action: "rotated",
        ...keyEntry(row),
        before: keyObject(old, 0),
        after: keyObject(row, 0),
      });
      return { key, row };
    });
  }

  /**
   * @param isThere for whoever asks: others are left alone, as those that do not exist
   * @returns the hashes of the keys that existed
   */
  delete(
    keyHashes: readonly string[],
    changer: Changer,
    isThere?: (row: KeyRow, change: Change) => Promise<boolean>,
  ): Promise<string[]> {
    return this.#keys.change(changer, (change) => this.#deleteWithin(change, keyHashes, isThere));
  }

  async #deleteWithin(
    change: Change,
    keyHashes: readonly string[],
    isThere: (row: KeyRow, change: Change) => Promise<boolean> | boolean = () => true,
  ): Promise<string[]> {
    if (keyHashes.length === 0) return [];
    const { db, audit } = change;
    const found = await db
      .selectFrom("gateway_keys")
      .selectAll()
      .where("key_hash", "in", keyHashes)
      .execute();
    const hashes: string[] = [];
    for (const row of found) {
      if (!(await isThere(row, change))) continue;
      hashes.push(row.key_hash);
      await retireOwner(db, "key", row.key_hash);
      await audit({ action: "deleted", ...keyEntry(row), before: keyObject(row, 0) });
    }
    if (hashes.length === 0) return [];
    await db.deleteFrom("gateway_keys").where("key_hash", "in", hashes).execute();
    await db.deleteFrom("renewed_keys").where("key_hash", "in", hashes).execute();
    return hashes;
  }

  /** Deletes those that a query leaves, as part of a change. */
  async deleteChosen(change: Change, choose: (all: KeyHashes) => KeyHashes): Promise<void> {
    const chosen = await choose(change.db.selectFrom("gateway_keys").select("key_hash")).execute();
    await this.#deleteWithin(
      change,
      chosen.map(({ key_hash }) => key_hash),
    );
  }

  /** Older texts, those that are still accepted and those by which work goes on, lead to the new one too. */
  async #noteRenewed(db: Change["db"], from: string, to: string, revokedAt: number): Promise<void> {
    await db
      .deleteFrom("renewed_keys")
      .where((or) =>
        or.or([or("revoked_at", "<=", Date.now() - KNOWN_FOR), or("old_hash", "in", [from, to])]),
      )
      .execute();
    await db.updateTable("renewed_keys").set({ key_hash: to }).where("key_hash", "=", from).execute();
    const row = { old_hash: from, key_hash: to, revoked_at: revokedAt };
    await db.insertInto("renewed_keys").values(row).execute();
  }

  #requireKnown(next: MetadataOfKey, before: MetadataOfKey): void {
    for (const field of ["metadata", "team_metadata"] as const) {
      if (next[field] === before[field]) continue;
      const [now, stored] = [next, before].map((row) => JSON.parse(row[field]) as unknown);
      requireKnownMetadata(now, stored, this.#priorityShares(), field);
    }
  }

  #changed(columns: Partial<KeyRow>, before: KeyRow): Partial<KeyRow> {
    return this.#sealed(changeWithinBounds(columns, before, this.#terms()), before);
  }

  /** Columns whose metadata keeps no secret of a destination of spans in clear text. @throws GatewayError 400 */
  #sealed(columns: Partial<KeyRow>, before?: KeyRow): Partial<KeyRow> {
    if (columns.metadata?.includes('"logging"') !== true) return columns;
    const { logging, ...metadata } = JSON.parse(columns.metadata) as JsonObject;
    if (logging === undefined) return columns;
    const stored = before && (JSON.parse(before.metadata) as JsonObject).logging;
    if (this.#rules === undefined)
      throw invalidRequest("metadata.logging: not possible here", "metadata.logging");
    const sealed = logging === null ? [] : sealedCallbacks(logging, callbacksIn(stored), this.#rules);
    return {
      ...columns,
      metadata: JSON.stringify({ ...metadata, ...(sealed.length === 0 ? {} : { logging: sealed }) }),
    };
  }

  async #stored({ db }: Change, keyHash: string): Promise<KeyRow> {
    const row = await this.#keys.find(keyHash, db);
    if (row === undefined) throw noSuchKey(this.#isOfFile(keyHash));
    return row;
  }

  async #requireFree(change: Change, row: KeyRow): Promise<void> {
    if (this.#isOfFile(row.key_hash) || (await this.#keys.find(row.key_hash, change.db)) !== undefined)
      throw invalidRequest("This key exists already", "key");
    await this.#requireFreeAlias(change, row);
  }

  async #requireFreeAlias({ db }: Change, { key_alias: alias, key_hash }: KeyRow): Promise<void> {
    if (alias === null) return;
    const owner = await this.#keys.findByAlias(alias, db);
    if (owner !== undefined && owner.key_hash !== key_hash)
      throw invalidRequest(`The key alias ${alias} exists already`, "key_alias");
  }
}

/** What the key has made stays its own under the new text, and the old text has nothing of it for whoever gets it later. */
function withOwner(row: KeyRow, { key_hash }: KeyRow): KeyRow {
  const settings = keySettings(row);
  return {
    ...row,
    settings: JSON.stringify({
      ...settings,
      owner_hash: settings.owner_hash ?? key_hash,
      renewed_at: Date.now(),
    }),
  };
}

function limitsIn({ settings, max_budget, budget_duration }: KeyRow): JsonObject {
  return { ...(JSON.parse(settings) as JsonObject), max_budget, budget_duration };
}

/** 404 for a key that the store does not have. */
export function noSuchKey(isOfFile: boolean): GatewayError {
  return notFound(
    isOfFile
      ? "This key stands in the configuration file; change it there"
      : "There is no such key; name it by its text (sk-...) or its token, not by its alias",
  );
}

/** What the key has spent within its limits for some models. */
async function moveModelSpend(db: Change["db"], from: string, to: string): Promise<void> {
  const before = modelOwner(from, "");
  await sql`
    update budget_windows
    set key_hash = ${modelOwner(to, "")} || substr(key_hash, ${before.length + 1})
    where substr(key_hash, 1, ${before.length}) = ${before}`.execute(db);
  const noted = await db
    .selectFrom("budget_terms")
    .select("owner")
    .where(sql<string>`substr(owner, 1, ${before.length})`, "=", before)
    .execute();
  for (const { owner } of noted) await moveTerms(db, owner, modelOwner(to, owner.slice(before.length)));
}

/** A key in the audit log. */
export function keyEntry(row: KeyRow): Omit<AuditEntry, "action"> {
  return {
    table: "LiteLLM_VerificationToken",
    id: row.key_hash,
    organizationId: row.organization_id,
    teamId: row.team_id,
  };
}

/** The columns of a key that was given nothing. */
export const blankKey: Omit<
  KeyRow,
  "key_hash" | "key_name" | "created_at" | "created_by" | "updated_at" | "updated_by"
> = {
  key_alias: null,
  user_id: null,
  user_role: "internal_user",
  team_id: null,
  metadata: "{}",
  team_metadata: "{}",
  allowed_model_region: null,
  models: "[]",
  rpm_limit: null,
  tpm_limit: null,
  max_parallel_requests: null,
  max_budget: null,
  budget_duration: null,
  blocked: 0,
  expires_at: null,
  organization_id: null,
  settings: "{}",
  generation: 0,
};

function newKey(): string {
  return `sk-${randomBytes(24).toString("base64url")}`;
}
