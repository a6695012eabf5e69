import type { Provider } from "../../contract/provider.ts";
import { baseAddress, fromEnvironment } from "../credentials.ts";
import { chatLanguageModel, openaiModels } from "../openai/chat-language-model.ts";
import { providerError } from "../provider-error.ts";
import { azureUrl } from "./azure-address.ts";
import { identityHeaders, keyHeaders } from "./azure-credentials.ts";

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
