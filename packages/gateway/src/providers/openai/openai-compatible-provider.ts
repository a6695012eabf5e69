import type { Provider } from "../../contract/provider.ts";
import type { WireFormat } from "../../contract/wire-format.ts";
import { apiKey, baseAddress, optionalApiKey } from "../credentials.ts";
import { providerError } from "../provider-error.ts";
import { chatLanguageModel } from "./chat-language-model.ts";
import type { CompatibleHost } from "./hosts.ts";

/** A host that speaks OpenAI's chat completions, from its line in the table. */
export function openaiCompatibleProvider(name: string, host: CompatibleHost): Provider {
  const formats: WireFormat[] = host.embeddings === true ? ["chat", "embeddings"] : ["chat"];
  const provider: Provider = {
    name,
    native: new Set(formats),
    resources: new Set(host.videoJobs === undefined ? ["models"] : ["models", "videos"]),
    ...(host.videoJobs === undefined ? {} : { videoJobs: host.videoJobs }),
    refusesStreamOptions: host.noStreamOptions === true,
    ...(host.refuses === undefined ? {} : { refusedFields: new Set(host.refuses) }),
    hasOwnFields: () => true,
    takesNoAddresses: host.inlineImages === true,
    address(deployment, { path }) {
      const key =
        host.keyless === true ? optionalApiKey(deployment, host.keyNames) : apiKey(deployment, host.keyNames);
      return {
        url: rooted(baseAddress(deployment, host.baseNames, host.base), host) + path,
        headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
      };
    },
    languageModel(deployment, model, fetch) {
      const chatHost = {
        provider,
        hasOpenaiReasoning: false,
        sendsReasoning: host.sendsReasoning === true,
        countsStreams: host.noStreamOptions !== true,
        fetchesImages: host.inlineImages !== true,
      };
      return chatLanguageModel(chatHost, deployment, model, fetch);
    },
    toError: providerError,
  };
  return provider;
}

/** Configurations name some hosts without the path of their API. */
function rooted(address: string, { rootPath }: CompatibleHost): string {
  return rootPath !== undefined && /^https?:\/\/[^/]+$/.test(address) ? address + rootPath : address;
}
