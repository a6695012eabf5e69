import type { LanguageModelV3 } from "@ai-sdk/provider";
import type { Deployment } from "../../contract/deployment.ts";
import { GatewayError } from "../../contract/errors.ts";
import type { Provider, UpstreamFetch } from "../../contract/provider.ts";
import { upstreamPath } from "../../contract/upstream-path.ts";
import { messagesHostedTool } from "../anthropic/hosted-tool.ts";
import { messagesLanguageModel } from "../anthropic/messages-language-model.ts";
import { geminiLanguageModel } from "../gemini/gemini-language-model.ts";
import { geminiHostedTool } from "../gemini/gemini-options.ts";
import { checkModelName } from "../model-name.ts";
import { jsonAnswer, postJson } from "../post-json.ts";
import { providerError } from "../provider-error.ts";
import { accessToken } from "./access-token.ts";
import { googleCredentials } from "./service-account.ts";
import { publisherAddress } from "./vertex-address.ts";
import { vertexEmbeddings } from "./vertex-embeddings.ts";
import { vertexVideos } from "./vertex-videos.ts";

/** The version of Anthropic's API that Vertex AI speaks; it stands in the body there. */
const MESSAGES_VERSION = "vertex-2023-10-16";

/** Google's Vertex AI: Gemini's models through the AI SDK's library, Claude's by Anthropic's own format, text embeddings. */
export const vertexProvider: Provider = {
  name: "vertex_ai",
  native: new Set(),
  resources: new Set(["videos"]),
  videoJobs: vertexVideos,
  address(deployment, { path }) {
    if (path !== "/" && !path.startsWith("/models/"))
      throw new GatewayError(404, "not_found_error", "vertex_ai has no such operation here");
    return {
      url: publisherAddress(deployment, googleCredentials(deployment), "v1", "google") + path,
      headers: {},
    };
  },
  async authorize(deployment, fetch, signal) {
    return { authorization: `Bearer ${await accessToken(googleCredentials(deployment), fetch, signal)}` };
  },
  languageModel(deployment, model, fetch) {
    return model.startsWith("claude")
      ? claudeModel(deployment, model, fetch)
      : geminiLanguageModel("vertex_ai", model, {}, () => loadGemini(deployment, model, fetch));
  },
  embeddingModel(deployment, model, fetch) {
    checkModelName(model);
    return vertexEmbeddings(model, async (operation, body, { headers, abortSignal: signal }) => {
      const credentials = googleCredentials(deployment);
      const token = await accessToken(credentials, fetch, signal);
      const publisher = publisherAddress(deployment, credentials, "v1", "google");
      const address = {
        url: publisher + upstreamPath`/models/${model}:${operation}`,
        headers: { authorization: `Bearer ${token}` },
      };
      return jsonAnswer(await postJson(fetch, { address, body, headers, signal }, providerError));
    });
  },
  hostedTool: (tool, options, model) =>
    model.startsWith("claude") ? messagesHostedTool(tool) : geminiHostedTool(tool, options),
  toError: providerError,
};

async function loadGemini(
  deployment: Deployment,
  model: string,
  fetch: UpstreamFetch,
): Promise<LanguageModelV3> {
  const { createGoogleGenerativeAI } = await import("@ai-sdk/google");
  const credentials = googleCredentials(deployment);
  const library = createGoogleGenerativeAI({
    // The library leaves out what Vertex AI refuses when it is called so.
    name: "google.vertex.chat",
    baseURL: publisherAddress(deployment, credentials, "v1beta1", "google"),
    apiKey: "none",
    fetch: async (input, init) => {
      const headers = new Headers(init?.headers);
      headers.delete("x-goog-api-key");
      const token = await accessToken(credentials, fetch, init?.signal ?? undefined);
      headers.set("authorization", `Bearer ${token}`);
      return await fetch(input, { ...init, headers });
    },
  });
  return library(model);
}

function claudeModel(deployment: Deployment, model: string, fetch: UpstreamFetch): LanguageModelV3 {
  checkModelName(model);
  return messagesLanguageModel("vertex_ai", model, {}, providerError, async (message, options) => {
    // Vertex AI has no tiers of Claude's.
    const { model: name, service_tier: _, ...body } = message;
    const credentials = googleCredentials(deployment);
    const token = await accessToken(credentials, fetch, options.abortSignal);
    const publisher = publisherAddress(deployment, credentials, "v1", "anthropic");
    const operation = body.stream === true ? "streamRawPredict" : "rawPredict";
    const address = {
      url: publisher + upstreamPath`/models/${String(name)}:${operation}`,
      headers: { authorization: `Bearer ${token}` },
    };
    const { headers, abortSignal: signal } = options;
    const versioned = { ...body, anthropic_version: MESSAGES_VERSION };
    return postJson(fetch, { address, body: versioned, headers, signal }, providerError);
  });
}
