import type { GoogleGenerativeAIProvider } from "@ai-sdk/google";
import {
  APICallError,
  type EmbeddingModelV3,
  type LanguageModelV3,
  type LanguageModelV3StreamPart,
} from "@ai-sdk/provider";
import type { Deployment } from "../../contract/deployment.ts";
import { GatewayError, invalidRequest } from "../../contract/errors.ts";
import type { Provider, UpstreamFetch } from "../../contract/provider.ts";
import { readEmbeddingOptions } from "../../wire/embedding-options.ts";
import { optionsFor } from "../../wire/provider-options.ts";
import { apiKey, baseAddress } from "../credentials.ts";
import { providerError } from "../provider-error.ts";
import { geminiOptions } from "./gemini-options.ts";
import { veo } from "./veo.ts";

const base = { names: ["GEMINI_API_BASE"], usual: "https://generativelanguage.googleapis.com/v1beta" };
const keyNames = ["GEMINI_API_KEY", "GOOGLE_API_KEY"];

/** Videos that Google fetches itself, beside the files kept there. */
const videoUrls = [/^https:\/\/(?:www\.)?youtube\.com\/watch\?v=/, /^https:\/\/youtu\.be\//];
/** Texts in one `batchEmbedContents`. */
const mostEmbeddings = 100;

/** Google Gemini through the AI SDK's provider, which is loaded at the first call. */
export const geminiProvider: Provider = {
  name: "gemini",
  native: new Set(),
  resources: new Set(["batch_jobs", "videos"]),
  videoJobs: veo,
  address(deployment, { path }) {
    return { url: root(deployment) + path, headers: { "x-goog-api-key": apiKey(deployment, keyNames) } };
  },
  languageModel(deployment, model, fetch) {
    checkModel(model);
    let loaded: Promise<LanguageModelV3> | undefined;
    const load = (): Promise<LanguageModelV3> => {
      loaded ??= loadLibrary(deployment, fetch).then((library) => library(model));
      return loaded;
    };
    return {
      specificationVersion: "v3",
      provider: "gemini",
      modelId: model,
      supportedUrls: { "*": [keptFiles(deployment), ...videoUrls] },
      doGenerate: (options) =>
        translatingErrors(async () => (await load()).doGenerate(geminiOptions(options, model))),
      doStream: (options) =>
        translatingErrors(async () => {
          const result = await (await load()).doStream(geminiOptions(options, model));
          return { ...result, stream: result.stream.pipeThrough(completeStreams()) };
        }),
    };
  },
  embeddingModel(deployment, model, fetch): EmbeddingModelV3 {
    checkModel(model);
    return {
      specificationVersion: "v3",
      provider: "gemini",
      modelId: model,
      maxEmbeddingsPerCall: mostEmbeddings,
      supportsParallelCalls: true,
      doEmbed: (options) =>
        translatingErrors(async () => {
          const { dimensions: outputDimensionality, taskType } = readEmbeddingOptions(options);
          const library = await loadLibrary(deployment, fetch);
          return await library.embeddingModel(model).doEmbed({
            ...options,
            providerOptions: optionsFor("google", { outputDimensionality, taskType }),
          });
        }),
    };
  },
  toError: providerError,
};

function root(deployment: Deployment): string {
  const address = baseAddress(deployment, base.names, base.usual);
  return /\/v1(?:alpha|beta)?$/.test(address) ? address : `${address}/v1beta`;
}

/**
 * The model's name becomes a part of the address; callers of a wildcard could lead the key elsewhere by it.
 * @throws GatewayError 400
 */
function checkModel(model: string): void {
  if (!/^[\w.:@-]+(?:\/[\w.:@-]+)*$/.test(model) || /(?:^|\/)\.{1,2}(?:\/|$)/.test(model))
    throw invalidRequest("model: expected a name of letters, digits and . : @ _ - /", "model");
}

/** Addresses of files that were uploaded to the provider. */
function keptFiles(deployment: Deployment): RegExp {
  return new RegExp(`^${root(deployment).replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}/files/`);
}

async function loadLibrary(
  deployment: Deployment,
  fetch: UpstreamFetch,
): Promise<GoogleGenerativeAIProvider> {
  const { createGoogleGenerativeAI } = await import("@ai-sdk/google");
  const options = { baseURL: root(deployment), apiKey: apiKey(deployment, keyNames), fetch };
  return createGoogleGenerativeAI(options);
}

async function translatingErrors<T>(call: () => PromiseLike<T>): Promise<T> {
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
function completeStreams(): TransformStream<LanguageModelV3StreamPart, LanguageModelV3StreamPart> {
  return new TransformStream({
    transform(part, controller) {
      if (part.type === "error") controller.enqueue({ type: "error", error: toGatewayError(part.error) });
      else if (part.type !== "finish" || part.finishReason.raw !== undefined) controller.enqueue(part);
    },
  });
}
