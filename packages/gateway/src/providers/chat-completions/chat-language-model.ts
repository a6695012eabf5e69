import type { LanguageModelV3, LanguageModelV3CallOptions } from "@ai-sdk/provider";
import type { Deployment } from "../../contract/deployment.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { UpstreamFetch } from "../../contract/provider.ts";
import { upstreamPath } from "../../contract/upstream-path.ts";
import { decodeSse } from "../../formats/stream/sse-decoder.ts";
import { partStream } from "../part-stream.ts";
import { jsonAnswer, postJson, streamAnswer } from "../post-json.ts";
import { type ChatHost, isReasoningModel } from "./chat-host.ts";
import { fromChatResponse } from "./from-response.ts";
import { fromChatStream } from "./from-stream.ts";
import { toChatRequest } from "./to-request.ts";

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
      path: upstreamPath`/chat/completions`,
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
      return { stream: partStream(fromChatStream(decodeSse(streamAnswer(response)), provider.toError)) };
    },
  };
}
