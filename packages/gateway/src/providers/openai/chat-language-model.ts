import type { LanguageModelV3, LanguageModelV3CallOptions } from "@ai-sdk/provider";
import type { Deployment } from "../../contract/deployment.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { Provider, UpstreamFetch } from "../../contract/provider.ts";
import { upstreamPath } from "../../contract/upstream-path.ts";
import { partStream } from "../../formats/neutral-stream.ts";
import { decodeSseChunks } from "../../formats/sse-event.ts";
import { jsonAnswer, postJson, streamAnswer } from "../model-calls.ts";
import { fromChatResponse } from "./from-response.ts";
import { fromChatStream } from "./from-stream.ts";
import { toChatRequest } from "./to-request.ts";

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

const PATH = upstreamPath`/chat/completions`;

const reasoningModel = /^(?:o\d|gpt-[5-9]|codex)/;

/**
 * Whether a model of OpenAI's reasons before it answers; these refuse sampling parameters and `max_tokens`.
 * On Azure, where names are free, `model_info.base_model` tells.
 */
function isReasoningModel(model: string, deployment: Deployment): boolean {
  const { base_model: base } = deployment.info;
  const name = typeof base === "string" ? base : model;
  const plain = name.slice(name.lastIndexOf("/") + 1);
  return reasoningModel.test(plain) && !plain.includes("-chat");
}

/** A model behind chat completions as the neutral model. */
export function chatLanguageModel(
  host: ChatHost,
  deployment: Deployment,
  model: string,
  fetch: UpstreamFetch,
): LanguageModelV3 {
  const { provider } = host;
  const reasons = host.hasOpenaiReasoning && isReasoningModel(model, deployment);
  const send = async (options: LanguageModelV3CallOptions, settings: JsonObject): Promise<Response> => {
    const { url, headers } = provider.address(deployment, {
      method: "POST",
      path: PATH,
      model,
    });
    const body = { ...toChatRequest(options, model, host, reasons), ...settings };
    const fetched = await provider.authorize?.(deployment, fetch, options.abortSignal);
    const address = { url, headers: { ...headers, ...fetched } };
    const request = { address, body, headers: options.headers, signal: options.abortSignal };
    return postJson(fetch, request, provider.toError);
  };
  return {
    specificationVersion: "v3",
    provider: provider.name,
    modelId: model,
    supportedUrls: host.fetchesImages ? { "image/*": [/^https?:/] } : {},
    async doGenerate(options) {
      return fromChatResponse(await jsonAnswer(await send(options, {})));
    },
    async doStream(options) {
      const usage = host.countsStreams ? { stream_options: { include_usage: true } } : {};
      const response = await send(options, { stream: true, ...usage });
      const events = decodeSseChunks(streamAnswer(response));
      return { stream: partStream(fromChatStream(events, provider.toError)) };
    },
  };
}
