import type { EmbeddingModelV3, EmbeddingModelV3CallOptions } from "@ai-sdk/provider";
import { GatewayError } from "../../contract/errors.ts";
import { defined, type JsonObject, objectOf } from "../../contract/json.ts";
import { readEmbeddingOptions } from "../../formats/provider-options.ts";
import { count } from "../../formats/usage.ts";

/** Texts in one `predict` of the older models; Gemini's take one. */
const MAX_TEXTS = 250;
/** A `predict` takes 20,000 tokens; a text has hardly more tokens than half its bytes. */
const MAX_BYTES = 40_000;

/** Sends a request to one of the model's operations; rejects with the provider's error. */
type Send = (
  operation: "predict" | "embedContent",
  body: JsonObject,
  options: EmbeddingModelV3CallOptions,
) => Promise<JsonObject>;

/** A text's vector, and its tokens where they were counted. */
interface Embedded {
  readonly vector: unknown;
  readonly tokens: number | undefined;
}

/**
 * A text embedding model of Vertex AI's (reference: Text embeddings API; `predict`, and `embedContent` from
 * gemini-embedding-2 on).
 */
export function vertexEmbeddings(model: string, send: Send): EmbeddingModelV3 {
  const isGemini = model.startsWith("gemini-embedding");
  const embed = isGemini && model !== "gemini-embedding-001" ? embedContent : predict;
  return {
    specificationVersion: "v3",
    provider: "vertex_ai",
    modelId: model,
    maxEmbeddingsPerCall: isGemini ? 1 : MAX_TEXTS,
    supportsParallelCalls: true,
    async doEmbed(options) {
      const parts = await Promise.all(
        groups(options.values).map((texts) => embed(send, { ...options, values: texts })),
      );
      const embedded = parts.flat();
      const vectors = embedded.map(({ vector }) => vector);
      if (!vectors.every(Array.isArray))
        throw new GatewayError(502, "api_error", "The provider's answer has no vectors");
      const tokens = embedded.map((one) => one.tokens);
      const isCounted = tokens.every((number) => number !== undefined);
      return {
        embeddings: vectors as number[][],
        warnings: [],
        ...(isCounted ? { usage: { tokens: tokens.reduce((sum, more) => sum + more, 0) } } : {}),
      };
    },
  };
}

/** The texts in their order, in groups that one `predict` takes. */
function groups(texts: readonly string[]): string[][] {
  const all: string[][] = [];
  let room = 0;
  for (const text of texts) {
    const bytes = Buffer.byteLength(text);
    if (all.length === 0 || bytes > room) {
      all.push([]);
      room = MAX_BYTES;
    }
    all.at(-1)!.push(text);
    room -= bytes;
  }
  return all;
}

async function predict(send: Send, options: EmbeddingModelV3CallOptions): Promise<Embedded[]> {
  const { dimensions, taskType, title, autoTruncate } = readEmbeddingOptions(options);
  const instances = options.values.map((content) => ({
    content,
    ...defined({ task_type: taskType, title }),
  }));
  const parameters = defined({ outputDimensionality: dimensions, autoTruncate });
  const { predictions } = await send("predict", { instances, parameters }, options);
  if (!Array.isArray(predictions))
    throw new GatewayError(502, "api_error", "The provider's answer has no predictions");
  return predictions.map((prediction: unknown) => {
    const { values, statistics } = objectOf(objectOf(prediction).embeddings);
    const { token_count: tokens } = objectOf(statistics);
    return { vector: values, tokens: tokens === undefined ? undefined : count(tokens) };
  });
}

async function embedContent(send: Send, options: EmbeddingModelV3CallOptions): Promise<Embedded[]> {
  const { dimensions, taskType, title, autoTruncate } = readEmbeddingOptions(options);
  const settings = defined({ taskType, title, outputDimensionality: dimensions, autoTruncate });
  return Promise.all(
    options.values.map(async (text) => {
      const body = { content: { role: "user", parts: [{ text }] }, ...settings };
      const answer = await send("embedContent", body, options);
      const { promptTokenCount: tokens } = objectOf(answer.usageMetadata);
      const { values } = objectOf(answer.embedding);
      return { vector: values, tokens: tokens === undefined ? undefined : count(tokens) };
    }),
  );
}
