import type { Provider } from "../../contract/provider.ts";
import { upstreamPath } from "../../contract/upstream-path.ts";
import { apiKey, baseAddress } from "../credentials.ts";
import { postJson } from "../post-json.ts";
import { providerError } from "../provider-error.ts";
import { messagesHostedTool } from "./hosted-tool.ts";
import { messagesLanguageModel } from "./messages-language-model.ts";

const base = { names: ["ANTHROPIC_API_BASE", "ANTHROPIC_BASE_URL"], usual: "https://api.anthropic.com" };

/** What Anthropic fetches itself. */
const fetchedUrls = { "image/*": [/^https:/], "application/pdf": [/^https:/] };

/** Anthropic. Its base address is written with and without `/v1`; both are understood. */
export const anthropicProvider: Provider = {
  name: "anthropic",
  native: new Set(["messages"]),
  resources: new Set(["count_tokens", "message_batches", "models"]),
  address(deployment, { path }) {
    const root = baseAddress(deployment, base.names, base.usual).replace(/\/v1(?:\/messages)?$/, "");
    return {
      url: `${root}/v1${path}`,
      headers: {
        "x-api-key": apiKey(deployment, ["ANTHROPIC_API_KEY"]),
        "anthropic-version": "2023-06-01",
      },
    };
  },
  languageModel(deployment, model, fetch) {
    const { address, toError } = anthropicProvider;
    return messagesLanguageModel("anthropic", model, fetchedUrls, toError, (body, { headers, abortSignal }) =>
      postJson(
        fetch,
        {
          address: address(deployment, { method: "POST", path: upstreamPath`/messages` }),
          body,
          headers,
          signal: abortSignal,
        },
        toError,
      ),
    );
  },
  hostedTool: messagesHostedTool,
  toError: providerError,
};
