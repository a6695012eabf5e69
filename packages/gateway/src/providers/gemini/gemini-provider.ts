import type { GoogleGenerativeAIProvider } from "@ai-sdk/google";
import type { EmbeddingModelV3 } from "@ai-sdk/provider";
import type { Deployment } from "../../contract/deployment.ts";
import type { Provider, UpstreamFetch } from "../../contract/provider.ts";
import { optionsFor, readEmbeddingOptions } from "../../formats/provider-options.ts";
import { apiKey, baseAddress, checkModelName } from "../credentials.ts";
import { providerError } from "../provider-error.ts";
import { checkedAnswers } from "./checked-answers.ts";
import { geminiLanguageModel, translatingErrors } from "./gemini-language-model.ts";
import { geminiHostedTool } from "./gemini-options.ts";
import { veo } from "./veo.ts";

const base = { names: ["GEMINI_API_BASE"], usual: "https://generativelanguage.googleapis.com/v1beta" };
const keyNames = ["GEMINI_API_KEY", "GOOGLE_API_KEY"];

/** Videos that Google fetches itself, beside the files kept there. */
const videoUrls = [/^https:\/\/(?:www\.)?youtube\.com\/watch\?v=/, /^https:\/\/youtu\.be\//];
/** Texts in one `batchEmbedContents`. */
const MAX_EMBEDDINGS = 100;

/** Google Gemini through the AI SDK's provider, which is loaded at the first call. */
export const geminiProvider: Provider = {
  name: "gemini",
  native: new Set(["gemini"]),
  // A tuned model's name has a path of its own, which the library knows.
  takesNative: (_format, model) => !model.includes("/"),
  resources: new Set(["batch_jobs", "count_tokens", "models", "videos"]),
  videoJobs: veo,
  address(deployment, { path }) {
    return { url: root(deployment) + path, headers: { "x-goog-api-key": apiKey(deployment, keyNames) } };
  },
  languageModel(deployment, model, fetch) {
    const supportedUrls = { "*": [keptFiles(deployment), ...videoUrls] };
    const load = async () => (await loadLibrary(deployment, checkedAnswers(fetch)))(model);
    return geminiLanguageModel("gemini", model, supportedUrls, load);
  },
  embeddingModel(deployment, model, fetch): EmbeddingModelV3 {
    checkModelName(model);
    return {
      specificationVersion: "v3",
      provider: "gemini",
      modelId: model,
      maxEmbeddingsPerCall: MAX_EMBEDDINGS,
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
  hostedTool: geminiHostedTool,
  toError: providerError,
};

function root(deployment: Deployment): string {
  const address = baseAddress(deployment, base.names, base.usual);
  return /\/v1(?:alpha|beta)?$/.test(address) ? address : `${address}/v1beta`;
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
