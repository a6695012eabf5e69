import type { Provider } from "../../contract/provider.ts";
import { apiKey, baseAddress } from "../credentials.ts";
import { providerError } from "../provider-error.ts";
import { chatLanguageModel, openaiModels } from "./chat-language-model.ts";

const base = { names: ["OPENAI_API_BASE", "OPENAI_BASE_URL"], usual: "https://api.openai.com/v1" };

/** OpenAI itself, in any of its regions. */
const OPENAIS_OWN = /^https:\/\/(\w+\.)?api\.openai\.com(\/|$)/;

/** OpenAI, and whatever stands behind an `api_base` that speaks its API. */
export const openaiProvider: Provider = {
  name: "openai",
  native: new Set(["chat", "responses", "embeddings"]),
  hasOwnFields: (deployment) => !OPENAIS_OWN.test(baseAddress(deployment, base.names, base.usual)),
  resources: new Set(["files", "batches", "responses", "containers", "videos", "models"]),
  address(deployment, { path }) {
    const { organization } = deployment.params;
    return {
      url: baseAddress(deployment, base.names, base.usual) + path,
      headers: {
        authorization: `Bearer ${apiKey(deployment, ["OPENAI_API_KEY"])}`,
        ...(typeof organization === "string" ? { "openai-organization": organization } : {}),
      },
    };
  },
  languageModel(deployment, model, fetch) {
    return chatLanguageModel({ provider: openaiProvider, ...openaiModels }, deployment, model, fetch);
  },
  toError: providerError,
};
