import { amount, count, flag, ignored, oneOf, optional, text, textMap, texts } from "../option.ts";
import { routerOptions } from "./router-options.ts";

/** `gateway_settings` (LiteLLM: `litellm_settings`): behaviour of the gateway as a whole. */
export const gatewayOptions = {
  model_alias_map: textMap("Model names of callers that stand for another model."),
  enable_loadbalancing_on_batch_endpoints: flag(
    false,
    "Send batches of models that the router knows through it.",
  ),
  drop_params: flag(false, "Leave out request fields that the model's provider does not know."),
  request_timeout: amount(600, "Seconds for a whole call."),
  callbacks: texts(
    [],
    "Hook modules by path, run in this order; `format_python` formats Python blocks in answers.",
  ),
  allow_provider_ids: flag(true, "Forward object ids that this gateway did not hand out."),
  allow_private_networks: flag(
    false,
    "Let addresses that callers name (images, webhooks, agents) lead into private networks.",
  ),
  keep_artifacts: flag(
    false,
    "Copy finished videos into the file storage, so that they outlive their provider's expiry.",
  ),
  object_owner: oneOf(
    ["auto", "key", "user", "team"],
    "auto",
    "Who owns files, batches and other objects: the key's team, else its user, else the key (`auto`).",
  ),
  compat_headers: optional(
    oneOf(["litellm"], "litellm", "Send the gateway's response headers under these names too."),
  ),
  num_retries: optional(count(0, "As in `router_settings`, which wins.")),
  fallbacks: optional(routerOptions.fallbacks),
  context_window_fallbacks: optional(routerOptions.context_window_fallbacks),
  content_policy_fallbacks: optional(routerOptions.content_policy_fallbacks),
  default_fallbacks: optional(routerOptions.default_fallbacks),
  allowed_fails: optional(routerOptions.allowed_fails),
  guard: optional(text("", "Path of a JSON file with the patterns of the built-in guard.")),
  success_callback: ignored("name hook modules under `callbacks`"),
  failure_callback: ignored("name hook modules under `callbacks`"),
  set_verbose: ignored("use --log-level"),
  json_logs: ignored("the log is always JSON"),
  cache: ignored("there is no response cache"),
  cache_params: ignored("there is no response cache"),
  telemetry: ignored("there is none"),
  turn_off_message_logging: ignored("content is never logged"),
  redact_user_api_key_info: ignored("keys are never logged"),
  max_budget: ignored("give budgets to keys"),
  budget_duration: ignored("give budgets to keys"),
  modify_params: ignored("requests are translated as they are"),
} as const;
