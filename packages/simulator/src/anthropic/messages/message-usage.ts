import type { MessageResult } from "./message-result.ts";

/** `usage` of a message. */
export function messageUsage({ input, serviceTier, ...result }: MessageResult, outputTokens: number) {
  return {
    input_tokens: input.fresh,
    cache_creation_input_tokens: input.written,
    cache_read_input_tokens: input.read,
    cache_creation: {
      ephemeral_5m_input_tokens: input.written - input.writtenForAnHour,
      ephemeral_1h_input_tokens: input.writtenForAnHour,
    },
    output_tokens: outputTokens,
    service_tier: serviceTier,
    ...serverToolUse(result),
  };
}

/** What the provider's own tools were used for; nothing without a search. */
export function serverToolUse({ answer }: Pick<MessageResult, "answer">) {
  if (answer.search === undefined) return {};
  return { server_tool_use: { web_search_requests: 1, web_fetch_requests: 0 } };
}
