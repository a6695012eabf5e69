import { randomUUID } from "node:crypto";
import {
  APICallError,
  type LanguageModelV3,
  type LanguageModelV3Content,
  type LanguageModelV3StreamPart,
  type LanguageModelV3Usage,
  type SharedV3Headers,
  type SharedV3ProviderMetadata,
} from "@ai-sdk/provider";
import { GatewayError } from "../../contract/errors.ts";
import { objectOf } from "../../contract/json.ts";
import { readGeminiFinishReason } from "../../formats/answer-members.ts";
import { readPage, type SearchCall, type SearchResult, searchParts } from "../../formats/tools/web-search.ts";
import { checkModelName } from "../credentials.ts";
import { providerError } from "../provider-error.ts";
import { geminiOptions } from "./gemini-options.ts";
import { OneBlock } from "./one-block.ts";

type SourcePart = Extract<LanguageModelV3Content, { type: "source" }>;

/**
 * A Gemini model of the AI SDK's library as the gateway's neutral model: with the library's options, complete streams
 * and our errors.
 * @param load the library's model; asked for at the first call
 */
export function geminiLanguageModel(
  provider: string,
  model: string,
  supportedUrls: Record<string, RegExp[]>,
  load: () => Promise<LanguageModelV3>,
): LanguageModelV3 {
  checkModelName(model);
  let loaded: Promise<LanguageModelV3> | undefined;
  const library = (): Promise<LanguageModelV3> => {
    loaded ??= load();
    return loaded;
  };
  return {
    specificationVersion: "v3",
    provider,
    modelId: model,
    supportedUrls,
    doGenerate: (options) =>
      translatingErrors(async () => {
        const result = await (await library()).doGenerate(geminiOptions(options, model, provider));
        const content = [...searchesOf(result.providerMetadata, result.content), ...result.content];
        const finishReason = readGeminiFinishReason(result.finishReason);
        return { ...result, content, finishReason, usage: withTier(result.usage, result.response?.headers) };
      }),
    doStream: (options) =>
      translatingErrors(async () => {
        const result = await (await library()).doStream(geminiOptions(options, model, provider));
        return { ...result, stream: result.stream.pipeThrough(completeStreams(result.response?.headers)) };
      }),
  };
}

/** Awaits a call of the library, whose errors become ours. */
export async function translatingErrors<T>(call: () => PromiseLike<T>): Promise<T> {
  try {
    return await call();
  } catch (failure) {
    throw toGatewayError(failure);
  }
}

function toGatewayError(failure: unknown): unknown {
  if (!APICallError.isInstance(failure)) return failure;
  if (failure.cause instanceof GatewayError) return failure.cause;
  const { statusCode, responseHeaders, responseBody } = failure;
  return providerError(statusCode ?? 502, responseHeaders ?? {}, responseBody ?? "");
}

/**
 * The library ends every stream with `finish`, also one that was cut. Gemini's last chunk has a reason; without one
 * the answer is not complete, and its `finish` must not reach the caller. Errors become ours.
 */
function completeStreams(
  headers: SharedV3Headers | undefined,
): TransformStream<LanguageModelV3StreamPart, LanguageModelV3StreamPart> {
  const blocks = new OneBlock();
  const sources: SourcePart[] = [];
  let told = 0;
  return new TransformStream({
    transform(part, controller) {
      // The library tells of sources before the last piece of their text.
      if (part.type === "source") {
        sources.push(part);
        return;
      }
      if (part.type === "text-end" || part.type === "finish") {
        for (const source of sources.slice(told)) controller.enqueue(source);
        told = sources.length;
      }
      if (part.type === "error") controller.enqueue({ type: "error", error: toGatewayError(part.error) });
      else if (part.type !== "finish") for (const own of blocks.parts(part)) controller.enqueue(own);
      else if (part.finishReason.raw !== undefined) {
        for (const found of searchesOf(part.providerMetadata, sources)) controller.enqueue(found);
        const finishReason = readGeminiFinishReason(part.finishReason);
        controller.enqueue({ ...part, finishReason, usage: withTier(part.usage, headers) });
      }
    },
  });
}

/** The searches behind an answer, which Gemini reports without saying which of them found what. */
function searchesOf(
  metadata: SharedV3ProviderMetadata | undefined,
  content: readonly LanguageModelV3Content[],
): (SearchCall | SearchResult)[] {
  const grounding = Object.values(metadata ?? {}).map(({ groundingMetadata }) => objectOf(groundingMetadata));
  const queries = grounding
    .flatMap(({ webSearchQueries }) => (Array.isArray(webSearchQueries) ? webSearchQueries : []))
    .filter((query) => typeof query === "string");
  if (queries.length === 0) return [];
  const pages = content.flatMap((part) => (part.type === "source" ? readPage(part) : []));
  const id = randomUUID().replaceAll("-", "");
  return queries.flatMap((query, index) =>
    searchParts(`srvtoolu_${id}${index}`, query, index === 0 ? pages : []),
  );
}

/** Gemini's API names the tier that served a call in a header; not every answer has it in its usage too. */
function withTier(usage: LanguageModelV3Usage, headers: SharedV3Headers | undefined): LanguageModelV3Usage {
  const serviceTier = headers?.["x-gemini-service-tier"];
  return serviceTier === undefined ? usage : { ...usage, raw: { serviceTier, ...usage.raw } };
}
