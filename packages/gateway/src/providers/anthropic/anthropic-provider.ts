import type { LanguageModelV3, LanguageModelV3CallOptions } from "@ai-sdk/provider";
import type { JsonObject } from "../../contract/json.ts";
import type { Provider } from "../../contract/provider.ts";
import { upstreamPath } from "../../contract/upstream-path.ts";
import { partStream } from "../../formats/neutral-stream.ts";
import { decodeSseChunks } from "../../formats/sse-event.ts";
import { apiKey, baseAddress } from "../credentials.ts";
import { jsonAnswer, postJson, streamAnswer } from "../model-calls.ts";
import { providerError } from "../provider-error.ts";
import { fromMessagesResponse } from "./from-response.ts";
import { fromMessagesStream } from "./from-stream.ts";
import { messagesHostedTool } from "./hosted-tool.ts";
import { toMessagesRequest } from "./to-request.ts";

const base = { names: ["ANTHROPIC_API_BASE", "ANTHROPIC_BASE_URL"], usual: "https://api.anthropic.com" };

/** What Anthropic fetches itself. */
const fetchedUrls = { "image/*": [/^https:/], "application/pdf": [/^https:/] };

/** Anthropic. Its base address is written with and without `/v1`; both are understood. */
export const anthropicProvider: Provider = {
  name: "anthropic",
  native: new Set(["messages"]),
  resources: new Set(["count_tokens", "message_batches", "models"]),
  address(deployment, { path }) {
    const root = baseAddress(deployment, base.names, base.usual).replace(/\/v1(?:\/messages)?$/, "");
    return {
      url: `${root}/v1${path}`,
      headers: {
        "x-api-key": apiKey(deployment, ["ANTHROPIC_API_KEY"]),
        "anthropic-version": "2023-06-01",
      },
    };
  },
  languageModel(deployment, model, fetch) {
    const { address, toError } = anthropicProvider;
    return messagesLanguageModel("anthropic", model, fetchedUrls, toError, (body, { headers, abortSignal }) =>
      postJson(
        fetch,
        {
          address: address(deployment, { method: "POST", path: upstreamPath`/messages` }),
          body,
          headers,
          signal: abortSignal,
        },
        toError,
      ),
    );
  },
  hostedTool: messagesHostedTool,
  toError: providerError,
};

/** Sends a Messages body, with `stream` where the answer is to be one; rejects with the provider's error. */
type SendMessages = (body: JsonObject, options: LanguageModelV3CallOptions) => Promise<Response>;

/** A model behind Anthropic's Messages as the neutral model, wherever it runs. */
export function messagesLanguageModel(
  provider: string,
  model: string,
  supportedUrls: Record<string, RegExp[]>,
  toError: Provider["toError"],
  send: SendMessages,
): LanguageModelV3 {
  return {
    specificationVersion: "v3",
    provider,
    modelId: model,
    supportedUrls,
    async doGenerate(options) {
      return fromMessagesResponse(await jsonAnswer(await send(toMessagesRequest(options, model), options)));
    },
    async doStream(options) {
      const response = await send({ ...toMessagesRequest(options, model), stream: true }, options);
      return { stream: partStream(fromMessagesStream(decodeSseChunks(streamAnswer(response)), toError)) };
    },
  };
}
