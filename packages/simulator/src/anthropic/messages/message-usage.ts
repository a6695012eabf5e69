import type { MessageResult } from "./message-result.ts";

/** `usage` of a message. */
export function messageUsage({ input, serviceTier }: MessageResult, outputTokens: number) {
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
  };
}
