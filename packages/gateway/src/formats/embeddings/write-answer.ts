import type { JsonObject } from "../../contract/json.ts";
import type { EncodingFormat } from "./read-request.ts";

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
