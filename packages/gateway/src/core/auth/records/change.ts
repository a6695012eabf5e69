import type { Exchange } from "../../../contract/exchange.ts";
import { isJsonObject, type JsonObject } from "../../../contract/json.ts";
import { redact } from "../../../platform/log/redact.ts";
import type { Store } from "../../../platform/store/schema.ts";
import { bumpVersion } from "../../../platform/store/settings-store.ts";
import { orderedUuid } from "../../../util/ordered-uuid.ts";
import { namesSecret } from "../../../util/secret-names.ts";
import type { AuditRow } from "./audit-table.ts";

/** Counts the changes of keys and of what stands above them, so that replicas forget what they remember of both. */
export const GOVERNANCE_TOPIC = "keys";

/** Who changes something, for the audit log. */
export interface Changer {
  readonly by: string;
  readonly keyHash: string;
  readonly address?: string | undefined;
  /**
   * Whether a user's or a team's id is one that the keys of the configuration name; absent for those who administer
   * everything, and may give out any id.
   */
  readonly isTaken?: (kind: "user" | "team", id: string) => boolean;
  /** The user of the key that asks, where nobody else has that; absent for those who administer everything too. */
  readonly userId?: string | undefined;
}

/** Whether somebody changes this who administers everything. */
export function administersAll({ isTaken }: Changer): boolean {
  return isTaken === undefined;
}

/** Whoever asks for a change: the user of its key. */
export function changerOf({ principal, address }: Pick<Exchange, "principal" | "address">): Changer {
  const { userId, keyAlias, keyHash } = principal;
  return { by: userId ?? keyAlias ?? keyHash, keyHash, address };
}

/** What was changed: the object before and after, as callers see it. */
export interface AuditEntry {
  readonly action: "created" | "updated" | "deleted" | "blocked" | "unblocked" | "rotated";
  readonly table: string;
  readonly id: string;
  readonly before?: JsonObject | undefined;
  readonly after?: JsonObject | undefined;
  readonly organizationId?: string | null | undefined;
  readonly teamId?: string | null | undefined;
}

/** A change under way. */
export interface Change {
  /** The transaction that makes it. */
  readonly db: Store["db"];
  readonly changer: Changer;
  audit(entry: AuditEntry): Promise<void>;
}

/**
 * Changes keys or what stands above them, in one transaction with the rows of the audit log. It begins with the version's
 * row, which only one transaction can have: two changes at the same moment happen one after the other, on whatever
 * replicas, and neither reads what the other is about to change.
 */
export function change<T>(store: Store, changer: Changer, work: (change: Change) => Promise<T>): Promise<T> {
  return store.db.transaction().execute(async (db) => {
    await bumpVersion(db, GOVERNANCE_TOPIC);
    return work({ db, changer, audit: (entry) => writeAudit(db, changer, entry) });
  });
}

/** A row of the audit log for what has no levels above it, in the transaction that makes the change. */
export async function writeAudit(db: Store["db"], changer: Changer, entry: AuditEntry): Promise<void> {
  const row: AuditRow = {
    id: orderedUuid(),
    updated_at: Date.now(),
    changed_by: changer.by,
    changed_by_api_key: changer.keyHash,
    address: changer.address ?? null,
    action: entry.action,
    table_name: entry.table,
    object_id: entry.id,
    organization_id: entry.organizationId ?? null,
    team_id: entry.teamId ?? null,
    before_value: textOf(entry.before),
    updated_values: textOf(entry.after),
  };
  await db.insertInto("audit_log").values(row).execute();
}

/** A key's hash, which names it, is no secret. */
const HASHES: ReadonlySet<string> = new Set(["key", "token"]);

function textOf(value: JsonObject | undefined): string | null {
  return value === undefined ? null : JSON.stringify(withoutSecrets(value));
}

/** An object without secrets, for the audit log: whoever gives something metadata may put a key into it. */
function withoutSecrets(value: unknown): unknown {
  if (typeof value === "string") return redact(value);
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      !HASHES.has(name) && namesSecret(name) && member !== null ? "***" : withoutSecrets(member),
    ]),
  );
}
