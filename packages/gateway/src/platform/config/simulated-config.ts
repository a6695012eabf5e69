/**
 * The configuration used when none is given: every model of four providers, played by the simulator at `url`.
 * Text, so that it takes the same way as a file and can be printed for copying.
 */
export function simulatedConfig(url: string): string {
  return `model_list:
  - model_name: openai/*
    litellm_params: {model: openai/*, api_base: "${url}/openai/v1", api_key: simulated}
    model_info: {id: simulated-openai}
  - model_name: azure/*
    litellm_params: {model: azure/*, api_base: "${url}/azure", api_key: simulated, api_version: "2025-04-01-preview"}
    model_info: {id: simulated-azure}
  - model_name: anthropic/*
    litellm_params: {model: anthropic/*, api_base: "${url}/anthropic", api_key: simulated}
    model_info: {id: simulated-anthropic}
  - model_name: google/*
    litellm_params: {model: gemini/*, api_base: "${url}/google", api_key: simulated}
    model_info: {id: simulated-google}
  - model_name: gpt-*
    litellm_params: {model: openai/gpt-*, api_base: "${url}/openai/v1", api_key: simulated}
    model_info: {id: simulated-gpt}
  - model_name: claude-*
    litellm_params: {model: anthropic/claude-*, api_base: "${url}/anthropic", api_key: simulated}
    model_info: {id: simulated-claude}
  - model_name: gemini-*
    litellm_params: {model: gemini/gemini-*, api_base: "${url}/google", api_key: simulated}
    model_info: {id: simulated-gemini}
`;
}
