import type { Role } from "../../../contract/principal.ts";
import { jsonMemberIs } from "../../../platform/store/json-member.ts";
import type { Change } from "../records/change.ts";
import { SESSION } from "../records/key-fields.ts";
import type { KeyManagement } from "./key-management.ts";

/**
 * Ends what a user has begun by signing in.
 * @param butAs a role whose sessions go on
 */
export async function endSessions(
  { entities, issuer }: Pick<KeyManagement, "entities" | "issuer">,
  under: Change,
  userId: string,
  butAs?: Role,
): Promise<void> {
  await issuer.deleteChosen(under, (keys) => {
    const isSession = jsonMemberIs(entities.store, "settings", ["key_type"], SESSION);
    const sessions = keys.where("user_id", "=", userId).where(isSession);
    return butAs === undefined ? sessions : sessions.where("user_role", "<>", butAs);
  });
}
