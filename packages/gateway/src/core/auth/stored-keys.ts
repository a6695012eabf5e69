import type { JsonObject } from "../../contract/json.ts";
import type { KeyLimits, Role } from "../../contract/principal.ts";
import type { KeyLookup, KnownKey } from "./authenticate.ts";
import type { KeyStore } from "./key-store.ts";
import type { KeyRow } from "./keys-table.ts";

/** Milliseconds for which the version of the keys is believed; a change is in force everywhere within a second. */
const BELIEVE_FOR = 400;

/** Keys remembered, the unknown ones that somebody tries included. */
const MAX_REMEMBERED = 20_000;

/** The keys in the store, remembered until any replica changes one. */
export class StoredKeys implements KeyLookup {
  readonly #store: KeyStore;
  readonly #remembered = new Map<string, KnownKey | undefined>();
  #version = -1;
  #checkedAt = Number.NEGATIVE_INFINITY;
  #checking: Promise<void> | undefined;

  constructor(store: KeyStore) {
    this.#store = store;
  }

  find(keyHash: string): KnownKey | undefined | Promise<KnownKey | undefined> {
    if (performance.now() - this.#checkedAt < BELIEVE_FOR && this.#remembered.has(keyHash))
      return this.#remembered.get(keyHash);
    return this.#look(keyHash);
  }

  /** Forgets everything; called after a change made here, so that it is in force at once. */
  forget(): void {
    this.#remembered.clear();
    this.#checkedAt = Number.NEGATIVE_INFINITY;
  }

  async #look(keyHash: string): Promise<KnownKey | undefined> {
    if (performance.now() - this.#checkedAt >= BELIEVE_FOR) await this.#check();
    if (this.#remembered.has(keyHash)) return this.#remembered.get(keyHash);
    const version = this.#version;
    const row = await this.#store.find(keyHash);
    const key = row === undefined ? undefined : toKnownKey(row);
    if (this.#remembered.size >= MAX_REMEMBERED) this.#remembered.clear();
    // A row read before a change that was noticed meanwhile must not be remembered as the new state.
    if (version === this.#version) this.#remembered.set(keyHash, key);
    return key;
  }

  #check(): Promise<void> {
    this.#checking ??= this.#readVersion().finally(() => {
      this.#checking = undefined;
    });
    return this.#checking;
  }

  async #readVersion(): Promise<void> {
    const askedAt = performance.now();
    const version = await this.#store.version();
    if (version !== this.#version) this.#remembered.clear();
    this.#version = version;
    this.#checkedAt = askedAt;
  }
}

/** A row of the store as the key it stands for. */
function toKnownKey(row: KeyRow): KnownKey {
  return {
    principal: {
      keyHash: row.key_hash,
      keyAlias: row.key_alias ?? undefined,
      userId: row.user_id ?? undefined,
      role: row.user_role as Role,
      teamId: row.team_id ?? undefined,
      metadata: JSON.parse(row.metadata) as JsonObject,
      teamMetadata: JSON.parse(row.team_metadata) as JsonObject,
      allowedModelRegion: row.allowed_model_region ?? undefined,
      models: JSON.parse(row.models) as string[],
      limits: limitsOf(row),
      isMaster: false,
    },
    expiresAt: row.expires_at ?? undefined,
    blocked: row.blocked === 1,
  };
}

function limitsOf(row: KeyRow): KeyLimits {
  return {
    ...(row.rpm_limit === null ? {} : { rpm: row.rpm_limit }),
    ...(row.tpm_limit === null ? {} : { tpm: row.tpm_limit }),
    ...(row.max_parallel_requests === null ? {} : { maxParallelRequests: row.max_parallel_requests }),
    ...(row.max_budget === null ? {} : { maxBudget: row.max_budget }),
    ...(row.budget_duration === null ? {} : { budgetDuration: row.budget_duration }),
  };
}
