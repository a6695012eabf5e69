import { administersAll, type Changer } from "./change.ts";
import type { KeySettings } from "./key-fields.ts";
import type { KeyRow } from "./keys-table.ts";

/**
 * A key of which somebody has the text who is not its user, and administers less than everything, is marked: whatever its
 * user becomes later, such a key does not become an administrator's.
 */
export function ofOneHolder(next: KeyRow, before: KeyRow | undefined, changer: Changer): KeyRow {
  if (next.user_id === null || administersAll(changer)) return next;
  const isNewText = next.key_hash !== before?.key_hash;
  const isGiven = before !== undefined && next.user_id !== before.user_id;
  if (!isGiven && !(isNewText && next.user_id !== changer.userId)) return next;
  const settings: KeySettings = { ...(JSON.parse(next.settings) as KeySettings), held_by_others: true };
  return { ...next, settings: JSON.stringify(settings) };
}
