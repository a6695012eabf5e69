import { countedPage } from "../../../platform/store/counted-page.ts";
import type { Store } from "../../../platform/store/schema.ts";
import type { AuditRow } from "./audit-table.ts";

/** Which entries are shown; times in milliseconds since the epoch, the end excluded. */
export interface AuditFilter {
  readonly changed_by?: string | undefined;
  readonly changed_by_api_key?: string | undefined;
  readonly action?: string | undefined;
  readonly table_name?: string | undefined;
  readonly object_id?: string | undefined;
  readonly start?: number | undefined;
  readonly end?: number | undefined;
  /** Only what belongs to one of these. */
  readonly within?:
    | { readonly organizationIds: readonly string[]; readonly teamIds: readonly string[] }
    | undefined;
}

const NAMES = ["changed_by", "changed_by_api_key", "action", "table_name", "object_id"] as const;

/** A place in the log: behind this entry. */
export type AuditPlace = Pick<AuditRow, "updated_at" | "id">;

/** The audit log, for reading: rows come in with the changes that they tell of. */
export class AuditLog {
  readonly #db: Store["db"];

  constructor(store: Store) {
    this.#db = store.db;
  }

  find(id: string): Promise<AuditRow | undefined> {
    return this.#db.selectFrom("audit_log").selectAll().where("id", "=", id).executeTakeFirst();
  }

  page(
    filter: AuditFilter,
    order: "asc" | "desc",
    offset: number,
    limit: number,
  ): Promise<{ rows: AuditRow[]; total: number }> {
    const found = this.#filtered(filter).selectAll().orderBy("updated_at", order).orderBy("id", order);
    return countedPage(found, offset, limit);
  }

  /** The next entries behind a place, the oldest first. */
  after(filter: AuditFilter, place: AuditPlace | undefined, limit: number): Promise<AuditRow[]> {
    let query = this.#filtered(filter);
    if (place !== undefined)
      query = query.where(({ or, and, eb }) =>
        or([
          eb("updated_at", ">", place.updated_at),
          and([eb("updated_at", "=", place.updated_at), eb("id", ">", place.id)]),
        ]),
      );
    return query.selectAll().orderBy("updated_at").orderBy("id").limit(limit).execute();
  }

  #filtered(filter: AuditFilter) {
    let query = this.#db.selectFrom("audit_log");
    for (const name of NAMES) if (filter[name] !== undefined) query = query.where(name, "=", filter[name]);
    if (filter.start !== undefined) query = query.where("updated_at", ">=", filter.start);
    if (filter.end !== undefined) query = query.where("updated_at", "<", filter.end);
    const { within } = filter;
    if (within !== undefined)
      query = query.where(({ or, eb }) =>
        or([
          ...(within.organizationIds.length === 0
            ? []
            : [eb("organization_id", "in", within.organizationIds)]),
          ...(within.teamIds.length === 0 ? [] : [eb("team_id", "in", within.teamIds)]),
        ]),
      );
    return query;
  }
}
