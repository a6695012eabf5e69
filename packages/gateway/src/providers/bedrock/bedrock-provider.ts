import type { LanguageModelV3CallOptions } from "@ai-sdk/provider";
import type { Deployment } from "../../contract/deployment.ts";
import { notFound } from "../../contract/errors.ts";
import { defined, type JsonObject } from "../../contract/json.ts";
import type { Provider, UpstreamFetch } from "../../contract/provider.ts";
import { partStream, singly } from "../../formats/neutral-stream.ts";
import { checkModelName } from "../credentials.ts";
import { jsonAnswer, streamAnswer, successOf } from "../model-calls.ts";
import { providerError } from "../provider-error.ts";
import { awsHeaders } from "./aws-credentials.ts";
import { type BedrockModel, bedrockModel, modelUrl } from "./bedrock-address.ts";
import { checkedConverse } from "./converse-grammar.ts";
import { bedrockEmbeddings } from "./embeddings.ts";
import { decodeEventStream } from "./event-stream.ts";
import { fromConverse } from "./from-converse.ts";
import { fromConverseStream } from "./from-stream.ts";
import { bedrockHostedTool } from "./hosted-tool.ts";
import { toConverse } from "./to-converse.ts";

/** Amazon Bedrock through its Converse operations, which all of its chat models have. */
export const bedrockProvider: Provider = {
  name: "bedrock",
  native: new Set(),
  resources: new Set(),
  address() {
    throw notFound("bedrock has no such operation here");
  },
  languageModel(deployment, name, fetch) {
    const model = bedrockModel(deployment, name);
    checkModelName(model.id);
    const send = (options: LanguageModelV3CallOptions, operation: "converse" | "converse-stream") =>
      post(fetch, deployment, model, operation, toConverse(options, model.id), options);
    return {
      specificationVersion: "v3",
      provider: "bedrock",
      modelId: name,
      supportedUrls: {},
      async doGenerate(options) {
        return fromConverse(await jsonAnswer(await send(options, "converse")));
      },
      async doStream(options) {
        const events = decodeEventStream(streamAnswer(await send(options, "converse-stream")));
        return { stream: partStream(singly(fromConverseStream(checkedConverse(events), providerError))) };
      },
    };
  },
  embeddingModel(deployment, name, fetch) {
    const model = bedrockModel(deployment, name);
    checkModelName(model.id);
    return bedrockEmbeddings(model.id, async (body, options) =>
      jsonAnswer(await post(fetch, deployment, model, "invoke", body, options)),
    );
  },
  hostedTool: bedrockHostedTool,
  toError: providerError,
};

/** The body is signed, so exactly these bytes must arrive. */
async function post(
  fetch: UpstreamFetch,
  deployment: Deployment,
  model: BedrockModel,
  operation: Parameters<typeof modelUrl>[2],
  body: JsonObject,
  { headers: own, abortSignal: signal }: Pick<LanguageModelV3CallOptions, "headers" | "abortSignal">,
): Promise<Response> {
  const url = modelUrl(deployment, model, operation);
  const text = JSON.stringify(body);
  const call = { region: model.region, fetch, signal };
  const headers = { ...defined(own ?? {}), ...(await awsHeaders(deployment, url, text, call)) };
  const response = await fetch(url, {
    method: "POST",
    headers,
    body: text,
    ...(signal === undefined ? {} : { signal }),
  });
  return successOf(response, providerError);
}
