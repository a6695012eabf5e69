import { absentGateway } from "./absent-options.ts";
import { keyMakers } from "./key-makers.ts";
import { keyBounds, keyDefaults, teamDefaults, userDefaults } from "./key-terms.ts";
import { namedLimits } from "./named-limits.ts";
import { listOrFile } from "./named-lists.ts";
import {
  amount,
  count,
  flag,
  ignored,
  names,
  objectValue,
  oneOf,
  optional,
  text,
  textMap,
  unenforced,
  windowLength,
} from "./option.ts";
import { prioritySettings, priorityShares } from "./priority-options.ts";
import { routerOptions } from "./router-options.ts";
import { teamCallbacks } from "./team-callbacks.ts";
import { timeZone } from "./time-zone.ts";

/** `gateway_settings` (LiteLLM: `litellm_settings`): behaviour of the gateway as a whole. */
export const gatewayOptions = {
  model_alias_map: textMap("Model names of callers that stand for another model."),
  enable_loadbalancing_on_batch_endpoints: flag(
    false,
    "Send batches of models that the router knows through it.",
  ),
  drop_params: flag(
    false,
    "Leave out request fields that the model's provider refuses. Hosts of OpenAI's format get fields that are their own, such as vLLM's `chat_template_kwargs`.",
  ),
  modify_params: flag(
    false,
    "Where the provider has another format than the caller: `.` stands for a user who says nothing, and begins a conversation that no user began, which providers refuse otherwise.",
  ),
  strict_tools: flag(
    false,
    "Refuse a call with a hosted tool (web search, code interpreter) that its provider lacks, instead of leaving it out.",
  ),
  check_provider_endpoint: flag(
    true,
    "List a provider's own models in place of a pattern such as `openai/*`, asked for when somebody lists them, at most every five minutes. Where it is away or lists none, and with `false`, the pattern is listed.",
  ),
  request_timeout: amount(600, "Seconds for a whole call."),
  max_websockets: count(
    1000,
    "WebSockets (`/v1/responses`) that may be open in this process; one key and one user may have a quarter of them, one team half.",
  ),
  callbacks: names(
    [],
    "Hook modules by path, run in this order; `format_python` formats Python blocks in answers, `prometheus` turns on /metrics; `otel`, `langfuse`, `arize`, `datadog` and others send spans there; `generic_api` and names of `callback_settings` get a record of each call.",
  ),
  success_callback: names(
    [],
    "As `callbacks`, for the names that send spans or records of calls, these of calls that succeed; others have no effect.",
  ),
  failure_callback: names([], "As `success_callback`, with records of calls that fail."),
  forward_traceparent_to_llm_provider: flag(
    false,
    "Send providers the header `traceparent`, so that their spans join the caller's trace.",
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
    oneOf(["litellm"], "litellm", "Send the gateway's response headers under LiteLLM's names too."),
  ),
  timezone: optional(
    timeZone(
      "An IANA time zone: budgets of whole days begin anew at its midnight, weeks (`7d`) on Monday, months (`30d`, `1mo`) on the first. Without it all windows are counted from the epoch.",
    ),
  ),
  cache: flag(false, "Answer requests that are equal to an earlier one from the cache (`cache_params`)."),
  cache_params: optional(
    objectValue(
      "The response cache. With `type: redis` replicas share limits through its server too, unless `router_settings` names one.",
    ),
  ),
  max_budget: optional(
    amount(
      0,
      "US dollars that all calls together may cost per `budget_duration`, or in all, from when it is set; 0 for no such budget.",
    ),
  ),
  budget_duration: optional(windowLength("Length of a window of this budget: `30s`, `12h`, `30d`, `1mo`.")),
  max_internal_user_budget: optional(
    amount(0, "US dollars that a new internal user may spend, where whoever makes it says nothing else."),
  ),
  internal_user_budget_duration: optional(
    windowLength("Length of a window of such a budget; users that are there keep theirs."),
  ),
  default_internal_user_params: optional(
    userDefaults(
      "What new internal users have, where whoever makes them says nothing else; comes before `max_internal_user_budget`.",
    ),
  ),
  default_team_params: optional(
    teamDefaults(
      "What teams have that the gateway makes for groups of tokens (`team_id_upsert`) and of SCIM.",
    ),
  ),
  default_team_settings: teamCallbacks(
    "Destinations of spans of single teams: `team_id`, `success_callback`, `failure_callback` and their variables (`langfuse_public_key`, ...), for teams that have been given none of their own.",
  ),
  priority_reservation: optional(
    priorityShares(
      "Parts of each deployment's `rpm` and `tpm` that are kept for calls of a priority, which `metadata.priority` of the team or the key names.",
    ),
  ),
  priority_reservation_settings: prioritySettings(
    "`saturation_threshold` (0.5) is the part of a limit up to which every priority may use what others leave; `default_priority` (0.25) is the share that all calls without one have together.",
  ),
  num_retries: optional(count(0, "As in `router_settings`, which wins.")),
  fallbacks: optional(routerOptions.fallbacks),
  context_window_fallbacks: optional(routerOptions.context_window_fallbacks),
  content_policy_fallbacks: optional(routerOptions.content_policy_fallbacks),
  default_fallbacks: optional(routerOptions.default_fallbacks),
  allowed_fails: optional(routerOptions.allowed_fails),
  cooldown_time: optional(routerOptions.cooldown_time),
  guard: optional(text("", "Path of a JSON file with the patterns of the built-in guard.")),
  max_end_user_budget: optional(
    amount(0, "US dollars that each customer may spend in all whom nobody gave limits of its own."),
  ),
  max_end_user_budget_id: optional(
    text(
      "",
      "The same by the limits of a budget (`/budget/new`), whose dollars come before `max_end_user_budget`.",
    ),
  ),
  default_key_generate_params: optional(keyDefaults("What new keys have where their request does not say.")),
  upperbound_key_generate_params: optional(
    keyBounds("The most that keys may be given; a new one that does not say how much has that much."),
  ),
  key_generation_settings: keyMakers(
    "Who makes keys among those who may by their role, and what has to be said of a new one; proxy administrators are not held.",
  ),
  blocked_user_list: listOrFile("Customers whose calls are refused, by the names that requests give."),
  disable_end_user_cost_tracking: flag(
    false,
    "Rows of the spend log leave out the customer whom a request names; the limits of customers hold all the same.",
  ),
  banned_keywords_list: listOrFile(
    "Words that no text of a request may have, in small letters or capitals; each such request is refused.",
  ),
  default_max_internal_user_budget: unenforced("give budgets to users (`/user/new`)"),
  max_ui_session_budget: ignored("the console's calls count for whoever signed in"),
  tag_budget_config: namedLimits(
    "Limits of tags by their names. A tag of `/tag/new` that has limits is held to its own.",
  ),
  guardrails: unenforced("name hook modules under `callbacks`, or patterns in `guard`"),
  post_call_rules: unenforced("name hook modules under `callbacks`"),
  enable_key_alias_format_validation: unenforced("aliases may be any text"),
  key_alias_pattern: unenforced("aliases may be any text"),
  prompt_injection_params: unenforced("name the patterns in `guard`"),
  llm_guard_mode: unenforced("name hook modules under `callbacks`, or patterns in `guard`"),
  llamaguard_model_name: unenforced("name hook modules under `callbacks`, or patterns in `guard`"),
  toxic_confidence_threshold: unenforced("name hook modules under `callbacks`, or patterns in `guard`"),
  google_moderation_confidence_threshold: unenforced(
    "name hook modules under `callbacks`, or patterns in `guard`",
  ),
  azure_content_safety_params: unenforced("name hook modules under `callbacks`, or patterns in `guard`"),
  vertex_ai_safety_settings: unenforced("set `safety_settings` at the deployment"),
  model_group_settings: ignored("providers see `anthropic-beta`, `anthropic-version`, `openai-beta`"),
  forward_llm_provider_auth_headers: ignored("callers cannot bring a provider's key or address"),
  websearch_interception_params: ignored("the gateway searches nothing itself"),
  code_interpreter_interception_params: ignored("the gateway runs no code"),
  compression_interception_params: ignored("requests are passed on as they are"),
  mcp_semantic_tool_filter: ignored("there is no MCP gateway"),
  default_vertex_config: ignored("give a deployment use_in_pass_through"),
  global_prompt_directory: ignored("there is no prompt store"),
  global_bitbucket_config: ignored("there is no prompt store"),
  global_gitlab_config: ignored("there is no prompt store"),
  reasoning_auto_summary: ignored("callers ask for summaries themselves"),
  route_all_chat_openai_to_responses: ignored("chat completions go to chat completions"),
  return_response_headers: ignored("the provider's limits are always in the answer's headers"),
  log_raw_request_response: ignored("content is never logged"),
  allow_dynamic_callback_disabling: ignored("hooks run for every call"),
  global_disable_no_log_param: ignored("content is never logged"),
  enable_redis_auth_cache: ignored("changes of keys are in force within a second"),
  enable_caching_on_provider_specific_optional_params: ignored("every field of a request counts"),
  disable_add_user_agent_to_request_tags: ignored("callers' programs are no tags"),
  enable_azure_ad_token_refresh: ignored(
    "tokens are always renewed; AZURE_CREDENTIAL names a managed identity",
  ),
  ssl_ecdh_curve: ignored("the system decides"),
  prometheus_emit_stream_label: ignored("the labels of metrics are fixed"),
  ui_theme_config: ignored("the console has its own light and dark"),
  cold_storage_custom_logger: ignored("responses are kept in the store"),
  enable_model_config_credential_overrides: ignored("`litellm_credential_name` stands at the deployment"),
  langfuse_public_key: ignored("set LANGFUSE_PUBLIC_KEY in the environment"),
  langfuse_secret_key: ignored("set LANGFUSE_SECRET_KEY in the environment"),
  langsmith_batch_size: ignored("name hook modules under `callbacks`"),
  argilla_transformation_object: ignored("name hook modules under `callbacks`"),
  include_cost_in_streaming_usage: ignored("the cost stands in the spend log"),
  require_auth_for_metrics_endpoint: ignored("metrics need a key unless `general_settings.public_metrics`"),
  store_audit_logs: ignored("the audit log is always kept; GET /audit lists it"),
  audit_log_callbacks: ignored("the audit log stays in the store; GET /audit lists it"),
  prometheus_initialize_budget_metrics: ignored("budgets are in the metrics once a call has counted in them"),
  prometheus_metrics_config: ignored("the labels of metrics are fixed"),
  custom_prometheus_metadata_labels: ignored("the labels of metrics are fixed"),
  custom_prometheus_tags: ignored("the labels of metrics are fixed"),
  enable_end_user_cost_tracking_prometheus_only: ignored(
    "what customers spend is always counted, and never in the metrics",
  ),
  s3_callback_params: ignored("name hook modules under `callbacks`"),
  datadog_params: ignored("name hook modules under `callbacks`"),
  aws_sqs_callback_params: ignored("name hook modules under `callbacks`"),
  custom_provider_map: ignored("`openai_like` with an `api_base` reaches hosts of OpenAI's format"),
  extra_spend_tag_headers: ignored("tags are named by `tags`, `metadata.tags` or `x-litellm-tags`"),
  public_model_groups: ignored("models are listed to keys alone"),
  add_user_information_to_llm_headers: ignored("set `extra_headers` at the deployment"),
  ssl_security_level: ignored("certificates are always checked"),
  ssl_certificate: ignored("client certificates are not used"),
  disable_aiohttp_transport: ignored("the transport is the gateway's own"),
  disable_add_transform_inline_image_block: ignored("pictures are passed on as they are named"),
  disable_copilot_system_to_assistant: ignored("system messages are never changed"),
  enable_json_schema_validation: ignored("schemas are checked by the provider"),
  ssl_verify: ignored("certificates are always checked; NODE_EXTRA_CA_CERTS adds authorities"),
  force_ipv4: ignored("the system decides"),
  user_header_name: ignored("set it in `general_settings`"),
  disable_end_user_cost_tracking_prometheus_only: ignored(
    "what customers spend is always counted, and never in the metrics",
  ),
  cost_discount_config: ignored("set prices at the deployment"),
  cost_margin_config: ignored("set prices at the deployment"),
  enable_preview_features: ignored("there are none to switch on"),
  disable_hf_tokenizer_download: ignored("tokenizers are never downloaded"),
  service_callbacks: ignored("name hook modules under `callbacks`"),
  langfuse_default_tags: ignored("name hook modules under `callbacks`"),
  mcp_aliases: ignored("there is no MCP gateway"),
  use_chat_completions_url_for_anthropic_messages: ignored("messages go to chat completions"),
  set_verbose: ignored("use --log-level"),
  json_logs: ignored("the log is always JSON"),
  telemetry: ignored("there is none"),
  turn_off_message_logging: ignored("content is never logged"),
  redact_user_api_key_info: ignored("keys are never logged"),
  ...absentGateway,
} as const;
