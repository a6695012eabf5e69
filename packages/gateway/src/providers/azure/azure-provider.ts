import type { Deployment } from "../../contract/deployment.ts";
import type { Provider } from "../../contract/provider.ts";
import { openaiModels } from "../chat-completions/chat-host.ts";
import { chatLanguageModel } from "../chat-completions/chat-language-model.ts";
import { apiKey, baseAddress, fromEnvironment } from "../credentials.ts";
import { providerError } from "../provider-error.ts";
import { azureUrl } from "./azure-address.ts";

/** Azure OpenAI; a model's name is the name of its deployment there. */
export const azureProvider: Provider = {
  name: "azure",
  native: new Set(["chat", "responses", "embeddings"]),
  resources: new Set(["files", "batches", "responses", "containers", "videos"]),
  address(deployment, operation) {
    const base = baseAddress(deployment, ["AZURE_API_BASE", "AZURE_OPENAI_ENDPOINT"], undefined);
    const version = deployment.apiVersion ?? fromEnvironment(["AZURE_API_VERSION", "OPENAI_API_VERSION"]);
    return { url: azureUrl(base, operation, version), headers: credentials(deployment) };
  },
  languageModel(deployment, model, fetch) {
    return chatLanguageModel({ provider: azureProvider, ...openaiModels }, deployment, model, fetch);
  },
  toError: providerError,
};

/** The key, or a Microsoft Entra token where one is configured instead. */
function credentials(deployment: Deployment): Record<string, string> {
  const token = deployment.params.azure_ad_token ?? fromEnvironment(["AZURE_AD_TOKEN"]);
  if (deployment.apiKey === undefined && typeof token === "string")
    return { authorization: `Bearer ${token}` };
  return { "api-key": apiKey(deployment, ["AZURE_API_KEY", "AZURE_OPENAI_API_KEY"]) };
}
