import type { VideoJobs } from "../../contract/video-jobs.ts";
import { xaiVideos } from "../xai-videos.ts";

/** A host that speaks OpenAI's chat completions. */
export interface CompatibleHost {
  /** Absent: there is no usual address, it must be configured. */
  readonly base?: string;
  /** Environment variables, the first that is set counts. */
  readonly keyNames: readonly string[];
  readonly baseNames: readonly string[];
  /** Added to an address that has no path, because configurations name the host only. */
  readonly rootPath?: string;
  /** Runs without a key too. */
  readonly keyless?: boolean;
  readonly embeddings?: boolean;
  /** Wants earlier reasoning back in `reasoning_content`. */
  readonly sendsReasoning?: boolean;
  /** Takes pictures only in the request, not by their address. */
  readonly inlineImages?: boolean;
  /** Refuses `stream_options`. */
  readonly noStreamOptions?: boolean;
  /** Fields of OpenAI's that it refuses. */
  readonly refuses?: readonly string[];
  /** Its videos, where it makes any. */
  readonly videoJobs?: VideoJobs;
}

/** A host whose environment variables are called `NAME_API_KEY` and `NAME_API_BASE`, unless the traits say others. */
function host(name: string, base: string | undefined, traits: Partial<CompatibleHost> = {}): CompatibleHost {
  return {
    keyNames: [`${name}_API_KEY`],
    baseNames: [`${name}_API_BASE`],
    ...(base === undefined ? {} : { base }),
    ...traits,
  };
}

const embeds = { embeddings: true } as const;
const local = { keyless: true, embeddings: true } as const;
const desktop = { ...local, inlineImages: true } as const;
const ollama = host("OLLAMA", "http://localhost:11434/v1", { ...desktop, rootPath: "/v1" });
/** What OpenAI alone has: sound, guesses, kept answers, its caches and checks. */
const openaisOwn = [
  "audio",
  "function_call",
  "functions",
  "logit_bias",
  "logprobs",
  "modalities",
  "prompt_cache_retention",
  "safety_identifier",
  "store",
  "top_logprobs",
  "verbosity",
];
const mistralRefuses = [...openaisOwn, "service_tier", "user", "web_search_options"];
const dashscope = host("DASHSCOPE", "https://dashscope-intl.aliyuncs.com/compatible-mode/v1", embeds);

/** Hosts by the provider name that LiteLLM's configurations use. To add one, add its line. */
export const compatibleHosts: Readonly<Record<string, CompatibleHost>> = {
  // Servers that people run themselves.
  openai_like: host("OPENAI_LIKE", undefined, local),
  hosted_vllm: host("HOSTED_VLLM", undefined, local),
  vllm: host("VLLM", undefined, local),
  litellm_proxy: host("LITELLM_PROXY", undefined, local),
  xinference: host("XINFERENCE", undefined, local),
  docker_model_runner: host("DOCKER_MODEL_RUNNER", "http://localhost:22088/engines/llama.cpp/v1", local),
  lemonade: host("LEMONADE", "http://localhost:8000/api/v1", local),
  ollama,
  ollama_chat: ollama,
  infinity: host("INFINITY", undefined, local),
  lm_studio: host("LM_STUDIO", "http://localhost:1234/v1", desktop),
  llamafile: host("LLAMAFILE", "http://localhost:8080/v1", desktop),

  // Makers of models.
  ai21: host("AI21", "https://api.ai21.com/studio/v1"),
  cohere: host("COHERE", "https://api.cohere.ai/compatibility/v1", {
    ...embeds,
    keyNames: ["COHERE_API_KEY", "CO_API_KEY"],
  }),
  abliteration: host("ABLITERATION", "https://api.abliteration.ai/v1"),
  amazon_nova: host("AMAZON_NOVA", "https://api.nova.amazon.com/v1"),
  cognition: host("COGNITION", "https://api.cognition.ai/v1"),
  jina_ai: host("JINA_AI", "https://api.jina.ai/v1", embeds),
  meta: host("META", "https://api.meta.ai/v1"),
  reka: host("REKA", "https://api.reka.ai/v1"),
  sarvam: host("SARVAM", "https://api.sarvam.ai/v1"),
  voyage: host("VOYAGE", "https://api.voyageai.com/v1", embeds),
  xiaomi_mimo: host("XIAOMI_MIMO", "https://api.xiaomimimo.com/v1"),
  codestral: host("CODESTRAL", "https://codestral.mistral.ai/v1", {
    noStreamOptions: true,
    refuses: mistralRefuses,
  }),
  dashscope,
  deepseek: host("DEEPSEEK", "https://api.deepseek.com/v1", { sendsReasoning: true }),
  inception: host("INCEPTION", "https://api.inceptionlabs.ai/v1"),
  meta_llama: host("LLAMA", "https://api.llama.com/compat/v1"),
  minimax: host("MINIMAX", "https://api.minimax.io/v1"),
  mistral: host("MISTRAL", "https://api.mistral.ai/v1", {
    ...embeds,
    noStreamOptions: true,
    refuses: mistralRefuses,
  }),
  moonshot: host("MOONSHOT", "https://api.moonshot.ai/v1", { sendsReasoning: true }),
  morph: host("MORPH", "https://api.morphllm.com/v1"),
  perplexity: host("PERPLEXITY", "https://api.perplexity.ai", {
    keyNames: ["PERPLEXITYAI_API_KEY", "PERPLEXITY_API_KEY"],
    refuses: [...openaisOwn, "parallel_tool_calls", "prediction", "tool_choice", "tools"],
  }),
  v0: host("V0", "https://api.v0.dev/v1"),
  xai: host("XAI", "https://api.x.ai/v1", { videoJobs: xaiVideos }),
  zai: host("ZAI", "https://api.z.ai/api/paas/v4"),

  // Clouds.
  azure_ai: host("AZURE_AI", undefined, { ...embeds, rootPath: "/openai/v1" }),
  bedrock_mantle: host("BEDROCK_MANTLE", undefined, {
    keyNames: ["BEDROCK_MANTLE_API_KEY", "AWS_BEARER_TOKEN_BEDROCK"],
  }),
  chutes: host("CHUTES", "https://llm.chutes.ai/v1"),
  compactifai: host("COMPACTIFAI", "https://api.compactif.ai/v1"),
  crusoe: host("CRUSOE", "https://managed-inference-api-proxy.crusoecloud.com/v1"),
  gmi: host("GMI", "https://api.gmi-serving.com/v1"),
  libertai: host("LIBERTAI", "https://api.libertai.io/v1"),
  parasail: host("PARASAIL", "https://api.parasail.io/v1"),
  publicai: host("PUBLICAI", "https://api.publicai.co/v1"),
  synthetic: host("SYNTHETIC", "https://api.synthetic.new/openai/v1"),
  veniceai: host("VENICE_AI", "https://api.venice.ai/api/v1"),
  baseten: host("BASETEN", "https://inference.baseten.co/v1"),
  cerebras: host("CEREBRAS", "https://api.cerebras.ai/v1", {
    refuses: [...openaisOwn, "frequency_penalty", "prediction", "presence_penalty", "web_search_options"],
  }),
  clarifai: host("CLARIFAI", "https://api.clarifai.com/v2/ext/openai/v1"),
  databricks: host("DATABRICKS", undefined, { ...embeds, rootPath: "/serving-endpoints" }),
  deepinfra: host("DEEPINFRA", "https://api.deepinfra.com/v1/openai", embeds),
  featherless_ai: host("FEATHERLESS_AI", "https://api.featherless.ai/v1", {
    keyNames: ["FEATHERLESS_AI_API_KEY", "FEATHERLESS_API_KEY"],
  }),
  fireworks_ai: host("FIREWORKS", "https://api.fireworks.ai/inference/v1", {
    ...embeds,
    keyNames: ["FIREWORKS_AI_API_KEY", "FIREWORKS_API_KEY"],
  }),
  friendliai: host("FRIENDLI", "https://api.friendli.ai/serverless/v1", {
    keyNames: ["FRIENDLIAI_API_KEY", "FRIENDLI_TOKEN"],
  }),
  gradient_ai: host("GRADIENT_AI", "https://inference.do-ai.run/v1"),
  groq: host("GROQ", "https://api.groq.com/openai/v1", {
    refuses: ["logit_bias", "logprobs", "top_logprobs", "web_search_options"],
  }),
  hyperbolic: host("HYPERBOLIC", "https://api.hyperbolic.xyz/v1"),
  lambda_ai: host("LAMBDA", "https://api.lambda.ai/v1"),
  modelscope: host("MODELSCOPE", "https://api-inference.modelscope.cn/v1"),
  nebius: host("NEBIUS", "https://api.studio.nebius.ai/v1", embeds),
  novita: host("NOVITA", "https://api.novita.ai/v3/openai"),
  nscale: host("NSCALE", "https://inference.api.nscale.com/v1"),
  nvidia_nim: host("NVIDIA_NIM", "https://integrate.api.nvidia.com/v1", embeds),
  ovhcloud: host("OVHCLOUD", "https://oai.endpoints.kepler.ai.cloud.ovh.net/v1", embeds),
  sambanova: host("SAMBANOVA", "https://api.sambanova.ai/v1", embeds),
  scaleway: host("SCALEWAY", "https://api.scaleway.ai/v1", { ...embeds, keyNames: ["SCW_SECRET_KEY"] }),
  together_ai: host("TOGETHERAI", "https://api.together.xyz/v1", {
    ...embeds,
    keyNames: ["TOGETHERAI_API_KEY", "TOGETHER_API_KEY", "TOGETHER_AI_API_KEY"],
  }),
  volcengine: host("VOLCENGINE", "https://ark.cn-beijing.volces.com/api/v3", embeds),
  wandb: host("WANDB", "https://api.inference.wandb.ai/v1"),

  // Gateways to others.
  aihubmix: host("AIHUBMIX", "https://aihubmix.com/v1", embeds),
  apertis: host("STIMA", "https://api.stima.tech/v1"),
  assemblyai: host("ASSEMBLYAI", "https://llm-gateway.assemblyai.com/v1"),
  cortecs: host("CORTECS", "https://api.cortecs.ai/v1"),
  helicone: host("HELICONE", "https://ai-gateway.helicone.ai"),
  llamagate: host("LLAMAGATE", "https://api.llamagate.dev/v1"),
  "nano-gpt": host("NANOGPT", "https://nano-gpt.com/api/v1"),
  aiml: host("AIML", "https://api.aimlapi.com/v1", { ...embeds, keyNames: ["AIML_API_KEY", "AIMLAPI_KEY"] }),
  cometapi: host("COMETAPI", "https://api.cometapi.com/v1", {
    keyNames: ["COMETAPI_API_KEY", "COMETAPI_KEY"],
  }),
  github: host("GITHUB", "https://models.inference.ai.azure.com", embeds),
  huggingface: host("HUGGINGFACE", "https://router.huggingface.co/v1", {
    keyNames: ["HUGGINGFACE_API_KEY", "HF_TOKEN"],
  }),
  openrouter: host("OPENROUTER", "https://openrouter.ai/api/v1", embeds),
  poe: host("POE", "https://api.poe.com/v1"),
  vercel_ai_gateway: host("VERCEL_AI_GATEWAY", "https://ai-gateway.vercel.sh/v1", embeds),
};
