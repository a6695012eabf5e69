import { setImmediate as nextTurn } from "node:timers/promises";
import type { Reply } from "../../contract/exchange.ts";
import { csvReply } from "../../core/http/csv-reply.ts";
import type { SpendFilter, SpendStore } from "../../core/ledger/spend-store.ts";
import type { SpendRow } from "../../core/ledger/spend-tables.ts";
import { csvCell } from "../../util/csv-cell.ts";
import { spendObject } from "./spend-object.ts";

/** What `/spend/logs` tells of a row, by the same names. */
export const SPEND_COLUMNS = [
  "request_id",
  "api_key",
  "user",
  "team_id",
  "organization_id",
  "end_user",
  "session_id",
  "request_tags",
  "model",
  "model_id",
  "custom_llm_provider",
  "call_type",
  "status",
  "prompt_tokens",
  "completion_tokens",
  "total_tokens",
  "cache_read_input_tokens",
  "cache_creation_input_tokens",
  "spend",
  "startTime",
  "endTime",
] as const;

/** And of the call's way. */
const ALL_COLUMNS = [
  ...SPEND_COLUMNS,
  "completionStartTime",
  "cache_hit",
  "metadata",
  "tools",
  "failed_tries",
  "fallbacks",
] as const;

/** Rows of one export. */
const MOST_EXPORTED = 1_000_000;

/** Rows that are read at a time; SQLite stops the process meanwhile. */
const AT_ONCE = 500;

/** A row as a line of CSV; lists and objects stand in it as JSON. */
export function spendLine(row: SpendRow, columns: readonly string[]): string {
  const shown = spendObject(row);
  const cells = columns.map((name) =>
    csvCell(name === "request_tags" ? row.tags : cellOf(shown[name] ?? null)),
  );
  return `${cells.join(",")}\r\n`;
}

function cellOf(value: unknown): string | number | null {
  if (value === null || typeof value === "string" || typeof value === "number") return value;
  return JSON.stringify(value);
}

/** All rows that a filter leaves, the newest first, as CSV: the first million of them. */
export function spendCsv(spend: SpendStore, filter: SpendFilter, most = MOST_EXPORTED): Reply {
  return csvReply("requests.csv", ALL_COLUMNS, csvLines(spend, filter, most));
}

async function* csvLines(spend: SpendStore, filter: SpendFilter, most: number): AsyncGenerator<string> {
  for await (const rows of spend.each(filter, AT_ONCE, most)) {
    yield rows.map((row) => spendLine(row, ALL_COLUMNS)).join("");
    await nextTurn();
  }
}
