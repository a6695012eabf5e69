import type { NativeOperation, Provider } from "../../contract/provider.ts";
import { upstreamPath } from "../../contract/upstream-path.ts";
import { baseAddress, fromEnvironment } from "../credentials.ts";
import { chatLanguageModel, openaiModels } from "../openai/chat-language-model.ts";
import { providerError } from "../provider-error.ts";
import { identityHeaders, keyHeaders } from "./azure-credentials.ts";

/** Operations that belong to a deployment of a model; the rest belong to the resource. */
const deploymentPaths = /^\/(?:chat\/completions|completions|embeddings|images|audio)(?:\/|$)/;
/** Groups that Azure only has in its API without dated versions. */
const versionlessOnly = /^\/(?:containers|videos)(?:\/|$)/;
const versionless: ReadonlySet<string> = new Set(["v1", "latest", "preview"]);
/** The last dated version; used when none is configured. */
const DEFAULT_VERSION = "2024-10-21";

/** Azure OpenAI; a model's name is the name of its deployment there. */
export const azureProvider: Provider = {
  name: "azure",
  native: new Set(["chat", "responses", "embeddings"]),
  resources: new Set(["files", "batches", "responses", "containers", "videos"]),
  address(deployment, operation) {
    const base = baseAddress(deployment, ["AZURE_API_BASE", "AZURE_OPENAI_ENDPOINT"], undefined);
    const version = deployment.apiVersion ?? fromEnvironment(["AZURE_API_VERSION", "OPENAI_API_VERSION"]);
    return { url: azureUrl(base, operation, version), headers: keyHeaders(deployment) };
  },
  authorize: identityHeaders,
  languageModel(deployment, model, fetch) {
    return chatLanguageModel({ provider: azureProvider, ...openaiModels }, deployment, model, fetch);
  },
  toError: providerError,
};

/**
 * An operation's address at an Azure OpenAI resource (Azure AI Foundry REST reference): below the deployment or the
 * resource with an `api-version`, or in the v1 API, which has neither.
 * @param base the resource's address, with or without `/openai` and `/openai/v1`
 */
export function azureUrl(base: string, operation: NativeOperation, version: string | undefined): string {
  const { path, model } = operation;
  const resource = base.replace(/\/openai(?:\/v1)?(?:\/deployments\/[^/]+)?$/, "");
  const usesV1 = base.endsWith("/openai/v1") || (version !== undefined && versionless.has(version));
  if (usesV1 || versionlessOnly.test(path)) {
    return withVersion(`${resource}/openai/v1${path}`, version === "preview" ? version : undefined);
  }
  const below = deploymentPaths.test(path) ? upstreamPath`/deployments/${model ?? ""}` : "";
  return withVersion(`${resource}/openai${below}${path}`, version ?? DEFAULT_VERSION);
}

function withVersion(url: string, version: string | undefined): string {
  if (version === undefined) return url;
  return `${url}${url.includes("?") ? "&" : "?"}api-version=${encodeURIComponent(version)}`;
}
