import { checkQuery } from "../../contract/check.ts";
import { forbidden } from "../../contract/errors.ts";
import type { Reply } from "../../contract/exchange.ts";
import { defined, type JsonObject } from "../../contract/json.ts";
import type { ValueOf } from "../../contract/schema.ts";
import { reachesKey } from "../../core/auth/management/key-rights.ts";
import { type Managed, managementRoutes } from "../../core/auth/management/management.ts";
import type { Feature } from "../../core/feature.ts";
import { wantsCsv } from "../../core/http/csv-reply.ts";
import type { SpendFilter } from "../../core/ledger/spend-store.ts";
import type { Core } from "../../core/open-core.ts";
import { hashOf } from "./filters.ts";
import { anyPeriodOf } from "./period.ts";
import { reportRoutes } from "./reports.ts";
import { spendDescription, spendQuery } from "./schema.ts";
import { listSessions } from "./sessions.ts";
import { spendCsv } from "./spend-lines.ts";
import { spendObject } from "./spend-object.ts";
import { visibleParts } from "./visible-rows.ts";

const INITIAL_PAGE = 100;
const MAX_PAGE = 1000;
const MAX_PAGES = 1_000_000;

/**
 * `GET /spend/logs`: one row a request, newest first, and one for each attempt that went on without its request
 * (`left`). Filters: `api_key` (or `key`; a key or its hash), `user` (`user_id`), `team_id`, `model`, `request_id`,
 * `session_id`, `start_date` and `end_date`; pages: `page`, `page_size`; all at once as CSV: `format=csv`. Everybody sees the rows that its reports sum
 * up.
 */
export function openSpend({ keys }: Core): Feature {
  const logs = managementRoutes(keys, "spend_logs", {
    "GET /spend/logs": listSpend,
    "GET /spend/sessions": listSessions,
  });
  return { routes: [...logs, ...reportRoutes(keys)], descriptions: [spendDescription] };
}

async function listSpend(managed: Managed): Promise<JsonObject | Reply> {
  const { exchange, parts } = managed;
  const given = checkQuery(spendQuery, exchange.query);
  const filter = { ...filterOf(given), parts: await visibleParts(managed) };
  await requireVisibleKey(managed, filter.keyHash);
  if (wantsCsv(given.format, exchange.headers)) {
    await parts.ledger.flush();
    return spendCsv(parts.spend, filter);
  }
  const page = Math.min(MAX_PAGES, given.page ?? 1);
  const size = Math.min(MAX_PAGE, given.limit ?? given.page_size ?? INITIAL_PAGE);
  await parts.ledger.flush();
  const rows = await parts.spend.page(filter, (page - 1) * size, size + 1);
  return {
    data: rows.slice(0, size).map(spendObject),
    has_more: rows.length > size,
    page,
    page_size: size,
  };
}

/** @throws GatewayError 403 for a key that its caller may not look at, or that is not there */
async function requireVisibleKey({ parts, actor }: Managed, keyHash: string | undefined): Promise<void> {
  if (keyHash === undefined || actor.reachesAll || keyHash === actor.principal.keyHash) return;
  const row = await parts.keys.find(keyHash);
  if (row === undefined || !(await reachesKey(actor, parts.entities, row)))
    throw forbidden("This api key may not look at the spend of that one");
}

function filterOf(given: ValueOf<typeof spendQuery>): SpendFilter {
  const key = given.api_key ?? given.key;
  const start = given.start_date ?? given.start ?? given.start_time;
  const end = given.end_date ?? given.end ?? given.end_time;
  return defined({
    keyHash: key === undefined ? undefined : hashOf(key),
    userId: given.user ?? given.user_id,
    teamId: given.team ?? given.team_id,
    model: given.model,
    requestId: given.request_id,
    sessionId: given.session_id,
    search: given.search,
    ...anyPeriodOf({ start_date: start, end_date: end }),
  });
}
