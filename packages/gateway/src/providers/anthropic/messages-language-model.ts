import type { LanguageModelV3, LanguageModelV3CallOptions } from "@ai-sdk/provider";
import type { JsonObject } from "../../contract/json.ts";
import type { Provider } from "../../contract/provider.ts";
import { decodeSse } from "../../formats/stream/sse-decoder.ts";
import { partStream } from "../part-stream.ts";
import { jsonAnswer, streamAnswer } from "../post-json.ts";
import { fromMessagesResponse } from "./from-response.ts";
import { fromMessagesStream } from "./from-stream.ts";
import { toMessagesRequest } from "./to-request.ts";

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
      return { stream: partStream(fromMessagesStream(decodeSse(streamAnswer(response)), toError)) };
    },
  };
}
