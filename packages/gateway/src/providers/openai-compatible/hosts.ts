/** A host that speaks OpenAI's chat completions. */
export interface CompatibleHost {
  /** Absent: there is no usual address, it must be configured. */
  readonly base?: string;
  /** Environment variables, the first that is set counts. */
  readonly keyNames: readonly string[];
  readonly baseNames: readonly string[];
  /** Runs without a key too. */
  readonly keyless?: boolean;
  readonly embeddings?: boolean;
  /** Wants earlier reasoning back in `reasoning_content`. */
  readonly sendsReasoning?: boolean;
  /** Takes pictures only in the request, not by their address. */
  readonly inlineImages?: boolean;
  /** Refuses `stream_options`. */
  readonly noStreamOptions?: boolean;
}

const local = { keyless: true, embeddings: true } as const;
const desktop = { ...local, inlineImages: true } as const;

/** Hosts by the provider name that LiteLLM's configurations use. To add one, add its line. */
export const compatibleHosts: Readonly<Record<string, CompatibleHost>> = {
  openai_like: { keyNames: ["OPENAI_LIKE_API_KEY"], baseNames: ["OPENAI_LIKE_API_BASE"], ...local },
  hosted_vllm: { keyNames: ["HOSTED_VLLM_API_KEY"], baseNames: ["HOSTED_VLLM_API_BASE"], ...local },
  vllm: { keyNames: ["VLLM_API_KEY"], baseNames: ["VLLM_API_BASE"], ...local },
  ollama: {
    base: "http://localhost:11434/v1",
    keyNames: ["OLLAMA_API_KEY"],
    baseNames: ["OLLAMA_API_BASE"],
    ...desktop,
  },
  ollama_chat: {
    base: "http://localhost:11434/v1",
    keyNames: ["OLLAMA_API_KEY"],
    baseNames: ["OLLAMA_API_BASE"],
    ...desktop,
  },
  lm_studio: {
    base: "http://localhost:1234/v1",
    keyNames: ["LM_STUDIO_API_KEY"],
    baseNames: ["LM_STUDIO_API_BASE"],
    ...desktop,
  },
  llamafile: {
    base: "http://localhost:8080/v1",
    keyNames: ["LLAMAFILE_API_KEY"],
    baseNames: ["LLAMAFILE_API_BASE"],
    ...desktop,
  },
  groq: {
    base: "https://api.groq.com/openai/v1",
    keyNames: ["GROQ_API_KEY"],
    baseNames: ["GROQ_API_BASE"],
  },
  mistral: {
    base: "https://api.mistral.ai/v1",
    keyNames: ["MISTRAL_API_KEY"],
    baseNames: ["MISTRAL_API_BASE"],
    embeddings: true,
    noStreamOptions: true,
  },
  deepseek: {
    base: "https://api.deepseek.com/v1",
    keyNames: ["DEEPSEEK_API_KEY"],
    baseNames: ["DEEPSEEK_API_BASE"],
    sendsReasoning: true,
  },
  xai: { base: "https://api.x.ai/v1", keyNames: ["XAI_API_KEY"], baseNames: ["XAI_API_BASE"] },
  together_ai: {
    base: "https://api.together.xyz/v1",
    keyNames: ["TOGETHERAI_API_KEY", "TOGETHER_API_KEY"],
    baseNames: ["TOGETHERAI_API_BASE"],
    embeddings: true,
  },
  openrouter: {
    base: "https://openrouter.ai/api/v1",
    keyNames: ["OPENROUTER_API_KEY"],
    baseNames: ["OPENROUTER_API_BASE"],
  },
  fireworks_ai: {
    base: "https://api.fireworks.ai/inference/v1",
    keyNames: ["FIREWORKS_AI_API_KEY", "FIREWORKS_API_KEY"],
    baseNames: ["FIREWORKS_API_BASE"],
    embeddings: true,
  },
  perplexity: {
    base: "https://api.perplexity.ai",
    keyNames: ["PERPLEXITYAI_API_KEY", "PERPLEXITY_API_KEY"],
    baseNames: ["PERPLEXITY_API_BASE"],
  },
  cerebras: {
    base: "https://api.cerebras.ai/v1",
    keyNames: ["CEREBRAS_API_KEY"],
    baseNames: ["CEREBRAS_API_BASE"],
  },
  sambanova: {
    base: "https://api.sambanova.ai/v1",
    keyNames: ["SAMBANOVA_API_KEY"],
    baseNames: ["SAMBANOVA_API_BASE"],
  },
  nvidia_nim: {
    base: "https://integrate.api.nvidia.com/v1",
    keyNames: ["NVIDIA_NIM_API_KEY"],
    baseNames: ["NVIDIA_NIM_API_BASE"],
    embeddings: true,
  },
  deepinfra: {
    base: "https://api.deepinfra.com/v1/openai",
    keyNames: ["DEEPINFRA_API_KEY"],
    baseNames: ["DEEPINFRA_API_BASE"],
    embeddings: true,
  },
  moonshot: {
    base: "https://api.moonshot.ai/v1",
    keyNames: ["MOONSHOT_API_KEY"],
    baseNames: ["MOONSHOT_API_BASE"],
    sendsReasoning: true,
  },
  dashscope: {
    base: "https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
    keyNames: ["DASHSCOPE_API_KEY"],
    baseNames: ["DASHSCOPE_API_BASE"],
    embeddings: true,
  },
};
