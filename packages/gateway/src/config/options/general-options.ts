import { amount, flag, ignored, oneOf, optional, text } from "../option.ts";

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
  responses_retention_days: amount(
    30,
    "Days for which responses and their items are kept; 0 keeps them until they are deleted.",
  ),
  public_url: optional(
    text(
      "",
      "Address under which callers reach the gateway, for agent cards; otherwise the request's own host.",
    ),
  ),
  public_metrics: flag(false, "Serve /metrics without a key."),
  store_model_in_db: ignored("models come from this file"),
  database_connection_pool_limit: ignored("the pool has ten connections"),
  background_health_checks: ignored("deployments are judged by their calls"),
  health_check_interval: ignored("deployments are judged by their calls"),
  alerting: ignored("alerts are left to the metrics"),
  alerting_threshold: ignored("alerts are left to the metrics"),
  proxy_batch_write_at: ignored("spend is written within a second"),
  disable_spend_logs: ignored("spend is always logged"),
  custom_auth: ignored("keys are the only way in"),
} as const;
