import { randomUUID } from "node:crypto";
import type { Change } from "./change.ts";
import { insertEntity, USER } from "./entities.ts";
import type { EntityRow } from "./entity-tables.ts";

interface NamedUser {
  readonly user_id?: string | null;
  readonly user_email?: string | null;
}

/** A user by its id, else by its address. */
export function findUser(
  { db }: Change,
  { user_id: id, user_email: email }: NamedUser,
): Promise<EntityRow | undefined> {
  const query = db.selectFrom("entities").selectAll().where("kind", "=", "user");
  const named =
    id == null ? query.where("email", "=", (email ?? "").toLowerCase()) : query.where("id", "=", id);
  return named.executeTakeFirst();
}

/** A user by its id or its address, made where there is none yet, as LiteLLM does for members. */
export async function ensureUser(change: Change, named: NamedUser): Promise<EntityRow> {
  const found = await findUser(change, named);
  if (found !== undefined) return found;
  const { user_id: id, user_email: email } = named;
  return insertEntity(change, USER, id ?? randomUUID(), { email, settings: { user_role: "internal_user" } });
}
