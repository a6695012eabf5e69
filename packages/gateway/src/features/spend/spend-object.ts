import type { JsonObject } from "../../contract/json.ts";
import { detailsOf, type SpendRow } from "../../core/ledger/spend-tables.ts";

/** A row of the spend log in LiteLLM's words. */
export function spendObject(row: SpendRow): JsonObject {
  return {
    request_id: row.request_id,
    api_key: row.key_hash,
    user: row.user_id,
    team_id: row.team_id,
    organization_id: row.organization_id,
    end_user: row.end_user ?? "",
    session_id: row.session_id,
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
    ...wayObject(row),
  };
}

/** What the call's way tells beside its sums: tries without an answer, tools, the caller's labels. */
function wayObject({ started_at: start, first_ms: first, details }: SpendRow): JsonObject {
  const { tools = [], metadata = {}, tries = [], fallbacks = 0, cache_hit = false } = detailsOf(details);
  return {
    completionStartTime: first == null ? null : new Date(Number(start) + Number(first)).toISOString(),
    cache_hit,
    metadata,
    tools,
    failed_tries: tries.map(({ deployment, took, status }) => ({ model_id: deployment, ms: took, status })),
    fallbacks,
  };
}
