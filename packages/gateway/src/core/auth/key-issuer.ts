import { randomBytes } from "node:crypto";
import { invalidRequest } from "../../contract/errors.ts";
import { sha256 } from "../../util/sha256.ts";
import type { KeyStore } from "./key-store.ts";
import type { KeyRow } from "./keys-table.ts";

/** A key as it is told its owner, once. */
export interface IssuedKey {
  readonly key: string;
  readonly row: KeyRow;
}

/** Makes, renews and removes the keys of the store. The key itself is never kept, only its hash. */
export class KeyIssuer {
  readonly #keys: KeyStore;

  constructor(keys: KeyStore) {
    this.#keys = keys;
  }

  /**
   * Makes a key.
   * @param wanted the key's text where the administrator chose it
   * @throws GatewayError 400 when key or alias exist already
   */
  async issue(columns: Partial<KeyRow>, createdBy: string, wanted?: string): Promise<IssuedKey> {
    const key = wanted ?? newKey();
    if (!/^sk-[\x21-\x7e]{8,253}$/.test(key))
      throw invalidRequest("key: expected sk- and at least 8 visible characters", "key");
    const now = Date.now();
    const row: KeyRow = {
      ...blank,
      ...columns,
      key_hash: sha256(key),
      key_name: nameOf(key),
      created_at: now,
      created_by: createdBy,
      updated_at: now,
      updated_by: createdBy,
    };
    if ((await this.#keys.find(row.key_hash)) !== undefined)
      throw invalidRequest("This key exists already", "key");
    await this.#requireFreeAlias(row.key_alias, row.key_hash);
    await this.#keys.insert(row);
    return { key, row };
  }

  /** @throws GatewayError 400 when the alias is another key's */
  async update(keyHash: string, columns: Partial<KeyRow>, updatedBy: string): Promise<boolean> {
    await this.#requireFreeAlias(columns.key_alias ?? null, keyHash);
    return this.#keys.update(keyHash, { ...columns, updated_at: Date.now(), updated_by: updatedBy });
  }

  /** Gives a key a new text; the old one is refused from then on. What it may do and has spent moves along. */
  async regenerate(old: KeyRow, columns: Partial<KeyRow>, updatedBy: string): Promise<IssuedKey> {
    const key = newKey();
    const row: KeyRow = {
      ...old,
      ...columns,
      key_hash: sha256(key),
      key_name: nameOf(key),
      updated_at: Date.now(),
      updated_by: updatedBy,
    };
    await this.#keys.replace(old.key_hash, row);
    return { key, row };
  }

  async #requireFreeAlias(alias: string | null, keyHash: string): Promise<void> {
    if (alias === null) return;
    const owner = await this.#keys.findByAlias(alias);
    if (owner !== undefined && owner.key_hash !== keyHash)
      throw invalidRequest(`The key alias ${alias} exists already`, "key_alias");
  }
}

const blank: Omit<
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
};

function newKey(): string {
  return `sk-${randomBytes(24).toString("base64url")}`;
}

/** Enough of the key to recognise it by. */
function nameOf(key: string): string {
  return `sk-...${key.slice(-4)}`;
}
