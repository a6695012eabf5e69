import { absentParams } from "./absent-options.ts";
import {
  amount,
  count,
  flag,
  ignored,
  listValue,
  objectValue,
  optional,
  text,
  texts,
  unenforced,
  windowLength,
} from "./option.ts";

/** `gateway_params` (LiteLLM: `litellm_params`) of an entry of `model_list`. */
export const deploymentOptions = {
  model: text(
    "",
    "`provider/name`, the model's name at its provider; `*` takes what the caller's name has there.",
  ),
  custom_llm_provider: optional(text("", "The provider where `model` does not begin with it.")),
  api_base: optional(text("", "The provider's address.")),
  api_key: optional(text("", "The provider's key.")),
  api_version: optional(text("", "The provider's API version (Azure).")),
  region_name: optional(text("", "Where the deployment runs; keys bound to another region do not reach it.")),
  rpm: optional(count(0, "Requests per minute.")),
  tpm: optional(count(0, "Tokens per minute.")),
  max_parallel_requests: optional(count(0, "Calls in flight at the same moment.")),
  max_budget: optional(
    amount(
      0,
      "US dollars that its calls may cost per `budget_duration`, or in all; once they are spent it gets no call.",
    ),
  ),
  budget_duration: optional(windowLength("Length of a window of that budget: `12h`, `30d`, `1mo`.")),
  weight: optional(amount(0, "Share of the calls among deployments of one model.")),
  order: optional(count(0, "Deployments with a lower number are tried first.")),
  timeout: optional(amount(0, "Seconds for a whole call.")),
  stream_timeout: optional(amount(0, "Seconds until the first byte of a stream.")),
  connect_timeout: optional(amount(0, "Seconds to connect.")),
  chunk_timeout: optional(amount(0, "Seconds between two chunks of a stream.")),
  mock_response: optional(text("", "Answer every call with this text, calling nobody.")),
} as const;

/** Of these, LiteLLM's older files have some beside `litellm_params`, not in it. */
export const entryOptions = { rpm: deploymentOptions.rpm, tpm: deploymentOptions.tpm } as const;

/** Fields of requests; what a deployment sets here is used where a request leaves it out. */
export const callDefaults = [
  "temperature",
  "top_p",
  "top_k",
  "max_tokens",
  "max_completion_tokens",
  "max_output_tokens",
  "stop",
  "seed",
  "presence_penalty",
  "frequency_penalty",
  "reasoning_effort",
  "reasoning",
  "thinking",
  "service_tier",
  "dimensions",
  "tools",
  "tool_choice",
  "parallel_tool_calls",
  "response_format",
  "user",
  "verbosity",
  "web_search_options",
  "safety_identifier",
  "truncation",
] as const;

/** Settings of single providers: Gemini's and Vertex AI's filters, and members of Bedrock's Converse. */
export const providerSettings = [
  "safety_settings",
  "guardrailConfig",
  "performanceConfig",
  "requestMetadata",
] as const;

/** Credentials and places of single providers, which their providers read. */
export const providerParameters = [
  "aws_access_key_id",
  "aws_secret_access_key",
  "aws_session_token",
  "aws_region_name",
  "aws_session_name",
  "aws_profile_name",
  "aws_role_name",
  "aws_web_identity_token",
  "aws_sts_endpoint",
  "aws_external_id",
  "aws_session_tags",
  "aws_bedrock_runtime_endpoint",
  "azure_ad_token",
  "azure_scope",
  "vertex_project",
  "vertex_location",
  "vertex_credentials",
  "vertex_ai_project",
  "vertex_ai_location",
  "vertex_ai_credentials",
] as const;

/** Further parameters of deployments, which the call, or its provider, looks at. */
export const passedOnOptions = {
  temperature: optional(amount(0, "Default of the calls.")),
  top_p: optional(amount(0, "Default of the calls.")),
  max_tokens: optional(count(0, "Default of the calls.")),
  num_retries: optional(count(0, "Further tries at this deployment.")),
  max_retries: optional(count(0, "The same where `num_retries` does not say.")),
  drop_params: optional(flag(false, "As in `gateway_settings`, for this deployment.")),
  extra_headers: optional(objectValue("Headers added to every call.")),
  extra_body: optional(objectValue("Members added to every request body.")),
  organization: optional(text("", "OpenAI's organization.")),
  use_in_pass_through: optional(
    flag(
      false,
      "Requests that pass through to its provider use its address and key, whatever the environment has.",
    ),
  ),
  additional_drop_params: optional(texts([], "Fields left out of every request.")),
  cache_control_injection_points: optional(
    listValue(
      "Marks of Anthropic's prompt cache in calls that have none there: `{location: message, role: system}`, or `index`, from the end where it is negative; `control` is `{type: ephemeral}` without it.",
    ),
  ),
  allowed_openai_params: optional(texts([], "Fields that `drop_params` leaves in.")),
  tags: optional(texts([], "Tags of calls that it takes, with `enable_tag_filtering`.")),
  base_model: optional(text("", "As in `model_info`.")),
  azure_ad_token: optional(text("", "Microsoft Entra token in place of a key.")),
  model_id: optional(text("", "ARN of the application inference profile that is called (Bedrock).")),
  tenant_id: optional(
    text("", "Tenant of a service principal of Microsoft Entra's, in place of a key (Azure)."),
  ),
  client_id: optional(text("", "The service principal, or the managed identity.")),
  client_secret: optional(text("", "Its secret.")),
  itpm: unenforced("`tpm` limits input and output together"),
  otpm: unenforced("`tpm` limits input and output together"),
  default_api_key_tpm_limit: unenforced("give tpm_limit to keys"),
  default_api_key_rpm_limit: unenforced("give rpm_limit to keys"),
  tag_regex: unenforced("`tags` are compared whole"),
  guardrails: unenforced("name hook modules under `callbacks`, or patterns in `guard`"),
  timeout_by_service_tier: ignored("`timeout` holds for every tier"),
  stream_timeout_by_service_tier: ignored("`stream_timeout` holds for every tier"),
  use_chat_completions_api: ignored("a host without responses gets chat completions"),
  cooldown_time: ignored("`router_settings.cooldown_time` holds for all"),
  merge_reasoning_content_in_choices: ignored("reasoning stays in its own member"),
  configurable_clientside_auth_params: ignored("callers cannot bring a provider's key or address"),
  silent_model: ignored("calls are not mirrored"),
  ssl_verify: ignored("certificates are always checked; NODE_EXTRA_CA_CERTS adds authorities"),
  ...absentParams,
} as const;
