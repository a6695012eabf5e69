import { answers, type GroupDescription, json } from "../../contract/operation.ts";
import { amount, either, list, object, text, whole, word } from "../../contract/schema.ts";
import { embeddingFields } from "../../formats/embeddings/fields.ts";

/** Embeddings, as OpenAI's API reference has them. */
export const embeddingDescription: GroupDescription = {
  tag: "Embeddings",
  about: "Vectors of texts.",
  operations: [
    {
      method: "POST",
      path: "/v1/embeddings",
      id: "createEmbedding",
      summary: "Embed texts",
      request: json(object(embeddingFields)),
      answer: {
        ...answers(
          "The vectors, in the order of the input.",
          object({
            "object!": word(["list"]),
            "data!": list(object({ index: whole(), embedding: either(list(amount()), text()) })),
            model: text(),
            usage: object({ prompt_tokens: whole(), total_tokens: whole() }),
          }),
        ),
        isModelCall: true,
      },
    },
  ],
};
