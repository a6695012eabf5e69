import type { EntityKind } from "../../core/auth/entity-tables.ts";
import type { KeyRow } from "../../core/auth/keys-table.ts";
import type { Managed } from "../../core/auth/management.ts";

/** Names that one statement looks up. */
const AT_ONCE = 5000;

/** The keys of sums by their hashes; those that were deleted are missing. */
export async function keysNamed({ parts }: Managed, hashes: Iterable<string | null>) {
  const { db } = parts.entities.store;
  const found = new Map<string, Pick<KeyRow, "key_alias" | "key_name" | "team_id" | "user_id">>();
  for (const some of slicesOf(hashes)) {
    const columns = ["key_hash", "key_alias", "key_name", "team_id", "user_id"] as const;
    const rows = db.selectFrom("gateway_keys").select(columns).where("key_hash", "in", some);
    for (const row of await rows.execute()) found.set(row.key_hash, row);
  }
  return found;
}

/** The aliases of organizations, teams or the like by their ids; those without one are missing. */
export async function aliasesOf({ parts }: Managed, kind: EntityKind, ids: Iterable<string | null>) {
  const { db } = parts.entities.store;
  const found = new Map<string, string>();
  for (const some of slicesOf(ids)) {
    const rows = db.selectFrom("entities").select(["id", "alias"]).where("kind", "=", kind);
    for (const { id, alias } of await rows.where("id", "in", some).execute())
      if (alias !== null) found.set(id, alias);
  }
  return found;
}

function slicesOf(names: Iterable<string | null>): string[][] {
  const known = [...new Set(names)].filter((name) => name !== null);
  return Array.from({ length: Math.ceil(known.length / AT_ONCE) }, (_, index) =>
    known.slice(index * AT_ONCE, (index + 1) * AT_ONCE),
  );
}
