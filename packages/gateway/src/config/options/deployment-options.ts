import { amount, count, flag, objectValue, optional, text } from "../option.ts";

/** `gateway_params` (LiteLLM: `litellm_params`) of an entry of `model_list`. Others go to the provider as they are. */
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
  weight: optional(amount(0, "Share of the calls among deployments of one model.")),
  order: optional(count(0, "Deployments with a lower number are tried first.")),
  timeout: optional(amount(0, "Seconds for a whole call.")),
  stream_timeout: optional(amount(0, "Seconds until the first byte of a stream.")),
  connect_timeout: optional(amount(0, "Seconds to connect.")),
  chunk_timeout: optional(amount(0, "Seconds between two chunks of a stream.")),
  input_cost_per_token: optional(amount(0, "US dollars.")),
  output_cost_per_token: optional(amount(0, "US dollars.")),
  cache_read_input_token_cost: optional(amount(0, "US dollars.")),
  cache_creation_input_token_cost: optional(amount(0, "US dollars.")),
} as const;

/** Further parameters that deployments commonly carry; they reach the call unchanged and raise no warning. */
export const passedOnOptions = {
  temperature: optional(amount(0, "Default of the calls.")),
  top_p: optional(amount(0, "Default of the calls.")),
  max_tokens: optional(count(0, "Default of the calls.")),
  max_retries: optional(count(0, "Further tries at this deployment.")),
  drop_params: optional(flag(false, "As in `gateway_settings`, for this deployment.")),
  extra_headers: optional(objectValue("Headers added to every call.")),
  extra_body: optional(objectValue("Members added to every request body.")),
  organization: optional(text("", "OpenAI's organization.")),
  tags: optional(objectOrList()),
  mock_response: optional(text("", "Passed on.")),
  use_in_pass_through: optional(flag(false, "Passed on.")),
  merge_reasoning_content_in_choices: optional(flag(false, "Passed on.")),
  additional_drop_params: optional(objectOrList()),
} as const;

function objectOrList() {
  return {
    shape: "anything",
    initial: undefined as unknown,
    doc: "Passed on.",
    read: (value: unknown) => value,
  };
}
