import type { LanguageModelV3 } from "@ai-sdk/provider";
import type { Deployment } from "../../contract/deployment.ts";
import { GatewayError, notFound } from "../../contract/errors.ts";
import type { Provider, UpstreamFetch } from "../../contract/provider.ts";
import { upstreamPath } from "../../contract/upstream-path.ts";
import { messagesLanguageModel } from "../anthropic/anthropic-provider.ts";
import { messagesHostedTool } from "../anthropic/hosted-tool.ts";
import { baseAddress, checkModelName, fromEnvironment } from "../credentials.ts";
import { checkedAnswers } from "../gemini/checked-answers.ts";
import { geminiLanguageModel } from "../gemini/gemini-language-model.ts";
import { geminiHostedTool } from "../gemini/gemini-options.ts";
import { jsonAnswer, postJson } from "../model-calls.ts";
import { providerError } from "../provider-error.ts";
import { accessToken } from "./access-token.ts";
import { type GoogleCredentials, googleCredentials } from "./service-account.ts";
import { vertexEmbeddings } from "./vertex-embeddings.ts";
import { vertexVideos } from "./vertex-videos.ts";

/** The version of Anthropic's API that Vertex AI speaks; it stands in the body there. */
const MESSAGES_VERSION = "vertex-2023-10-16";

/** Operations that have fields in the beta which the first version lacks. */
const GENERATE = /:(?:generateContent|streamGenerateContent|countTokens)$/;

/** Whether a model of Vertex AI speaks Gemini's format; Claude's speak Anthropic's. */
function isGemini(model: string): boolean {
  return !model.startsWith("claude") && !model.includes("/");
}

/** Google's Vertex AI: Gemini's models through the AI SDK's library, Claude's by Anthropic's own format, text embeddings. */
export const vertexProvider: Provider = {
  name: "vertex_ai",
  native: new Set(["gemini"]),
  takesNative: (_format, model) => isGemini(model),
  resources: new Set(["count_tokens", "videos"]),
  videoJobs: vertexVideos,
  address(deployment, { path }) {
    if (path !== "/" && !path.startsWith("/models/")) throw notFound("vertex_ai has no such operation here");
    const version = GENERATE.test(path) ? "v1beta1" : "v1";
    return {
      url: publisherAddress(deployment, googleCredentials(deployment), version, "google") + path,
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
    fetch: checkedAnswers(async (input, init) => {
      const headers = new Headers(init?.headers);
      headers.delete("x-goog-api-key");
      const token = await accessToken(credentials, fetch, init?.signal ?? undefined);
      headers.set("authorization", `Bearer ${token}`);
      return await fetch(input, { ...init, headers });
    }),
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

const DEFAULT_LOCATION = "us-central1";

/**
 * Where a publisher's models stand (Vertex AI REST reference):
 * `https://LOCATION-aiplatform.googleapis.com/VERSION/projects/PROJECT/locations/LOCATION/publishers/PUBLISHER`.
 * @throws GatewayError 500 when no project is configured
 */
function publisherAddress(
  deployment: Deployment,
  credentials: GoogleCredentials | undefined,
  version: "v1" | "v1beta1",
  publisher: "google" | "anthropic",
): string {
  const { params } = deployment;
  const location = String(
    params.vertex_location ??
      params.vertex_ai_location ??
      fromEnvironment(["VERTEXAI_LOCATION", "VERTEX_LOCATION"]) ??
      DEFAULT_LOCATION,
  );
  const project =
    params.vertex_project ??
    params.vertex_ai_project ??
    fromEnvironment(["VERTEXAI_PROJECT", "GOOGLE_CLOUD_PROJECT"]) ??
    credentials?.project_id;
  if (typeof project !== "string" || project === "") throw noProject();
  const host = location === "global" ? "aiplatform.googleapis.com" : `${location}-aiplatform.googleapis.com`;
  const base = baseAddress(deployment, ["VERTEXAI_API_BASE"], `https://${host}`);
  return base + upstreamPath`/${version}/projects/${project}/locations/${location}/publishers/${publisher}`;
}

function noProject(): GatewayError {
  const text = "The provider vertex_ai has no project: set vertex_project or VERTEXAI_PROJECT";
  return new GatewayError(500, "api_error", text, { retryable: false });
}
