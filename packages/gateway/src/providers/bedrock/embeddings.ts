import type { EmbeddingModelV3, EmbeddingModelV3CallOptions } from "@ai-sdk/provider";
import { GatewayError, invalidRequest } from "../../contract/errors.ts";
import { defined, isJsonObject, type JsonObject } from "../../contract/json.ts";
import { type EmbeddingOptions, readEmbeddingOptions } from "../../formats/provider-options.ts";
import { count } from "../../formats/usage.ts";

/** Sends an InvokeModel body; rejects with the provider's error. */
type Invoke = (body: JsonObject, options: EmbeddingModelV3CallOptions) => Promise<JsonObject>;

/** How a maker's embedding models are asked through InvokeModel, and what they answer. */
interface EmbeddingFormat {
  readonly mostTexts: number;
  readonly write: (texts: readonly string[], options: EmbeddingOptions) => JsonObject;
  readonly read: (answer: JsonObject) => unknown;
  readonly tokens: (answer: JsonObject) => number | undefined;
}

/** Cohere's words for what a vector is for. */
const inputTypes: ReadonlyMap<string, string> = new Map([
  ["RETRIEVAL_QUERY", "search_query"],
  ["CLASSIFICATION", "classification"],
  ["CLUSTERING", "clustering"],
]);

/** Source: Bedrock user guide, Amazon Titan Embeddings Text. */
const titan: EmbeddingFormat = {
  mostTexts: 1,
  write: ([inputText], { dimensions }) => ({ inputText, ...defined({ dimensions }) }),
  read: ({ embedding }) => [embedding],
  tokens: ({ inputTextTokenCount: tokens }) => (tokens === undefined ? undefined : count(tokens)),
};

/** Source: Bedrock user guide, Cohere Embed. */
const cohere: EmbeddingFormat = {
  mostTexts: 96,
  write: (texts, { dimensions, taskType }) => ({
    texts,
    input_type: inputTypes.get(taskType ?? "") ?? "search_document",
    ...defined({ output_dimension: dimensions }),
  }),
  read: ({ embeddings }) => (isJsonObject(embeddings) ? embeddings.float : embeddings),
  tokens: () => undefined,
};

/**
 * An embedding model of Bedrock's.
 * @throws GatewayError 400 for models of makers whose format is not known here
 */
export function bedrockEmbeddings(model: string, invoke: Invoke): EmbeddingModelV3 {
  const format = formatOf(model);
  return {
    specificationVersion: "v3",
    provider: "bedrock",
    modelId: model,
    maxEmbeddingsPerCall: format.mostTexts,
    supportsParallelCalls: true,
    async doEmbed(options) {
      const answer = await invoke(format.write(options.values, readEmbeddingOptions(options)), options);
      const embeddings = format.read(answer);
      const tokens = format.tokens(answer);
      if (!Array.isArray(embeddings) || !embeddings.every(Array.isArray))
        throw new GatewayError(502, "api_error", "The provider's answer has no vectors");
      return {
        embeddings: embeddings as number[][],
        warnings: [],
        ...(tokens === undefined ? {} : { usage: { tokens } }),
      };
    },
  };
}

function formatOf(model: string): EmbeddingFormat {
  if (/(?:^|\.)amazon\.titan-embed-text/.test(model)) return titan;
  if (/(?:^|\.)cohere\.embed/.test(model)) return cohere;
  throw invalidRequest(
    "model: of Bedrock's embedding models Amazon's Titan and Cohere's are known here",
    "model",
  );
}
