import { type JsonObject, type JsonValue, objectOf, objectsIn } from "../../util/json.ts";
import { finalStatus, type ResponseRecord, type ResponseStatus } from "./response-record.ts";

/** The `response` object as it is in a status. Output and usage appear when it has ended. */
export function responseObject(record: ResponseRecord, status: ResponseStatus): JsonObject {
  const { request } = record;
  const ended = status === finalStatus(record);
  const created = Math.floor(record.createdMs / 1000);
  const took = Math.floor((record.createdMs + record.queuedMs + record.runningMs) / 1000);
  return {
    id: record.id,
    object: "response",
    created_at: created,
    status,
    background: request.background === true,
    completed_at: status === "completed" ? took : null,
    error: status === "failed" ? { code: "server_error", message: "The model failed to answer." } : null,
    frequency_penalty: request.frequency_penalty ?? 0,
    incomplete_details: status === "incomplete" ? { reason: "max_output_tokens" } : null,
    instructions: request.instructions ?? null,
    max_output_tokens: request.max_output_tokens ?? null,
    max_tool_calls: request.max_tool_calls ?? null,
    model: record.model,
    output: ended && status !== "failed" ? [...record.output] : [],
    parallel_tool_calls: request.parallel_tool_calls ?? true,
    presence_penalty: request.presence_penalty ?? 0,
    previous_response_id: request.previous_response_id ?? null,
    prompt_cache_key: request.prompt_cache_key ?? null,
    reasoning: { effort: null, summary: null, ...objectOf(request.reasoning) },
    safety_identifier: request.safety_identifier ?? null,
    service_tier: record.serviceTier,
    store: request.store !== false,
    temperature: request.temperature ?? 1,
    text: { format: { type: "text" }, verbosity: "medium", ...objectOf(request.text) },
    tool_choice: request.tool_choice ?? "auto",
    tools: objectsIn(request.tools).map(shownTool),
    top_logprobs: request.top_logprobs ?? 0,
    top_p: request.top_p ?? 1,
    truncation: request.truncation ?? "disabled",
    usage: ended ? usage(record) : null,
    user: request.user ?? null,
    metadata: request.metadata ?? {},
    ...(record.conversationId === undefined ? {} : { conversation: { id: record.conversationId } }),
  };
}

function shownTool(tool: JsonObject): JsonValue {
  return tool.type === "function" ? { description: null, strict: true, ...tool } : tool;
}

function usage({ answer }: ResponseRecord): JsonObject {
  return {
    input_tokens: answer.inputTokens,
    input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
    output_tokens: answer.outputTokens,
    output_tokens_details: { reasoning_tokens: answer.reasoningTokens },
    total_tokens: answer.inputTokens + answer.outputTokens,
  };
}
