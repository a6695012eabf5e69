import type { Answer } from "../../answers/answer.ts";

/** `usage` of a chat completion. */
export function chatUsage(inputTokens: number, answers: readonly Answer[]) {
  const completion = answers.reduce((sum, answer) => sum + answer.outputTokens, 0);
  const reasoning = answers.reduce((sum, answer) => sum + answer.reasoningTokens, 0);
  return {
    prompt_tokens: inputTokens,
    completion_tokens: completion,
    total_tokens: inputTokens + completion,
    prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: reasoning,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}
