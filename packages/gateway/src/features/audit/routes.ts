import { check, checkQuery } from "../../contract/check.ts";
import { notFound } from "../../contract/errors.ts";
import type { Reply } from "../../contract/exchange.ts";
import type { JsonObject } from "../../contract/json.ts";
import { momentOf } from "../../contract/moment.ts";
import { name } from "../../core/auth/fields/restriction-fields.ts";
import { type Managed, managementRoutes } from "../../core/auth/management/management.ts";
import { pageFacts, pageOf } from "../../core/auth/management/paging.ts";
import { type AuditFilter, AuditLog, type AuditPlace } from "../../core/auth/records/audit-log.ts";
import type { AuditRow } from "../../core/auth/records/audit-table.ts";
import type { Feature } from "../../core/feature.ts";
import { csvReply, wantsCsv } from "../../core/http/csv-reply.ts";
import type { Core } from "../../core/open-core.ts";
import { csvCell } from "../../util/csv-cell.ts";
import { DAY_MS } from "../../util/day.ts";
import { auditDescription, auditQuery } from "./schema.ts";

/** LiteLLM's `/audit`: every change of what is managed. */
export function openAudit({ keys }: Core): Feature {
  const routes = managementRoutes(keys, "audit", {
    "GET /audit": listAudit,
    "GET /audit/:audit_id": showAudit,
  });
  return { routes, descriptions: [auditDescription] };
}

async function listAudit({ exchange, parts, actor }: Managed): Promise<JsonObject | Reply> {
  const { query, headers } = exchange;
  const asked = checkQuery(auditQuery, query);
  const { scope } = actor;
  const filter: AuditFilter = {
    ...asked,
    start: asked.start_date === undefined ? undefined : momentOf(asked.start_date, "start_date", 0),
    end: asked.end_date === undefined ? undefined : momentOf(asked.end_date, "end_date", DAY_MS),
    within: scope && { organizationIds: scope.organizationIds, teamIds: scope.teamIds },
  };
  const log = new AuditLog(parts.entities.store);
  if (wantsCsv(asked.format, headers)) return csvReply("audit.csv", COLUMNS, csvLines(log, filter));
  const { page, limit, offset } = pageOf({ page: asked.page, size: asked.page_size }, 10);
  const { rows, total } = await log.page(filter, asked.sort_order ?? "desc", offset, limit);
  return { audit_logs: rows.map(auditObject), ...pageFacts(page, limit, total) };
}

async function showAudit({ exchange, parts, actor }: Managed): Promise<JsonObject> {
  const id = check(name(), exchange.params.audit_id, "audit_id");
  const row = await new AuditLog(parts.entities.store).find(id);
  const isSeen =
    row !== undefined && actor.reaches({ organizationIds: [row.organization_id], teamId: row.team_id });
  if (!isSeen) throw notFound(`There is no entry ${id} in the audit log`);
  return auditObject(row);
}

function auditObject(row: AuditRow): JsonObject {
  const { organization_id: _, team_id: __, before_value, updated_values, ...shown } = row;
  const parsed = (text: string | null) => (text === null ? null : (JSON.parse(text) as unknown));
  return {
    ...shown,
    updated_at: new Date(row.updated_at).toISOString(),
    before_value: parsed(before_value),
    updated_values: parsed(updated_values),
  };
}

const COLUMNS = [
  "id",
  "updated_at",
  "changed_by",
  "changed_by_api_key",
  "address",
  "action",
  "table_name",
  "object_id",
  "before_value",
  "updated_values",
] as const satisfies readonly (keyof AuditRow)[];

/** Entries read at a time for an export. */
const AT_ONCE = 500;

async function* csvLines(log: AuditLog, filter: AuditFilter): AsyncGenerator<string> {
  for (let place: AuditPlace | undefined; ; ) {
    const rows = await log.after(filter, place, AT_ONCE);
    if (rows.length === 0) return;
    yield rows.map((row) => `${COLUMNS.map((column) => cellOf(row, column)).join(",")}\r\n`).join("");
    place = rows.at(-1);
  }
}

function cellOf(row: AuditRow, column: (typeof COLUMNS)[number]): string {
  return csvCell(column === "updated_at" ? new Date(row.updated_at).toISOString() : row[column]);
}
