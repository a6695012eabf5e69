import type { LanguageModelV3, LanguageModelV3FinishReason, LanguageModelV3Usage } from "@ai-sdk/provider";
import type { Deployment } from "../../contract/deployment.ts";
import { GatewayError } from "../../contract/errors.ts";
import type { Provider } from "../../contract/provider.ts";
import { partStream } from "../part-stream.ts";
import { providerError } from "../provider-error.ts";

const finishReason: LanguageModelV3FinishReason = { unified: "stop", raw: "stop" };
/** LiteLLM's figures for such an answer. */
const usage: LanguageModelV3Usage = {
  inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 20, text: 20, reasoning: 0 },
};

/** Stands in for the provider of a deployment with `mock_response`: answers with that text and calls nobody. */
export const mockProvider: Provider = {
  name: "mock",
  native: new Set(),
  resources: new Set(),
  address() {
    throw new GatewayError(404, "not_found_error", "A deployment with mock_response has no such operation.");
  },
  languageModel(deployment, model): LanguageModelV3 {
    const text = mockResponse(deployment) ?? "";
    return {
      specificationVersion: "v3",
      provider: "mock",
      modelId: model,
      supportedUrls: { "*": [/^/] },
      doGenerate: async () => ({ content: [{ type: "text", text }], finishReason, usage, warnings: [] }),
      doStream: async () => ({ stream: partStream(parts(text)) }),
    };
  },
  toError: providerError,
};

/** The text that a deployment answers every call with; `undefined` for those that call their provider. */
export function mockResponse({ params }: Deployment): string | undefined {
  return typeof params.mock_response === "string" ? params.mock_response : undefined;
}

async function* parts(text: string) {
  yield { type: "text-start" as const, id: "0" };
  for (const delta of text.match(/\S*\s*/g) ?? []) {
    if (delta !== "") yield { type: "text-delta" as const, id: "0", delta };
  }
  yield { type: "text-end" as const, id: "0" };
  yield { type: "finish" as const, finishReason, usage };
}
