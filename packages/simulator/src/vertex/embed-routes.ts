import { readDirectives } from "../answers/directives.ts";
import { embeddingVector } from "../answers/embedding-vector.ts";
import { countTokens } from "../answers/tokens.ts";
import { textOfParts } from "../google/content/parts.ts";
import { invalidArgument, modelNotFound } from "../google/failures.ts";
import type { Exchange } from "../http/exchange.ts";
import { replyTo } from "../http/model-call.ts";
import { json, type Reply } from "../http/reply.ts";
import type { Route } from "../http/route.ts";
import { type JsonObject, numberOf, objectOf, objectsIn, stringOf } from "../util/json.ts";

const MAX_TEXTS = 250;
const MAX_TOKENS = 20_000;

/** Text embedding models: `predict`, and `embedContent` of the newer ones. Patterns are below a publisher's. */
export const embedRoutes: readonly Route[] = [
  { method: "POST", pattern: "/models/{model}:predict", handle: predict },
  { method: "POST", pattern: "/models/{model}:embedContent", handle: embedContent },
];

function predict(exchange: Exchange): Reply {
  const { body, params } = exchange;
  const model = params.model ?? "";
  const isGemini = model === "gemini-embedding-001";
  if (!isGemini && !/^text-(?:multilingual-)?embedding-00\d$/.test(model))
    throw modelNotFound(model, "predict");
  const texts = objectsIn(body.instances).map((instance) => {
    const text = stringOf(instance.content);
    if (text === undefined || text === "") throw invalidArgument("The text content is empty.");
    return text;
  });
  const most = isGemini ? 1 : MAX_TEXTS;
  if (texts.length === 0 || texts.length > most)
    throw invalidArgument(`${texts.length} instance(s) provided, but the limit is ${most}.`);
  const counts = texts.map(countTokens);
  const total = counts.reduce((sum, more) => sum + more, 0);
  if (total > MAX_TOKENS)
    throw invalidArgument(
      `Unable to submit request because the input token count is ${total} but the model supports up to ${MAX_TOKENS}.`,
    );
  const length = vectorLength(objectOf(body.parameters), isGemini ? 3072 : 768);
  const predictions = texts.map((text, index) => ({
    embeddings: {
      values: [...embeddingVector(text, length)],
      statistics: { truncated: false, token_count: counts[index]! },
    },
  }));
  const billableCharacterCount = texts.reduce((sum, text) => sum + text.replace(/\s/g, "").length, 0);
  return replyTo(exchange, {
    directives: readDirectives(texts.at(-1)!),
    stream: false,
    json: () => ({ predictions, metadata: { billableCharacterCount } }),
    events: () => [],
  });
}

function embedContent({ body, params }: Exchange): Reply {
  const model = params.model ?? "";
  if (!/^gemini-embedding-[2-9]/.test(model)) throw modelNotFound(model, "embedContent");
  const text = textOfParts(body.content);
  if (text === "") throw invalidArgument("The text content is empty.");
  const values = [...embeddingVector(text, vectorLength(body, 3072))];
  return json({
    embedding: { values },
    usageMetadata: { promptTokenCount: countTokens(text) },
    truncated: false,
  });
}

function vectorLength({ outputDimensionality }: JsonObject, usual: number): number {
  const length = numberOf(outputDimensionality) ?? usual;
  if (!Number.isInteger(length) || length < 1 || length > usual)
    throw invalidArgument(
      `Unable to submit request because outputDimensionality must be from 1 to ${usual}.`,
    );
  return length;
}
