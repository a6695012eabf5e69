import { checkQuery } from "../../contract/check.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { Managed } from "../../core/auth/management/management.ts";
import { detailsOf, type SpendRow } from "../../core/ledger/spend-tables.ts";
import { anyPeriodOf } from "./period.ts";
import { sessionsQuery } from "./schema.ts";
import { visibleParts } from "./visible-rows.ts";

/** Requests that are looked at: the newest ones that name a session. */
const REQUESTS = 1000;

/**
 * `GET /spend/sessions`: sessions of agents among the newest requests that the caller may see, those that went on last
 * first. A session that is older than these requests has more in the log than is told here (`/spend/logs?session_id=`).
 */
export async function listSessions(managed: Managed): Promise<JsonObject> {
  const { exchange, parts } = managed;
  const given = checkQuery(sessionsQuery, exchange.query);
  await parts.ledger.flush();
  const filter = { ...anyPeriodOf(given), hasSession: true, parts: await visibleParts(managed) };
  const rows = await parts.spend.page(filter, 0, REQUESTS + 1);
  const sessions = Map.groupBy(rows.slice(0, REQUESTS), sessionOf);
  return {
    data: [...sessions.values()].map(sessionObject).sort((one, other) => latest(other) - latest(one)),
    has_more: rows.length > REQUESTS,
  };
}

/** Sessions of other keys may have the same name. */
function sessionOf({ key_hash: key, session_id: session }: SpendRow): string {
  return `${key} ${session}`;
}

function latest({ endTime }: JsonObject): number {
  return Date.parse(String(endTime));
}

function sessionObject(rows: readonly SpendRow[]): JsonObject {
  const [newest] = rows as [SpendRow, ...SpendRow[]];
  const sum = (figure: (row: SpendRow) => number): number => rows.reduce((all, row) => all + figure(row), 0);
  const turns = rows.filter(({ status }) => status !== "left");
  return {
    session_id: newest.session_id,
    api_key: newest.key_hash,
    user: newest.user_id,
    team_id: newest.team_id,
    models: [...new Set(rows.map(({ model }) => model ?? ""))],
    requests: turns.length,
    failures: turns.filter(({ status }) => status !== "success").length,
    prompt_tokens: sum((row) => row.prompt_tokens),
    completion_tokens: sum((row) => row.completion_tokens),
    cache_read_input_tokens: sum((row) => row.cache_read_tokens),
    tools: toolsOf(rows),
    spend: sum((row) => row.spend),
    startTime: new Date(Math.min(...rows.map(({ started_at }) => started_at))).toISOString(),
    endTime: new Date(Math.max(...rows.map(({ ended_at }) => ended_at))).toISOString(),
  };
}

/** Tools of a session that are told. */
const TOOLS = 50;

function toolsOf(rows: readonly SpendRow[]): JsonObject[] {
  const names = rows.flatMap(({ details }) => detailsOf(details).tools ?? []);
  const tools = [...Map.groupBy(names, (name) => name)].map(([name, { length }]) => ({
    name,
    calls: length,
  }));
  return tools.sort((one, other) => other.calls - one.calls).slice(0, TOOLS);
}
