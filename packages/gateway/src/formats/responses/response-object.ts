import type { LanguageModelV3GenerateResult } from "@ai-sdk/provider";
import type { AnswerContext } from "../../contract/dialect.ts";
import type { GatewayError } from "../../contract/errors.ts";
import { isJsonObject, type JsonObject, objectOf } from "../../contract/json.ts";
import type { Usage } from "../../contract/usage.ts";
import { answerId, endOf } from "../answer-members.ts";
import { withoutTags } from "../metadata.ts";
import { writeResponsesUsage } from "../usage.ts";

/** How far a response is. */
export interface ResponseState {
  readonly status: "in_progress" | "completed" | "incomplete" | "failed";
  readonly output: readonly JsonObject[];
  readonly usage?: Usage | undefined;
  readonly incompleteReason?: string | undefined;
  readonly error?: GatewayError | undefined;
}

/** A response resource: what the request asked for, echoed with its defaults, and how far the answer is. */
export function responseObject(context: AnswerContext, state: ResponseState): JsonObject {
  const { request } = context;
  const { status, output, usage, incompleteReason, error } = state;
  return {
    id: answerId("resp_", context.callId),
    object: "response",
    created_at: context.created,
    status,
    background: request.background ?? false,
    completed_at: status === "completed" ? Math.max(context.created, Math.floor(Date.now() / 1000)) : null,
    error: error === undefined ? null : { code: errorCode(error), message: error.message },
    frequency_penalty: request.frequency_penalty ?? 0,
    incomplete_details: incompleteReason === undefined ? null : { reason: incompleteReason },
    instructions: request.instructions ?? null,
    max_output_tokens: request.max_output_tokens ?? null,
    max_tool_calls: request.max_tool_calls ?? null,
    model: context.model,
    output,
    parallel_tool_calls: request.parallel_tool_calls ?? true,
    presence_penalty: request.presence_penalty ?? 0,
    previous_response_id: request.previous_response_id ?? null,
    prompt_cache_key: request.prompt_cache_key ?? null,
    reasoning: { effort: null, summary: null, ...objectOf(request.reasoning) },
    safety_identifier: request.safety_identifier ?? null,
    service_tier: usage?.serviceTier ?? "default",
    store: request.store ?? true,
    temperature: request.temperature ?? 1,
    text: { format: { type: "text" }, ...objectOf(request.text) },
    tool_choice: request.tool_choice ?? "auto",
    tools: echoTools(request.tools),
    top_logprobs: request.top_logprobs ?? 0,
    top_p: request.top_p ?? 1,
    truncation: request.truncation ?? "disabled",
    usage: usage === undefined ? null : writeResponsesUsage(usage),
    user: request.user ?? null,
    metadata: withoutTags(request.metadata) ?? {},
  };
}

/**
 * `status` and the reason of an answer that ended before its time.
 * @throws GatewayError 502 for an answer that was broken off
 */
export function endState(
  end: Pick<LanguageModelV3GenerateResult, "finishReason" | "usage">,
): Pick<ResponseState, "status" | "incompleteReason"> {
  const reason = endOf(end);
  if (reason === "length") return { status: "incomplete", incompleteReason: "max_output_tokens" };
  if (reason === "content-filter") return { status: "incomplete", incompleteReason: "content_filter" };
  return { status: "completed" };
}

/** OpenAI's code for a failed response; its list is closed. */
export function errorCode(error: GatewayError): string {
  return error.status === 429 ? "rate_limit_exceeded" : "server_error";
}

// A function's `strict` and `parameters` are always present in what OpenAI echoes.
function echoTools(tools: unknown): unknown[] {
  if (!Array.isArray(tools)) return [];
  return tools.map((tool: unknown) =>
    isJsonObject(tool) && tool.type === "function"
      ? { description: null, parameters: null, strict: true, ...tool }
      : tool,
  );
}
