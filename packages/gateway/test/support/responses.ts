/** One model of each kind: natively kept, and emulated on three providers. */
export const responsesModels = ["gpt-4o", "claude", "gemini-2.5-flash", "llama-3"] as const;

/** A configuration with `responsesModels` at a simulator. */
export function responsesConfig(url: string): string {
  return `model_list:
  - model_name: gpt-4o
    litellm_params: {model: openai/gpt-4o, api_base: "${url}/openai/v1", api_key: simulated}
  - model_name: claude
    litellm_params: {model: anthropic/claude-sonnet-4-5, api_base: "${url}/anthropic", api_key: simulated}
  - model_name: gemini-2.5-flash
    litellm_params: {model: gemini/gemini-2.5-flash, api_base: "${url}/google", api_key: simulated}
  - model_name: llama-3
    litellm_params: {model: hosted_vllm/llama-3, api_base: "${url}/compat/v1", api_key: simulated}
router_settings: {num_retries: 0, disable_cooldowns: true}
`;
}

/** One server-sent event. */
export interface ReadEvent {
  readonly event: string | undefined;
  readonly data: Record<string, unknown>;
}

/** The events of a stream's text. */
export function readEvents(text: string): ReadEvent[] {
  return text
    .split("\n\n")
    .filter((frame) => frame.trim() !== "")
    .map((frame) => ({
      event: /^event: (.*)$/m.exec(frame)?.[1],
      data: JSON.parse(/^data: (.*)$/m.exec(frame)?.[1] ?? "{}") as Record<string, unknown>,
    }));
}
