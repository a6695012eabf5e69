import type { Managed } from "../../core/auth/management/management.ts";
import type { EntityKind } from "../../core/auth/records/entity-tables.ts";
import type { KeyRow } from "../../core/auth/records/keys-table.ts";
import { among } from "../../platform/store/among.ts";

/** The keys of sums by their hashes; those that were deleted are missing. */
export async function keysNamed({ parts }: Managed, hashes: Iterable<string | null>) {
  const { store } = parts.entities;
  const columns = ["key_hash", "key_alias", "key_name", "team_id", "user_id"] as const;
  const keys = store.db.selectFrom("gateway_keys").select(columns);
  const rows = await keys.where(among(store, "key_hash", namesOf(hashes))).execute();
  return new Map<string, Pick<KeyRow, "key_alias" | "key_name" | "team_id" | "user_id">>(
    rows.map((row) => [row.key_hash, row]),
  );
}

/** The aliases of organizations, teams or the like by their ids; those without one are missing. */
export async function aliasesOf({ parts }: Managed, kind: EntityKind, ids: Iterable<string | null>) {
  const { store } = parts.entities;
  const entities = store.db.selectFrom("entities").select(["id", "alias"]).where("kind", "=", kind);
  const rows = await entities.where(among(store, "id", namesOf(ids))).execute();
  return new Map(rows.flatMap(({ id, alias }) => (alias === null ? [] : [[id, alias]])));
}

function namesOf(names: Iterable<string | null>): string[] {
  return [...new Set(names)].filter((name) => name !== null);
}
