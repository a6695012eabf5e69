import type { WireFormat } from "../contract/wire-format.ts";

/** Fields that the reference implementation of each format takes; `drop_params` leaves others out. */
const fields: Readonly<Record<WireFormat, string>> = {
  chat: `model messages stream stream_options temperature top_p n stop max_tokens max_completion_tokens
    presence_penalty frequency_penalty logit_bias logprobs top_logprobs user seed tools tool_choice
    parallel_tool_calls functions function_call response_format reasoning_effort modalities audio prediction
    metadata store service_tier web_search_options verbosity safety_identifier prompt_cache_key
    prompt_cache_retention`,
  messages: `model messages system max_tokens stream temperature top_p top_k stop_sequences metadata tools
    tool_choice thinking service_tier container context_management mcp_servers thread output_config output_format`,
  responses: `model input instructions stream stream_options temperature top_p max_output_tokens max_tool_calls
    tools tool_choice parallel_tool_calls reasoning text truncation user metadata store background include
    previous_response_id conversation prompt prompt_cache_key prompt_cache_retention safety_identifier service_tier
    top_logprobs context_management client_metadata`,
  embeddings: "model input dimensions encoding_format user",
};

const known = new Map(
  Object.entries(fields).map(([format, names]) => [format as WireFormat, new Set(names.split(/\s+/))]),
);

/** Whether a format has a field of this name. */
export function knowsField(format: WireFormat, name: string): boolean {
  return known.get(format)!.has(name);
}

/** The fields of a request body that its format does not know. */
export function unknownFields(body: object, format: WireFormat): string[] {
  return Object.keys(body).filter((name) => !knowsField(format, name));
}
