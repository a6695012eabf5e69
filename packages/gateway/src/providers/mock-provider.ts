import type { LanguageModelV3, LanguageModelV3FinishReason, LanguageModelV3Usage } from "@ai-sdk/provider";
import { GatewayError, notFound } from "../contract/errors.ts";
import type { Provider } from "../contract/provider.ts";
import { partStream, singly } from "../formats/neutral-stream.ts";
import { providerError } from "./provider-error.ts";

const finishReason: LanguageModelV3FinishReason = { unified: "stop", raw: "stop" };
/** LiteLLM's figures for such an answer, which costs what they cost at the model. */
export const MOCK_TOKENS = { input: 10, output: 20 } as const;

const usage: LanguageModelV3Usage = {
  inputTokens: { total: MOCK_TOKENS.input, noCache: MOCK_TOKENS.input, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: MOCK_TOKENS.output, text: MOCK_TOKENS.output, reasoning: 0 },
};

/** Texts by which LiteLLM's files and callers ask for a failure instead. */
const mockFailures: ReadonlyMap<string, () => GatewayError> = new Map([
  [
    "litellm.RateLimitError",
    () => new GatewayError(429, "rate_limit_error", "This is a mock rate limit error."),
  ],
  ["litellm.InternalServerError", () => new GatewayError(500, "api_error", "This is a mock server error.")],
  [
    "litellm.ContextWindowExceededError",
    () =>
      new GatewayError(400, "invalid_request_error", "This is a mock context window error.", {
        providerCode: "context_length_exceeded",
      }),
  ],
]);

/** Stands in for the provider of a deployment with `mock_response`: answers with that text and calls nobody. */
export const mockProvider: Provider = {
  name: "mock",
  native: new Set(),
  resources: new Set(),
  address() {
    throw notFound("A deployment with mock_response has no such operation.");
  },
  languageModel(deployment, model): LanguageModelV3 {
    const text = deployment.mockResponse ?? "";
    const failure = mockFailures.get(text);
    const answering = <T>(answer: T): Promise<T> =>
      failure === undefined ? Promise.resolve(answer) : Promise.reject(failure());
    return {
      specificationVersion: "v3",
      provider: "mock",
      modelId: model,
      supportedUrls: { "*": [/^/] },
      doGenerate: () => answering({ content: [{ type: "text", text }], finishReason, usage, warnings: [] }),
      doStream: () => answering({ stream: partStream(singly(parts(text))) }),
    };
  },
  toError: providerError,
};

async function* parts(text: string) {
  yield { type: "text-start" as const, id: "0" };
  for (const delta of text.match(/\S*\s*/g) ?? []) {
    if (delta !== "") yield { type: "text-delta" as const, id: "0", delta };
  }
  yield { type: "text-end" as const, id: "0" };
  yield { type: "finish" as const, finishReason, usage };
}
