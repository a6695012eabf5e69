import type { EmbeddingModelV3 } from "@ai-sdk/provider";
import { GatewayError, invalidRequest } from "../../contract/errors.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { Provider, UpstreamFetch } from "../../contract/provider.ts";
import { noUsage } from "../../contract/usage.ts";
import { type EmbeddingRequest, readEmbeddingRequest } from "../../formats/embeddings/read-request.ts";
import { writeEmbeddings } from "../../formats/embeddings/write-answer.ts";
import type { Target } from "../routing/resolve-model.ts";
import type { WholeAnswer } from "./answer.ts";
import type { CallDeps } from "./model-call.ts";
import { addExtraHeaders } from "./native-request.ts";

/** Texts that OpenAI takes in one request; more are refused before anything is paid for. */
const MAX_TEXTS = 2048;

/** Calls of one request that run at the same time, where the provider takes few texts in one. */
const MAX_CALLS_AT_ONCE = 8;

/**
 * Embeds texts at a provider that has no `/embeddings` of OpenAI's kind, in as many calls as it takes.
 * @param body the request for this deployment
 * @returns the answer without upstream headers; its usage is counted here where the provider does not count
 * @throws GatewayError 400 when the provider has no embeddings or the request does not fit
 */
export async function embedTranslated(
  deps: CallDeps,
  provider: Provider,
  target: Target,
  body: JsonObject,
  fetch: UpstreamFetch,
  signal: AbortSignal,
): Promise<Pick<WholeAnswer, "body" | "usage">> {
  const model = provider.embeddingModel?.(target.deployment, target.model, fetch);
  if (model === undefined)
    throw invalidRequest(`The provider ${provider.name} has no embeddings here.`, "model");
  const request = readEmbeddingRequest(body);
  if (request.values.length > MAX_TEXTS)
    throw invalidRequest(`input: expected at most ${MAX_TEXTS} texts`, "input");
  const headers = addExtraHeaders({}, target.deployment.params.extra_headers);
  const { embeddings, tokens } = await embedAll(model, request, headers, signal);
  // The texts alone: what frames the messages of a conversation is not counted here.
  const texts = { model: target.model, system: request.values };
  const usage = { ...noUsage, input: tokens ?? (await deps.countTokens(texts)) };
  const answer = writeEmbeddings(embeddings, target.model, usage.input, request.encodingFormat);
  return { body: answer, usage };
}

/** The vectors of all texts, and their tokens where the provider counted all of them. */
async function embedAll(
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
    const parts = chunksOf(values.slice(from, from + atOnce), most);
    const results = await Promise.all(
      parts.map((part) => model.doEmbed({ values: part, providerOptions, headers, abortSignal })),
    );
    for (const [index, result] of results.entries()) {
      if (result.embeddings.length !== parts[index]!.length)
        throw new GatewayError(502, "api_error", "The provider's answer has not one vector for each text.");
      embeddings.push(...result.embeddings);
      tokens = addTokens(tokens, result.usage?.tokens);
    }
  }
  return { embeddings, tokens };
}

function chunksOf(values: readonly string[], size: number): string[][] {
  const count = Math.ceil(values.length / size);
  return Array.from({ length: count }, (_, index) => values.slice(index * size, (index + 1) * size));
}

function addTokens(sum: number | undefined, more: number | undefined): number | undefined {
  return sum === undefined || more === undefined ? undefined : sum + more;
}
