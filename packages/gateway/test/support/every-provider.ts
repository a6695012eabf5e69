/** A deployment of each kind at a simulator, by what the tables of tests call it. */
export const everyProvider = {
  OpenAI: "gpt-4o",
  Azure: "azure-gpt",
  Anthropic: "claude",
  Gemini: "gemini-2.5-flash",
  Bedrock: "bedrock-claude",
  Vertex: "vertex-gemini",
  compatible: "llama-3",
} as const;

/** The configuration of `everyProvider`. */
export function everyProviderConfig(url: string): string {
  return `model_list:
  - model_name: gpt-4o
    litellm_params: {model: openai/gpt-4o, api_base: "${url}/openai/v1", api_key: simulated}
  - model_name: azure-gpt
    litellm_params: {model: azure/gpt-4o, api_base: "${url}/azure", api_key: simulated, api_version: "2025-04-01-preview"}
  - model_name: claude
    litellm_params: {model: anthropic/claude-sonnet-4-5, api_base: "${url}/anthropic", api_key: simulated}
  - model_name: gemini-2.5-flash
    litellm_params: {model: gemini/gemini-2.5-flash, api_base: "${url}/google", api_key: simulated}
  - model_name: bedrock-claude
    litellm_params: {model: "bedrock/anthropic.claude-sonnet-4-5-20250929-v1:0", api_base: "${url}/bedrock", api_key: simulated}
  - model_name: vertex-gemini
    litellm_params: {model: vertex_ai/gemini-2.5-flash, api_base: "${url}/vertex", vertex_project: p, vertex_credentials: ${vertexUser(url)}}
  - model_name: llama-3
    litellm_params: {model: hosted_vllm/llama-3, api_base: "${url}/compat/v1", api_key: simulated}
router_settings: {num_retries: 0, disable_cooldowns: true}
`;
}

/** A deployment of each wire format at a simulator, under its provider's name; `host` has OpenAI's chat completions alone. */
export const formatProviders = ["openai", "anthropic", "gemini", "bedrock", "host"] as const;

/** The configuration of `formatProviders`. */
export function formatProvidersConfig(url: string): string {
  return `model_list:
  - {model_name: openai, litellm_params: {model: openai/gpt-4o, api_key: k, api_base: "${url}/openai/v1"}}
  - {model_name: anthropic, litellm_params: {model: anthropic/claude-sonnet-4-5, api_key: k, api_base: "${url}/anthropic"}}
  - {model_name: gemini, litellm_params: {model: gemini/gemini-2.5-flash, api_key: k, api_base: "${url}/google/v1beta"}}
  - {model_name: bedrock, litellm_params: {model: bedrock/anthropic.claude-sonnet-4-20250514-v1:0, api_key: k, api_base: "${url}/bedrock"}}
  - {model_name: host, litellm_params: {model: hosted_vllm/llama, api_key: k, api_base: "${url}/compat/v1"}}
router_settings: {num_retries: 0, disable_cooldowns: true}
`;
}

/** Credentials of a user; the simulator gives out a token for any. */
function vertexUser(url: string): string {
  return JSON.stringify({
    type: "authorized_user",
    client_id: "c",
    client_secret: "s",
    refresh_token: "r",
    token_uri: `${url}/vertex/token`,
  });
}
