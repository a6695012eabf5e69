import { administersAll, type Change, type Changer } from "../records/change.ts";
import { type KeySettings, keySettings } from "../records/key-fields.ts";
import type { KeyRow } from "../records/keys-table.ts";

/**
 * A key of which somebody has the text who is not its user, and administers less than everything, is marked: whatever its
 * user becomes later, such a key does not become an administrator's. Whoever renews it for itself has it for itself.
 * @param isOnlyText whether no older text of it is accepted
 */
export function ofOneHolder(
  next: KeyRow,
  before: KeyRow | undefined,
  changer: Changer,
  isOnlyText = false,
): KeyRow {
  if (next.user_id === null) return next;
  const isNewText = next.key_hash !== before?.key_hash;
  const isGiven = before !== undefined && next.user_id !== before.user_id;
  const isTrusted = administersAll(changer) || (next.user_id === changer.userId && !isGiven);
  if (isTrusted) return isNewText && isOnlyText ? marked(next, undefined) : next;
  return isNewText || isGiven ? marked(next, true) : next;
}

function marked(row: KeyRow, held: true | undefined): KeyRow {
  const settings: KeySettings = { ...keySettings(row), held_by_others: held };
  return { ...row, settings: JSON.stringify(settings) };
}

/** Whether older texts of a key are still accepted. */
export async function hasOlderTexts({ db }: Change, keyHash: string): Promise<boolean> {
  const texts = db.selectFrom("renewed_keys").select("old_hash").where("key_hash", "=", keyHash);
  return (await texts.where("revoked_at", ">", Date.now()).executeTakeFirst()) !== undefined;
}
