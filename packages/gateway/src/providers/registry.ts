import type { Provider } from "../contract/provider.ts";
import { anthropicProvider } from "./anthropic/anthropic-provider.ts";
import { azureProvider } from "./azure/azure-provider.ts";
import { bedrockProvider } from "./bedrock/bedrock-provider.ts";
import { geminiProvider } from "./gemini/gemini-provider.ts";
import { compatibleHosts } from "./openai/hosts.ts";
import { openaiCompatibleProvider } from "./openai/openai-compatible-provider.ts";
import { openaiProvider } from "./openai/openai-provider.ts";
import { vertexProvider } from "./vertex/vertex-provider.ts";

/** Every provider; to add one, add it here. */
const providers: ReadonlyMap<string, Provider> = new Map(
  [
    openaiProvider,
    azureProvider,
    anthropicProvider,
    geminiProvider,
    vertexProvider,
    bedrockProvider,
    ...Object.entries(compatibleHosts).map(([name, host]) => openaiCompatibleProvider(name, host)),
  ].map((provider) => [provider.name, provider]),
);

/** Other names under which configurations know a provider. */
const aliases: ReadonlyMap<string, string> = new Map([
  ["google", "gemini"],
  ["vertex_ai_beta", "vertex_ai"],
  ["bedrock_converse", "bedrock"],
  ["text-completion-openai", "openai"],
  ["custom_openai", "openai"],
  ["lmstudio", "lm_studio"],
  ["cohere_chat", "cohere"],
  ["ai21_chat", "ai21"],
]);

/** Names that a model's prefix or `custom_llm_provider` may have. */
export const providerNames: readonly string[] = [...providers.keys(), ...aliases.keys()];

/** A provider by its name; `undefined` when there is none of that name. */
export function findProvider(name: string): Provider | undefined {
  return providers.get(aliases.get(name) ?? name);
}
