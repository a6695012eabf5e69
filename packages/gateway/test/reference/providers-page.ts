import type { Provider } from "../../src/contract/provider.ts";
import { type CompatibleHost, compatibleHosts } from "../../src/providers/openai/hosts.ts";
import { findProvider, providerNames } from "../../src/providers/registry.ts";

/** What is to be known of a provider beside what its code says. */
interface About {
  readonly title: string;
  /** An entry of `model_list`, by lines; the samples' test reads it. */
  readonly config: readonly string[];
  /** Where key, address and whatever else it wants come from, and what is particular about it. */
  readonly text: readonly string[];
}

/** Providers that do more than OpenAI's chat completions, by their names. */
const about: Readonly<Record<string, About>> = {
  openai: {
    title: "OpenAI",
    config: [
      "model_name: gpt",
      "litellm_params:",
      "  model: openai/gpt-5.2",
      "  api_key: os.environ/OPENAI_API_KEY",
    ],
    text: [
      "Without `api_key` the key is OPENAI_API_KEY; `organization` becomes `OpenAI-Organization`. With an `api_base`",
      "(OPENAI_API_BASE, OPENAI_BASE_URL) it is whatever speaks OpenAI's API there: a host that lacks Responses (it answers",
      "404) gets chat completions instead, one that lacks batches has them run here.",
    ],
  },
  azure: {
    title: "Azure OpenAI",
    config: [
      "model_name: gpt",
      "litellm_params:",
      "  model: azure/my-deployment",
      "  api_base: https://example.openai.azure.com",
      "  api_key: os.environ/AZURE_API_KEY",
      "model_info:",
      "  base_model: gpt-5.2",
    ],
    text: [
      "The name behind `azure/` is the deployment's name there; `model_info.base_model` says which model it is, for its price.",
      "The address is `api_base` (AZURE_API_BASE, AZURE_OPENAI_ENDPOINT), the version `api_version` (AZURE_API_VERSION).",
      "",
      "Credentials are the first of these: `api_key`; `azure_ad_token`; the service principal `tenant_id`, `client_id`,",
      "`client_secret`; AZURE_AD_TOKEN; AZURE_API_KEY; AZURE_TENANT_ID and AZURE_CLIENT_ID with AZURE_CLIENT_SECRET or",
      "AZURE_FEDERATED_TOKEN_FILE (AKS); the managed identity of App Service and Container Apps, and that of a virtual",
      "machine with AZURE_CREDENTIAL=ManagedIdentityCredential. `azure_scope` (AZURE_SCOPE) and AZURE_AUTHORITY_HOST are for",
      "other clouds.",
    ],
  },
  anthropic: {
    title: "Anthropic",
    config: [
      "model_name: claude",
      "litellm_params:",
      "  model: anthropic/claude-sonnet-5",
      "  api_key: os.environ/ANTHROPIC_API_KEY",
    ],
    text: [
      "Without `api_key` the key is ANTHROPIC_API_KEY. `api_base` (ANTHROPIC_API_BASE, ANTHROPIC_BASE_URL) may end in `/v1`",
      "or not. `anthropic-beta` and `anthropic-version` of callers pass.",
    ],
  },
  gemini: {
    title: "Google Gemini",
    config: [
      "model_name: gemini",
      "litellm_params:",
      "  model: gemini/gemini-3-pro",
      "  api_key: os.environ/GEMINI_API_KEY",
    ],
    text: [
      "Without `api_key` the key is GEMINI_API_KEY or GOOGLE_API_KEY; the address is `api_base` (GEMINI_API_BASE).",
      "`safety_settings` of the deployment come before those of requests. Batches run as Google's own batch jobs, videos are",
      "Veo's.",
    ],
  },
  vertex_ai: {
    title: "Google Vertex AI",
    config: [
      "model_name: gemini",
      "litellm_params:",
      "  model: vertex_ai/gemini-3-pro",
      "  vertex_project: my-project",
      "  vertex_location: europe-west4",
    ],
    text: [
      "Gemini's models in Google's own format, Claude's in Anthropic's, text embeddings, Veo's videos. `vertex_project`",
      "(VERTEXAI_PROJECT), `vertex_location` (VERTEXAI_LOCATION; us-central1) and `vertex_credentials`: a service account's or",
      "a user's file, or its JSON (GOOGLE_APPLICATION_CREDENTIALS), or nothing on Google's own machines.",
    ],
  },
  bedrock: {
    title: "Amazon Bedrock",
    config: [
      "model_name: claude",
      "litellm_params:",
      "  model: bedrock/anthropic.claude-sonnet-5-v1:0",
      "  aws_region_name: eu-central-1",
    ],
    text: [
      "Amazon's own Nova Premier and Nova 2 search the web themselves (Web Grounding, in the United States); other models do not.",
      "",
      "Models are called by Converse in `aws_region_name` (AWS_REGION; us-west-2); `model_id` is the ARN of an application",
      "inference profile to call instead. Credentials are the first of these: an API key of Bedrock's as `api_key`; the role",
      "`aws_role_name` (with `aws_session_name`, `aws_external_id`, `aws_session_tags`, `aws_sts_endpoint`), taken on with the",
      "token `aws_web_identity_token` or with the credentials that follow; `aws_access_key_id`, `aws_secret_access_key` and",
      "`aws_session_token`; `aws_profile_name`; AWS_BEARER_TOKEN_BEDROCK; AWS's usual chain: the environment's keys, its web",
      "identity (EKS), the profile AWS_PROFILE or `default`, the container's role, the instance's role. A token is",
      "`oidc/file/PATH`, `oidc/env/NAME`, `oidc/env_path/NAME` or the token itself. Profiles may have keys, a role, a",
      "`credential_process`, or an account of IAM Identity Center where `aws sso login` was run.",
    ],
  },
};

/** `docs/gateway/providers.md`: what each provider takes, from the code that calls it. */
export function providersPage(): string {
  const own = Object.entries(about);
  const names = new Set(providerNames.map((name) => findProvider(name)!.name));
  const forgotten = [...names].filter((name) => !(name in about) && !(name in compatibleHosts));
  if (forgotten.length > 0)
    throw new Error(`Say something about ${forgotten.join(", ")} in providers-page.ts.`);
  return [
    "# Providers",
    "",
    "Where a model can run, and what each provider takes. `model` names it before the slash, by LiteLLM's names; the model",
    "groups that callers see are `model_name`s, each with one or more deployments. Every model is called in each of the",
    "formats, chat completions, Messages, Responses and Google's `generateContent`: in a provider's own format the bytes pass",
    "as they are, in the others the request and its answer are translated. Keys are best named as `os.environ/NAME`.",
    "`portico verify config.yaml` says what is missing, without calling anybody.",
    "`npm run reference -w portico` writes this page from the code.",
    "",
    ...own.flatMap(([name, { title, config, text }]) => [
      `## ${title}`,
      "",
      "```yaml",
      "model_list:",
      ...config.map((line, index) => `  ${index === 0 ? "-" : " "} ${line}`),
      "```",
      "",
      ...text,
      "",
      ...facts(findProvider(name)!),
      "",
    ]),
    "## Hosts with OpenAI's format",
    "",
    "```yaml",
    "model_list:",
    "  - model_name: fast",
    "    litellm_params:",
    "      model: groq/llama-4-70b",
    "      api_key: os.environ/GROQ_API_KEY",
    "  - model_name: own",
    "    litellm_params:",
    "      model: openai_like/my-model",
    "      api_base: https://models.example.com/v1",
    "```",
    "",
    "They take chat completions as they come; the other formats, files and batches are the gateway's. `openai_like`, or",
    "`openai` with an `api_base`, reaches every host that is not in the table. A host without an address here wants an",
    "`api_base`, or the variable.",
    "",
    "| Name | Address | Variables for key and address | |",
    "|---|---|---|---|",
    ...Object.entries(compatibleHosts).map(hostLine),
    "",
  ].join("\n");
}

const formats = {
  chat: "chat completions",
  messages: "Messages",
  responses: "Responses",
  gemini: "`generateContent`",
  embeddings: "embeddings",
} as const;

/** What its code says that it has; files, batches and videos are named by who runs them. */
function facts(provider: Provider): string[] {
  const { name, native, resources } = provider;
  const has = (resource: string) => resources.has(resource);
  const passed = [...native].map((format) => formats[format]);
  const batches = has("batches") || has("message_batches") || has("batch_jobs");
  const searches = provider.hostedTool !== undefined || native.has("responses");
  const embeds = native.has("embeddings") || provider.embeddingModel !== undefined;
  return [
    "| | |",
    "|---|---|",
    `| Names | ${namesOf(name).join(", ")} |`,
    `| Bytes pass | ${passed.length === 0 ? "no format" : passed.join(", ")} |`,
    `| Embeddings | ${embeds ? "yes" : "no"} |`,
    `| Its own search in the web | ${searches ? "yes" : "no"} |`,
    `| Counts tokens itself | ${has("count_tokens") ? "yes" : "no; the gateway counts"} |`,
    `| Files | ${has("files") ? "its own" : "the gateway's"} |`,
    `| Batches | ${batches ? "its own, at half the price" : "run by the gateway"} |`,
    `| Containers | ${has("containers") ? "yes" : "no"} |`,
    `| Videos | ${has("videos") ? "yes" : "no"} |`,
  ];
}

function namesOf(name: string): string[] {
  return providerNames.filter((each) => findProvider(each)!.name === name).map((each) => `\`${each}/\``);
}

function hostLine([name, host]: [string, CompatibleHost]): string {
  const traits = [
    host.embeddings === true ? "embeddings" : "",
    host.videoJobs === undefined ? "" : "videos",
    host.keyless === true ? "runs without a key" : "",
  ].filter((trait) => trait !== "");
  const variables = [...host.keyNames, ...host.baseNames].join(", ");
  const address = host.base === undefined ? "" : `\`${host.base}\``;
  return `| ${namesOf(name).join(", ")} | ${address} | ${variables} | ${traits.join(", ")} |`;
}
