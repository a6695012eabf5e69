import { checkQuery } from "../../contract/check.ts";
import { GatewayError, invalidRequest } from "../../contract/errors.ts";
import type { Exchange, Reply, Route } from "../../contract/exchange.ts";
import { defined, type JsonObject } from "../../contract/json.ts";
import type { Principal } from "../../contract/principal.ts";
import type { ValueOf } from "../../contract/schema.ts";
import type { KeyManagement } from "../../core/auth/key-management.ts";
import { seesEverything } from "../../core/auth/permissions.ts";
import type { Feature } from "../../core/feature.ts";
import type { SpendFilter } from "../../core/ledger/spend-store.ts";
import type { SpendRow } from "../../core/ledger/spend-tables.ts";
import type { Core } from "../../core/open-core.ts";
import { hashOf } from "./filters.ts";
import { reportRoutes } from "./reports.ts";
import { spendDescription, spendQuery } from "./schema.ts";

const INITIAL_PAGE = 100;
const MAX_PAGE = 1000;
const MAX_PAGES = 1_000_000;
const DAY = 86_400_000;

/**
 * `GET /spend/logs`: one row a request, newest first, and one for each attempt that went on without its request (`left`). Filters: `api_key` (or `key`; a key or its hash), `user`
 * (`user_id`), `team_id`, `model`, `request_id`, `start_date` and `end_date`; pages: `page`, `page_size`. Keys that
 * do not administer see their own rows.
 */
export function openSpend({ keys: sources }: Core): Feature {
  const logs: Route = {
    method: "GET",
    path: "/spend/logs",
    access: "key",
    family: "openai",
    callType: "spend_logs",
    handler: (exchange) => listSpend(exchange, sources),
  };
  return { routes: [logs, ...reportRoutes(sources)], descriptions: [spendDescription] };
}

async function listSpend({ principal, query }: Exchange, sources: KeyManagement | undefined): Promise<Reply> {
  if (sources === undefined)
    throw new GatewayError(500, "api_error", "Persistent store not initialised", { retryable: false });
  const given = checkQuery(spendQuery, query);
  const filter = filterOf(given, principal);
  const page = Math.min(MAX_PAGES, given.page ?? 1);
  const size = Math.min(MAX_PAGE, given.limit ?? given.page_size ?? INITIAL_PAGE);
  await sources.ledger.flush();
  const rows = await sources.spend.page(filter, (page - 1) * size, size + 1);
  return {
    status: 200,
    body: { data: rows.slice(0, size).map(spendObject), has_more: rows.length > size, page, page_size: size },
  };
}

function filterOf(given: ValueOf<typeof spendQuery>, principal: Principal): SpendFilter {
  const key = given.api_key ?? given.key;
  const seesAll = seesEverything(principal);
  const keyHash = key === undefined ? undefined : hashOf(key);
  if (!seesAll && keyHash !== undefined && keyHash !== principal.keyHash)
    throw new GatewayError(403, "permission_error", "A key may only look at its own spend");
  const start = given.start_date ?? given.start ?? given.start_time;
  const end = given.end_date ?? given.end ?? given.end_time;
  return defined({
    keyHash: seesAll ? keyHash : principal.keyHash,
    userId: given.user ?? given.user_id,
    teamId: given.team ?? given.team_id,
    model: given.model,
    requestId: given.request_id,
    start: start === undefined ? undefined : moment(start, "start_date"),
    end: end === undefined ? undefined : endMoment(end),
  });
}

function moment(text: string, name: string): number {
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw invalidRequest(`${name}: expected a date such as 2027-01-31`, name);
  return time;
}

/** A date without a time means the whole day. */
function endMoment(text: string): number {
  const time = moment(text, "end_date");
  return /^\d{4}-\d{2}-\d{2}$/.test(text) ? time + DAY : time;
}

/** A row of the spend log in LiteLLM's words. */
function spendObject(row: SpendRow): JsonObject {
  return {
    request_id: row.request_id,
    api_key: row.key_hash,
    user: row.user_id,
    team_id: row.team_id,
    organization_id: row.organization_id,
    end_user: row.end_user ?? "",
    request_tags: row.tags === null ? [] : JSON.parse(row.tags),
    model: row.model,
    model_id: row.model_id,
    custom_llm_provider: row.provider,
    call_type: row.call_type,
    status: row.status,
    prompt_tokens: row.prompt_tokens,
    completion_tokens: row.completion_tokens,
    total_tokens: row.prompt_tokens + row.completion_tokens,
    cache_read_input_tokens: row.cache_read_tokens,
    cache_creation_input_tokens: row.cache_write_tokens,
    spend: row.spend,
    startTime: new Date(row.started_at).toISOString(),
    endTime: new Date(row.ended_at).toISOString(),
  };
}
