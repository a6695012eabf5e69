import type { Deployment } from "../../contract/deployment.ts";
import type { Provider } from "../../contract/provider.ts";

/** What differs between hosts that speak chat completions. */
export interface ChatHost {
  readonly provider: Pick<Provider, "address" | "authorize" | "name" | "toError">;
  /** Takes `max_completion_tokens`, `reasoning_effort` and their rules (OpenAI's and Azure's reasoning models). */
  readonly hasOpenaiReasoning: boolean;
  /** Wants earlier reasoning back as `reasoning_content`. */
  readonly sendsReasoning: boolean;
  /** Takes `stream_options.include_usage`. */
  readonly countsStreams: boolean;
  /** Fetches the pictures that a request names by address. */
  readonly fetchesImages: boolean;
}

/** OpenAI's own models, at OpenAI and on Azure. */
export const openaiModels: Omit<ChatHost, "provider"> = {
  hasOpenaiReasoning: true,
  sendsReasoning: false,
  countsStreams: true,
  fetchesImages: true,
};

const reasoningModel = /^(?:o\d|gpt-[5-9]|codex)/;

/**
 * Whether a model of OpenAI's reasons before it answers; these refuse sampling parameters and `max_tokens`.
 * On Azure, where names are free, `model_info.base_model` tells.
 */
export function isReasoningModel(model: string, deployment: Deployment): boolean {
  const { base_model: base } = deployment.info;
  const name = typeof base === "string" ? base : model;
  const plain = name.slice(name.lastIndexOf("/") + 1);
  return reasoningModel.test(plain) && !plain.includes("-chat");
}
