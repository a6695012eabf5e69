import type { LanguageModelV3CallOptions } from "@ai-sdk/provider";
import type { Provider } from "../../contract/provider.ts";
import { decodeSse } from "../../stream/sse-decoder.ts";
import { apiKey, baseAddress } from "../credentials.ts";
import { partStream } from "../part-stream.ts";
import { jsonAnswer, postJson, streamAnswer } from "../post-json.ts";
import { providerError } from "../provider-error.ts";
import { fromMessagesResponse } from "./from-response.ts";
import { fromMessagesStream } from "./from-stream.ts";
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
    const send = (options: LanguageModelV3CallOptions, settings: { stream?: true }): Promise<Response> => {
      const body = { ...toMessagesRequest(options, model), ...settings };
      const request = {
        address: address(deployment, { method: "POST", path: "/messages" }),
        body,
        headers: options.headers,
        signal: options.abortSignal,
      };
      return postJson(fetch, request, toError);
    };
    return {
      specificationVersion: "v3",
      provider: "anthropic",
      modelId: model,
      supportedUrls: fetchedUrls,
      async doGenerate(options) {
        return fromMessagesResponse(await jsonAnswer(await send(options, {})));
      },
      async doStream(options) {
        const response = await send(options, { stream: true });
        return { stream: partStream(fromMessagesStream(decodeSse(streamAnswer(response)), toError)) };
      },
    };
  },
  toError: providerError,
};
