/** A kind of provider, the model by which the agents ask for it, and where the simulator plays it. */
export interface Provider {
  readonly title: string;
  readonly model: string;
  readonly prefix: string;
  readonly parameters: string;
}

/** Every provider of the matrix; `URL` stands for the simulator's address. */
export const providers: readonly Provider[] = [
  {
    title: "OpenAI",
    model: "gpt-5",
    prefix: "/openai",
    parameters: 'model: openai/gpt-5, api_base: "URL/openai/v1"',
  },
  {
    title: "Anthropic",
    model: "claude-sonnet-4-5",
    prefix: "/anthropic",
    parameters: 'model: anthropic/claude-sonnet-4-5, api_base: "URL/anthropic"',
  },
  {
    title: "Gemini",
    model: "gemini-3-pro-preview",
    prefix: "/google",
    parameters: 'model: gemini/gemini-3-pro-preview, api_base: "URL/google"',
  },
  {
    title: "Bedrock",
    model: "bedrock-claude",
    prefix: "/bedrock",
    parameters: 'model: "bedrock/anthropic.claude-sonnet-4-5-20250929-v1:0", api_base: "URL/bedrock"',
  },
  {
    title: "chat only",
    model: "llama-3",
    prefix: "/compat",
    parameters: 'model: hosted_vllm/llama-3, api_base: "URL/compat/v1"',
  },
];

/**
 * A gateway in front of one of them that retries nothing by itself: what an agent meets, it must get over. Gemini CLI
 * sums up and chooses tools by Google's models of its own choice, so their names stand for the provider's model.
 */
export function providerConfig({ model, parameters }: Provider, url: string): string {
  const names = [model, "gemini-*"].map(
    (name) =>
      `  - model_name: "${name}"\n    litellm_params: {${parameters.replace("URL", url)}, api_key: simulated}\n`,
  );
  return `model_list:\n${names.join("")}router_settings: {num_retries: 0, disable_cooldowns: true}\n`;
}
