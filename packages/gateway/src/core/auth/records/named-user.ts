import { randomUUID } from "node:crypto";
import type { JsonObject } from "../../../contract/json.ts";
import { ROLES_BY_DEFAULT } from "../../../platform/config/options/key-terms.ts";
import type { Change } from "./change.ts";
import { findEntity, findUserByEmail, insertEntity, mergedSettings, USER } from "./entities.ts";
import type { EntityRow } from "./entity-tables.ts";

interface NamedUser {
  readonly user_id?: string | null;
  readonly user_email?: string | null;
}

/** A user by its id, else by its address. */
export function findUser(
  change: Change,
  { user_id: id, user_email: email }: NamedUser,
): Promise<EntityRow | undefined> {
  return id == null ? findUserByEmail(change, email ?? "") : findEntity(change, "user", id);
}

/**
 * A user by its id or its address, made where there is none yet, as LiteLLM does for members.
 * @param defaults what new internal users have
 */
export async function ensureUser(
  change: Change,
  named: NamedUser,
  defaults: JsonObject = {},
): Promise<EntityRow> {
  const found = await findUser(change, named);
  if (found !== undefined) return found;
  const { user_id: id, user_email: email } = named;
  return insertEntity(change, USER, id ?? randomUUID(), { email, settings: newUserSettings({}, defaults) });
}

/**
 * What a new user is given: the configuration's defaults too, where nothing else is said and it is no administrator. No
 * models and no role say nothing, as LiteLLM's console sends them.
 */
export function newUserSettings(given: JsonObject, defaults: JsonObject): JsonObject {
  const settings = mergedSettings({}, given);
  if (Array.isArray(settings.models) && settings.models.length === 0) delete settings.models;
  settings.user_role ??= defaults.user_role ?? "internal_user";
  if (!ROLES_BY_DEFAULT.some((role) => role === settings.user_role)) return settings;
  // A user that names a budget has the limits of that one.
  const { models } = defaults;
  return mergedSettings(
    mergedSettings({}, settings.budget_id === undefined ? defaults : { models }),
    settings,
  );
}
