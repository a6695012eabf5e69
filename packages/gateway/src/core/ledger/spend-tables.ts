import type { CallNotes } from "../../contract/call-record.ts";

/** One request in the spend log. Times are milliseconds since the epoch, spend is US dollars. */
export interface SpendRow {
  id: string;
  request_id: string;
  key_hash: string;
  user_id: string | null;
  team_id: string | null;
  model: string | null;
  model_id: string | null;
  provider: string | null;
  call_type: string;
  status: string;
  prompt_tokens: number;
  completion_tokens: number;
  cache_read_tokens: number;
  cache_write_tokens: number;
  spend: number;
  started_at: number;
  ended_at: number;
  organization_id: string | null;
  /** The customer whom the request named. */
  end_user: string | null;
  /** Of the request and its key: a list in JSON; `null` where there are none. */
  tags: string | null;
  /** What the request named of the agent's or client's session that it belongs to. */
  session_id: string | null;
  /** Milliseconds until the model's answer began; absent for answers that were no streams. */
  first_ms?: number | null | undefined;
  /** An object in JSON (`CallDetails`); absent where there is nothing to tell. */
  details?: string | null | undefined;
}

/** A deployment that gave no answer, after how many milliseconds and with which HTTP status. */
export interface FailedTry {
  readonly deployment: string;
  readonly took: number;
  readonly status: number;
}

/** What only some calls have to tell. */
export type CallDetails = Partial<CallNotes> & {
  /** Tries that gave no answer. */
  readonly tries?: readonly FailedTry[];
  readonly fallbacks?: number;
  readonly cache_hit?: boolean;
};

/** What `details` of a row says; an empty object where it says nothing. */
export function detailsOf(text: string | null | undefined): CallDetails {
  return text == null ? {} : (JSON.parse(text) as CallDetails);
}

/** The columns of the log in their order. */
export const spendColumns = [
  "id",
  "request_id",
  "key_hash",
  "user_id",
  "team_id",
  "model",
  "model_id",
  "provider",
  "call_type",
  "status",
  "prompt_tokens",
  "completion_tokens",
  "cache_read_tokens",
  "cache_write_tokens",
  "spend",
  "started_at",
  "ended_at",
  "organization_id",
  "end_user",
  "tags",
  "session_id",
  "first_ms",
  "details",
] as const satisfies readonly (keyof SpendRow)[];

/** What a key has spent in all; always the sum of its rows in the log. */
interface KeySpendRow {
  key_hash: string;
  spend: number;
}

/** What a key has spent within one budget window. */
interface BudgetWindowRow {
  key_hash: string;
  /** Milliseconds since the epoch. */
  window_start: number;
  spend: number;
}

/** The tables about spend. */
export interface SpendSchema {
  spend_logs: SpendRow;
  key_spend: KeySpendRow;
  budget_windows: BudgetWindowRow;
}

declare module "../../platform/store/schema.ts" {
  interface Schema extends SpendSchema {}
}
