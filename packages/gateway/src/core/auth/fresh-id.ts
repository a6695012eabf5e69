import { GatewayError } from "../../contract/errors.ts";
import type { Change } from "./change.ts";
import type { EntityType } from "./entities.ts";

/**
 * Files, responses and cached answers belong to the ids of users and teams, and keys name them too, also where the
 * gateway knows no such user. Whoever gives such an id to somebody new gives along what no deleted one had, which is for
 * proxy administrators alone.
 * @throws GatewayError 403 for an id that keys name or that somebody had before
 */
export async function requireFreshId({ db, changer }: Change, type: EntityType, id: string): Promise<void> {
  const { kind, table, idField } = type;
  if (changer.isTaken === undefined || (kind !== "user" && kind !== "team")) return;
  const column = kind === "user" ? "user_id" : "team_id";
  const isTaken =
    changer.isTaken(kind, id) ||
    (await db.selectFrom("gateway_keys").select("key_hash").where(column, "=", id).executeTakeFirst()) ||
    (await db.selectFrom("objects").select("id").where("tenant", "=", `${kind}:${id}`).executeTakeFirst()) ||
    (await db
      .selectFrom("audit_log")
      .select("id")
      .where("table_name", "=", table)
      .where("object_id", "=", id)
      .executeTakeFirst());
  if (!isTaken) return;
  const message = `Only a proxy administrator gives a new ${kind} the id ${id.slice(0, 256)}, which was in use before`;
  throw new GatewayError(403, "permission_error", message, { param: idField });
}
