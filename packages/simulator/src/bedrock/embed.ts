import { embeddingVector } from "../answers/embedding-vector.ts";
import { countTokens } from "../answers/tokens.ts";
import { ApiFailure } from "../http/api-failure.ts";
import type { Exchange } from "../http/exchange.ts";
import { json, type Reply } from "../http/reply.ts";
import { numberOf, stringOf, stringsIn } from "../util/json.ts";

const DEFAULT_DIMENSIONS = 1024;
const MAX_TEXTS = 96;

/** InvokeModel of Titan's and Cohere's embedding models. */
export function embed({ body, params }: Exchange): Reply {
  const model = params.model ?? "";
  if (model.includes("titan-embed")) {
    const text = stringOf(body.inputText);
    if (text === undefined) throw invalid("required key [inputText] not found");
    const embedding = [...embeddingVector(text, numberOf(body.dimensions) ?? DEFAULT_DIMENSIONS)];
    return json({ embedding, inputTextTokenCount: countTokens(text) });
  }
  if (!model.includes("cohere.embed")) throw invalid("The provided model doesn't support this operation.");
  const texts = stringsIn(body.texts);
  if (texts.length === 0 || texts.length > MAX_TEXTS)
    throw invalid(`texts: from 1 to ${MAX_TEXTS} are allowed`);
  if (body.input_type === undefined) throw invalid("required key [input_type] not found");
  const dimensions = numberOf(body.output_dimension) ?? DEFAULT_DIMENSIONS;
  const embeddings = texts.map((text) => [...embeddingVector(text, dimensions)]);
  return json({ embeddings, texts, response_type: "embeddings_floats" });
}

function invalid(message: string): ApiFailure {
  return new ApiFailure(
    400,
    `Malformed input request: ${message}, please reformat your input and try again.`,
  );
}
