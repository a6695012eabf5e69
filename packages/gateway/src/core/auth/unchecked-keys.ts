import { anonymous, withoutBudgets } from "../../contract/principal.ts";
import type { KnownKey } from "./authenticate.ts";

/** Keys kept as the same objects; more begin anew. */
const MAX_KEPT = 20_000;

/**
 * Whom keys stand for while the database that they are in does not answer, with `allow_requests_on_db_unavailable`: those
 * that called before are what they were, all others may call models. Nobody has a budget, since budgets are counted there.
 */
export class UncheckedKeys {
  readonly #kept = new Map<string, KnownKey>();

  /** @param before as the key was last known; `undefined` for one that has not called before */
  of(keyHash: string, before: KnownKey | undefined): KnownKey {
    let key = this.#kept.get(keyHash);
    if (key === undefined) {
      key =
        before === undefined ? newcomer(keyHash) : { ...before, principal: withoutBudgets(before.principal) };
      if (this.#kept.size >= MAX_KEPT) this.#kept.clear();
      this.#kept.set(keyHash, key);
    }
    return key;
  }

  /** The database answers again. */
  forget(): void {
    this.#kept.clear();
  }
}

function newcomer(keyHash: string): KnownKey {
  return {
    principal: {
      ...anonymous,
      keyHash,
      keyAlias: "unchecked",
      role: "internal_user",
      restrictions: { routes: [["llm_api_routes"]], addresses: [], params: [] },
    },
    expiresAt: undefined,
    blocked: false,
  };
}
