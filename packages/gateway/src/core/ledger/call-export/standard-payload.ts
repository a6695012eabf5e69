import type { JsonObject } from "../../../contract/json.ts";
import { redact } from "../../../platform/log/redact.ts";
import { rowOf } from "../journaled-ledger.ts";
import type { FinishedCall } from "../ledger.ts";
import { detailsOf, type SpendRow } from "../spend-tables.ts";

/** Characters of a text that a caller, an administrator or a provider chose. */
const MAX_TEXT = 256;

/** What a record says beside the call's row in the spend log. */
interface Beside {
  readonly keyAlias?: string | undefined;
  readonly apiBase?: string | undefined;
  readonly isStream?: boolean | undefined;
  /** At the provider. */
  readonly model?: string | undefined;
  readonly failure?: { readonly status: number; readonly type: string } | undefined;
}

/** A finished call as LiteLLM's log services get it. */
export function payloadOfCall(finished: FinishedCall, endedAt: number): JsonObject {
  const { call, principal } = finished;
  const { deployment } = call;
  return payloadOfRow(rowOf(finished, endedAt), {
    keyAlias: principal.keyAlias,
    apiBase: call.apiBase,
    isStream: call.streamed,
    // A wildcard is filled in by what the caller named.
    model: deployment?.model.includes("*") ? undefined : deployment?.model,
    failure: call.failure,
  });
}

/**
 * A row of the spend log in the form of LiteLLM's StandardLoggingPayload, with the fields that the gateway has: whose call
 * it is and what it came to, never what was asked or answered, never a key, no text of an error. Times are seconds.
 * @see https://docs.litellm.ai/docs/proxy/logging_spec
 */
export function payloadOfRow(row: SpendRow, beside: Beside = {}): JsonObject {
  const { keyAlias, apiBase = "", isStream = false, model, failure } = beside;
  const status = row.status === "success" ? "success" : "failure";
  const { cache_hit: isCacheHit = false } = detailsOf(row.details);
  const [startTime, endTime] = [row.started_at / 1000, row.ended_at / 1000];
  const firstMs = row.first_ms ?? row.ended_at - row.started_at;
  const what = failure === undefined ? row.status : `${failure.type} (${failure.status})`;
  return {
    id: shortened(row.request_id),
    trace_id: shortened(row.session_id ?? row.request_id),
    call_type: row.call_type,
    stream: isStream,
    status,
    status_fields: { llm_api_status: status },
    custom_llm_provider: row.provider,
    model: shortened(model ?? row.model),
    model_group: shortened(row.model),
    model_id: row.model_id,
    api_base: redact(apiBase),
    response_cost: row.spend,
    prompt_tokens: row.prompt_tokens,
    completion_tokens: row.completion_tokens,
    total_tokens: row.prompt_tokens + row.completion_tokens,
    startTime,
    endTime,
    // Sums of whole milliseconds: those of seconds may come out behind the end.
    completionStartTime: (row.started_at + firstMs) / 1000,
    response_time: firstMs / 1000,
    cache_hit: isCacheHit,
    request_tags: (JSON.parse(row.tags ?? "[]") as string[]).map(shortened),
    end_user: shortened(row.end_user),
    error_str: status === "success" ? null : what,
    error_information:
      status === "success"
        ? null
        : {
            error_code: failure === undefined ? null : String(failure.status),
            error_class: failure?.type ?? row.status,
            llm_provider: row.provider,
          },
    metadata: {
      user_api_key_hash: row.key_hash,
      user_api_key_alias: shortened(keyAlias),
      user_api_key_user_id: shortened(row.user_id),
      user_api_key_team_id: shortened(row.team_id),
      user_api_key_org_id: shortened(row.organization_id),
      user_api_key_end_user_id: shortened(row.end_user),
      usage_object: {
        prompt_tokens: row.prompt_tokens,
        completion_tokens: row.completion_tokens,
        cache_read_input_tokens: row.cache_read_tokens,
        cache_creation_input_tokens: row.cache_write_tokens,
      },
    },
    messages: null,
    response: null,
    model_parameters: {},
  };
}

/** Somebody may have put a key where a name belongs. */
function shortened(text: string | null | undefined): string | null {
  return text === null || text === undefined ? null : redact(text.slice(0, MAX_TEXT));
}
