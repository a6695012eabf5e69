import { isNetwork } from "../../../util/network.ts";
import { absentGeneral } from "./absent-options.ts";
import { headerName, userHeaders } from "./customer-options.ts";
import {
  amount,
  count,
  flag,
  ignored,
  lengthOfTime,
  listValue,
  type Option,
  objectValue,
  oneOf,
  optional,
  text,
  texts,
  unenforced,
  WrongValue,
} from "./option.ts";

const HOUR = 3_600_000;

/** `general_settings`: the server itself, its key and its store. */
export const generalOptions = {
  master_key: optional(text("", "The administrator's key; generated at the first start when absent.")),
  completion_model: optional(text("", "The model of every messages call, whatever the body asks for.")),
  database_url: optional(
    text("", "`postgres://...`, or `none` to run without a store; the environment's DATABASE_URL otherwise."),
  ),
  store: optional(oneOf(["sqlite", "none"], "sqlite", "`none` runs without a persistent store.")),
  salt_key: optional(
    text("", "Secret behind the object ids; replicas that share no store must have the same."),
  ),
  max_request_size_mb: amount(32, "Largest request body in MiB, uploads apart.", 0.001),
  max_response_size_mb: optional(
    amount(
      0,
      "Largest answer of a model in MiB, streams apart; a larger one is 400. Without it 128 MiB.",
      0.001,
    ),
  ),
  max_file_size_mb: amount(2048, "Largest uploaded file in MiB.", 0.001),
  file_storage: optional(
    oneOf(
      ["local", "database", "s3"],
      "local",
      "Where files are kept; without it a folder of the data directory beside SQLite, the database with PostgreSQL, object storage where a bucket is given.",
    ),
  ),
  file_bucket: optional(
    text(
      "",
      "Bucket of an S3-compatible service; its credentials are AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.",
    ),
  ),
  file_endpoint: optional(text("", "Address of the S3-compatible service; Amazon's own without it.")),
  body_timeout: amount(30, "Seconds within which a request body must arrive, or go on arriving.", 0.05),
  worker_timeout: amount(
    60,
    "Seconds after which one of several workers is ended and replaced that does nothing, such as one whose hook never returns.",
    1,
  ),
  spend_journal_max_mb: amount(
    1024,
    "MiB that spend rows may take in the data directory while the database does not take them; at least 16.",
    16,
  ),
  responses_retention_days: amount(
    30,
    "Days for which responses and their items are kept; 0 keeps them until they are deleted.",
  ),
  maximum_spend_logs_retention_period: optional(
    lengthOfTime(
      "How long rows of the spend log are kept, at least an hour; without it they are kept for good. Sums, reports, budgets and the audit log stay.",
      HOUR,
    ),
  ),
  maximum_spend_logs_retention_interval: optional(
    lengthOfTime("How often rows that are older than that are removed; without it once a day.", 1000),
  ),
  spend_export: optional(
    text(
      "",
      "A folder, or `s3://BUCKET/PREFIX`, that gets the spend rows of each day as a CSV file when the day is over, in UTC.",
    ),
  ),
  public_url: optional(
    text(
      "",
      "Address under which callers reach the gateway, for agent cards; otherwise the request's own host.",
    ),
  ),
  agent_management: oneOf(
    ["keys", "administrators"],
    "keys",
    "Who registers, changes and deletes agents: every key, or, as with LiteLLM, administrators alone.",
  ),
  alerting: texts(
    [],
    "Who is told of budgets: `webhook` (WEBHOOK_URL, signed with WEBHOOK_SECRET), `slack` (SLACK_WEBHOOK_URL), `email` (SMTP_HOST, SMTP_SENDER_EMAIL).",
  ),
  alert_emails: texts([], "Who gets the e-mails beside the user whose budget it is: addresses."),
  alert_types: optional(texts([], "Kinds of alerts; a list without `budget_alerts` turns them off.")),
  alert_to_webhook_url: objectValue(
    "`budget_alerts`: an address or a list of them in place of the variables'.",
  ),
  allow_requests_on_db_unavailable: flag(
    false,
    "While the database does not answer anybody (one that is busy does), keys that called before go on without budgets, and every other text that is sent as a key may call all models. For private networks alone.",
  ),
  public_metrics: flag(
    false,
    "Serve /metrics without a key; otherwise administrators' keys alone may ask for it.",
  ),
  litellm_key_header_name: optional(
    text("", "A further header for keys, with or without `Bearer`; it comes before all others."),
  ),
  enable_jwt_auth: flag(
    false,
    "Take tokens (JWT) of the issuers in `litellm_jwtauth` as credentials beside keys.",
  ),
  enable_scim: flag(
    false,
    "Let an identity provider make and remove users and teams at `/scim/v2`; read at the start.",
  ),
  sso: optional(objectValue("Where people sign in who use the console or the command line: see below.")),
  litellm_jwtauth: optional(objectValue("Whose tokens, and what their claims mean: see below.")),
  allowed_ips: optional(
    networks("Addresses and networks from which keys are accepted; absent means from everywhere."),
  ),
  use_x_forwarded_for: flag(
    false,
    "Take the caller's address from `x-forwarded-for`; only behind a proxy that sets it.",
  ),
  pass_through_endpoints: optional(
    listValue("Paths that stand for other addresses; read at the start: see below."),
  ),
  user_header_mappings: userHeaders(
    "Headers that name the customer of a request (`litellm_user_role: customer`), such as Open WebUI's `x-openwebui-user-email`; `x-litellm-customer-id` and `x-litellm-end-user-id` come first, fields of the body last.",
  ),
  user_header_name: optional(headerName("One more such header, which is looked for after those.")),
  admin_only_routes: texts(
    [],
    "Paths, groups such as `management_routes` and patterns such as `/key/*` that only proxy administrators may ask. Each path counts as it is asked, in every spelling: `/models` is another one than `/v1/models`.",
  ),
  allowed_routes: texts([], "The only such paths that anybody else may ask; every one where it is absent."),
  enforced_params: texts([], "Fields that every call must have, such as `user` or `metadata.project`."),
  enforce_user_param: flag(
    false,
    "Every call must name its customer, in `user`, another field or a header that names one; as `enforced_params: [user]`.",
  ),
  reject_clientside_metadata_tags: flag(
    false,
    "Refuse calls that name tags (`metadata.tags`, `tags`, `x-litellm-tags`): tags come with keys alone.",
  ),
  global_max_parallel_requests: optional(
    count(
      0,
      "Calls that may run at the same moment, those of all keys together, and of replicas that share Redis; 0 for any number.",
    ),
  ),
  max_parallel_requests: unenforced("give max_parallel_requests to keys or deployments"),
  service_account_settings: unenforced("`/key/service-account/generate` makes their keys, without defaults"),
  coordination_redis: unenforced("limits are shared through `router_settings.redis_*`"),
  use_redis_transaction_buffer: ignored("spend goes to the database at once"),
  fail_closed_rate_limit_enforcement: unenforced(
    "while Redis is away each replica holds its share of the limits",
  ),
  fail_closed_budget_enforcement: ignored("calls with a budget fail while it cannot be counted"),
  token_rate_limit_type: unenforced("`tpm` limits input and output together"),
  max_in_flight_requests_per_worker: unenforced("give max_parallel_requests to keys or deployments"),
  max_queued_requests_per_worker: unenforced("requests are not queued"),
  max_batch_file_size_mb: unenforced("`max_file_size_mb` holds for all files"),
  max_batch_file_records: unenforced("`max_file_size_mb` holds for all files"),
  max_batch_file_uploads_per_day: unenforced("give rpm_limit to keys"),
  max_file_downloads_per_minute: unenforced("give rpm_limit to keys"),
  allowed_file_extensions: unenforced("files of every kind are taken"),
  blocked_file_extensions: unenforced("files of every kind are taken"),
  enforce_rbac: unenforced("`user_role` of a key says what it may do"),
  role_permissions: unenforced("`user_role` of a key says what it may do"),
  enforce_fallback_model_access: unenforced("fallbacks are the administrator's; keys need no right to them"),
  custom_key_policy: unenforced("roles and a team's `team_member_permissions` say who makes keys"),
  custom_key_update: unenforced("roles and a team's `team_member_permissions` say who changes keys"),
  disable_custom_api_keys: unenforced("administrators may choose a new key's text"),
  apply_user_budget_to_team_keys: unenforced(
    "give members a budget of their own within the team (`/team/member_update`)",
  ),
  provider_url_destination_allowed_hosts: unenforced("`api_base` is the administrator's"),
  user_url_allowed_hosts: unenforced("addresses that callers name lead to public hosts alone"),
  user_url_validation: ignored("addresses that callers name lead to public hosts alone"),
  trusted_proxy_ranges: unenforced("`use_x_forwarded_for` trusts whoever connects"),
  disable_error_logs: ignored("the spend log has a row for each failed call"),
  use_shared_health_check: ignored("deployments are judged by their calls"),
  health_check_ignore_transient_errors: ignored("deployments are judged by their calls"),
  mcp_internal_ip_ranges: ignored("there is no MCP gateway"),
  mcp_client_side_auth_header_name: ignored("there is no MCP gateway"),
  enable_mcp_registry: ignored("there is no MCP gateway"),
  control_plane_url: ignored("the console manages the gateway that serves it"),
  otel: ignored("name `otel` in `litellm_settings.callbacks`"),
  alert_type_config: ignored("alerts are of budgets alone"),
  custom_auth_settings: ignored("keys and tokens (`enable_jwt_auth`) are the only ways in"),
  custom_ui_sso_sign_in_handler: ignored("people sign in at the provider that `sso` names"),
  maximum_spend_logs_cleanup_cron: ignored("`maximum_spend_logs_retention_interval` says how often"),
  store_prompts_in_cold_storage: ignored("responses are kept in the store"),
  custom_team_metadata_validate: unenforced("a team's metadata may be anything"),
  team_metadata_validation_timeout: ignored("a team's metadata may be anything"),
  team_metadata_validation_error_message: ignored("a team's metadata may be anything"),
  disable_budget_reservation: ignored("budgets are always reserved before the call"),
  always_include_stream_usage: ignored("streams have their usage where callers ask for it"),
  cancel_on_disconnect: ignored(
    "a call ends with its caller, unless it has an idempotency key or a budget pays for its whole answer",
  ),
  forward_llm_provider_auth_headers: ignored("callers cannot bring a provider's key or address"),
  spend_logs_metadata_fields: ignored("the spend log keeps every short label of a request's metadata"),
  proxy_config_reload_interval_seconds: ignored("a changed file is in force within two seconds"),
  enable_health_check_routing: ignored("deployments are judged by their calls"),
  health_check_concurrency: ignored("deployments are judged by their calls"),
  database_connect_timeout: ignored("connections have five seconds"),
  database_connection_pool_timeout: ignored("connections have five seconds"),
  enable_public_model_hub: ignored("models are listed to keys alone"),
  custom_auth: ignored("keys and tokens (`enable_jwt_auth`) are the only ways in"),
  enable_oauth2_auth: ignored("keys and tokens (`enable_jwt_auth`) are the only ways in"),
  enable_oauth2_proxy_auth: ignored("keys and tokens (`enable_jwt_auth`) are the only ways in"),
  oauth2_config_mappings: ignored("keys and tokens (`enable_jwt_auth`) are the only ways in"),
  allow_user_auth: ignored("keys and tokens (`enable_jwt_auth`) are the only ways in"),
  custom_sso: ignored("people sign in at the provider that `sso` names"),
  public_routes: ignored("only health, the API description and public agent cards need no key"),
  allow_client_side_credentials: ignored("callers cannot bring a provider's key or address"),
  use_client_credentials_pass_through_routes: ignored("callers cannot bring a provider's key or address"),
  forward_client_headers_to_llm_api: ignored(
    "providers see `anthropic-beta`, `anthropic-version`, `openai-beta`",
  ),
  forward_openai_org_id: ignored("set `organization` at the deployment"),
  disable_responses_id_security: ignored("ids always belong to whoever made the object"),
  custom_key_generate: ignored("keys are made by /key/generate as they are asked for"),
  default_team_disabled: ignored("a key needs no team"),
  disable_master_key_return: ignored("keys are never shown"),
  disable_adding_master_key_hash_to_db: ignored("the spend log needs it"),
  disable_spend_updates: ignored("spend is always logged"),
  disable_reset_budget: ignored("budgets have windows"),
  disable_retry_on_max_parallel_request_limit_error: ignored("`num_retries` holds"),
  key_management_system: ignored("secrets come from the environment"),
  key_management_settings: ignored("secrets come from the environment"),
  use_azure_key_vault: ignored("secrets come from the environment"),
  use_google_kms: ignored("secrets come from the environment"),
  infer_model_from_keys: ignored("models come from this file"),
  store_prompts_in_spend_logs: ignored("the spend log has no content"),
  database_connection_timeout: ignored("connections have five seconds"),
  disable_prisma_schema_update: ignored("the schema is brought up to date at the start"),
  user_api_key_cache_ttl: ignored("changes of keys are in force within a second"),
  health_check_details: ignored("health shows no details of deployments"),
  ui_access_mode: unenforced("the console shows to everybody what their key may see"),
  user_mcp_management_mode: ignored("there is no MCP gateway"),
  supported_db_objects: ignored("models, credentials and access groups are kept in the database"),
  image_generation_model: ignored("images pass through at /openai/v1 with the caller's model"),
  moderation_model: ignored("moderations pass through at /openai/v1 with the caller's model"),
  embedding_model: ignored("embeddings keep the caller's model"),
  proxy_batch_polling_interval: ignored("batches are looked at as often as they need"),
  proxy_budget_rescheduler_min_time: ignored("budgets have windows"),
  proxy_budget_rescheduler_max_time: ignored("budgets have windows"),
  spend_report_frequency: ignored("ask /spend/logs"),
  alerting_args: ignored("alerts are of budgets alone"),
  block_robots: ignored("nothing here is for search engines"),
  litellm_license: ignored("none is needed"),
  store_model_in_db: ignored("models that are made at run time are always kept in the database"),
  database_connection_pool_limit: ignored("the pool has ten connections"),
  background_health_checks: ignored("deployments are judged by their calls"),
  health_check_interval: ignored("deployments are judged by their calls"),
  alerting_threshold: ignored("alerts are of budgets alone; slow calls are in the metrics"),
  proxy_batch_write_at: ignored("spend is written within a second"),
  disable_spend_logs: ignored("spend is always logged"),
  ...absentGeneral,
} as const;

/** A list of IP addresses and networks (`10.0.0.0/8`, `fd00::/8`). */
function networks(doc: string): Option<readonly string[]> {
  return {
    shape: "a list of addresses and networks",
    initial: [],
    doc,
    read: (value) => {
      const list = typeof value === "string" ? [value] : value;
      if (!Array.isArray(list)) return new WrongValue("expected a list of addresses and networks");
      const wrong = list.findIndex((item) => !isNetwork(String(item)));
      if (wrong === -1) return list as string[];
      return new WrongValue("expected an IP address, or a network such as 10.0.0.0/8", [wrong]);
    },
  };
}
