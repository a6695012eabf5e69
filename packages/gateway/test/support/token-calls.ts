import type { CallInit, TestGateway } from "./gateway.ts";
import type { TokenIssuer } from "./token-issuer.ts";

/** An answer's members beside its status. */
export type TokenAnswer = Record<string, unknown> & {
  readonly status: number;
  readonly error: { message: string };
};

/** The address of the model `local`, at which nobody answers. */
export const NOWHERE = "http://127.0.0.1:9/v1";

const models = `
model_list:
  - model_name: gpt-4o
    litellm_params: {model: openai/gpt-4o, api_key: sk-provider-secret}
  - model_name: claude
    litellm_params: {model: anthropic/claude, api_key: sk-provider-secret}
  - model_name: local
    litellm_params: {model: hosted_vllm/llama, api_key: k, api_base: "${NOWHERE}"}
`;

/** A configuration that takes tokens of these issuers, of each for the audience `portico`. */
export function configOf(
  issuers: readonly TokenIssuer[],
  settings: object,
  more: readonly object[] = [],
): string {
  const entries = issuers.map(({ url }) => ({ issuer: url, audience: "portico" }));
  const general = {
    master_key: "sk-test-master-key-0123456789",
    enable_jwt_auth: true,
    litellm_jwtauth: { issuers: [...entries, ...more], ...settings },
  };
  return `${models}\ngeneral_settings: ${JSON.stringify(general)}\n`;
}

/** Asks a gateway for JSON. */
export function askerOf(gateway: () => TestGateway) {
  return async (path: string, init: CallInit = {}): Promise<TokenAnswer> => {
    const response = await gateway().call(path, init);
    return { ...((await response.json()) as object), status: response.status } as TokenAnswer;
  };
}

export const messages = [{ role: "user", content: "hi" }];
/** A call of `/v1/chat/completions` that no provider is asked for. */
export const chat = (key: string, more: object = {}): [string, CallInit] => [
  "/v1/chat/completions",
  { key, body: { model: "gpt-4o", messages, mock_response: "hello", ...more } },
];
