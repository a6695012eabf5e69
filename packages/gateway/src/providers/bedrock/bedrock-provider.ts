import type { LanguageModelV3CallOptions } from "@ai-sdk/provider";
import { GatewayError } from "../../contract/errors.ts";
import type { Provider } from "../../contract/provider.ts";
import { checkModelName } from "../model-name.ts";
import { partStream } from "../part-stream.ts";
import { jsonAnswer, streamAnswer } from "../post-json.ts";
import { providerError } from "../provider-error.ts";
import { awsHeaders } from "./aws-credentials.ts";
import { bedrockModel, converseUrl } from "./bedrock-address.ts";
import { decodeEventStream } from "./event-stream.ts";
import { fromConverse } from "./from-converse.ts";
import { fromConverseStream } from "./from-stream.ts";
import { toConverse } from "./to-converse.ts";

const mostErrorCharacters = 65_536;

/** Amazon Bedrock through its Converse operations, which all of its chat models have. */
export const bedrockProvider: Provider = {
  name: "bedrock",
  native: new Set(),
  resources: new Set(),
  address() {
    throw new GatewayError(404, "not_found_error", "bedrock has no such operation here");
  },
  languageModel(deployment, name, fetch) {
    const model = bedrockModel(deployment, name);
    checkModelName(model.id);
    const send = async (options: LanguageModelV3CallOptions, stream: boolean): Promise<Response> => {
      const url = converseUrl(deployment, model, stream);
      const body = JSON.stringify(toConverse(options, model.id));
      const extra = Object.entries(options.headers ?? {}).filter(
        (entry): entry is [string, string] => entry[1] !== undefined,
      );
      const response = await fetch(url, {
        method: "POST",
        headers: { ...Object.fromEntries(extra), ...(await awsHeaders(deployment, model.region, url, body)) },
        body,
        ...(options.abortSignal === undefined ? {} : { signal: options.abortSignal }),
      });
      if (response.ok) return response;
      const text = (await response.text()).slice(0, mostErrorCharacters);
      throw providerError(response.status, Object.fromEntries(response.headers), text);
    };
    return {
      specificationVersion: "v3",
      provider: "bedrock",
      modelId: name,
      supportedUrls: {},
      async doGenerate(options) {
        return fromConverse(await jsonAnswer(await send(options, false)));
      },
      async doStream(options) {
        const events = decodeEventStream(streamAnswer(await send(options, true)));
        return { stream: partStream(fromConverseStream(events, providerError)) };
      },
    };
  },
  toError: providerError,
};
