import type { EmbeddingModelV3 } from "@ai-sdk/provider";
import { GatewayError } from "../../contract/errors.ts";
import type { JsonObject } from "../../contract/json.ts";
import { piecesOf } from "../../util/pieces.ts";
import type { EmbeddingRequest, EncodingFormat } from "./read-request.ts";

/** Calls of one request that run at the same time, where the provider takes few texts in one. */
const MAX_CALLS_AT_ONCE = 8;

/**
 * The vectors of all texts, in as many calls as the provider needs, and their tokens where it counted all of them.
 * @throws GatewayError 502 for an answer without one vector for each text
 */
export async function embedAll(
  model: EmbeddingModelV3,
  { values, providerOptions }: EmbeddingRequest,
  headers: Record<string, string>,
  abortSignal: AbortSignal,
): Promise<{ embeddings: number[][]; tokens: number | undefined }> {
  const most = (await model.maxEmbeddingsPerCall) ?? values.length;
  const atOnce = most * ((await model.supportsParallelCalls) ? MAX_CALLS_AT_ONCE : 1);
  const embeddings: number[][] = [];
  let tokens: number | undefined = 0;
  for (let from = 0; from < values.length; from += atOnce) {
    const parts = [...piecesOf(values.slice(from, from + atOnce), most)];
    const results = await Promise.all(
      parts.map((part) => model.doEmbed({ values: [...part], providerOptions, headers, abortSignal })),
    );
    for (const [index, result] of results.entries()) {
      if (result.embeddings.length !== parts[index]!.length)
        throw new GatewayError(502, "api_error", "The provider's answer has not one vector for each text.");
      embeddings.push(...result.embeddings);
      const counted = result.usage?.tokens;
      tokens = tokens === undefined || counted === undefined ? undefined : tokens + counted;
    }
  }
  return { embeddings, tokens };
}

/**
 * Vectors as OpenAI writes them.
 * @param embeddings one for each text of the request, in its order
 * @param inputTokens tokens of all texts
 */
export function writeEmbeddings(
  embeddings: readonly (readonly number[])[],
  model: string,
  inputTokens: number,
  format: EncodingFormat,
): JsonObject {
  return {
    object: "list",
    data: embeddings.map((vector, index) => ({
      object: "embedding",
      index,
      embedding: format === "base64" ? toBase64(vector) : vector,
    })),
    model,
    usage: { prompt_tokens: inputTokens, total_tokens: inputTokens },
  };
}

/** 32-bit floats, little endian, as OpenAI's clients ask for them. */
function toBase64(vector: readonly number[]): string {
  const bytes = Buffer.alloc(vector.length * 4);
  for (const [index, value] of vector.entries()) bytes.writeFloatLE(value, index * 4);
  return bytes.toString("base64");
}
