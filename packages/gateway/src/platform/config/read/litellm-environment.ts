import { proxyProblems } from "../../transport/proxies.ts";
import type { ProblemReport } from "../document/problem-report.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** Variables by which LiteLLM takes its settings, and what stands for them here, by the reason. */
const withoutEffect = {
  "answers are served at the address that callers use; a proxy in front may take a prefix away": [
    "SERVER_ROOT_PATH",
  ],
  "certificates are always checked; NODE_EXTRA_CA_CERTS adds authorities": [
    "SSL_VERIFY",
    "SSL_CERTIFICATE",
    "SSL_SECURITY_LEVEL",
  ],
  "set `request_timeout` in `litellm_settings`": ["REQUEST_TIMEOUT"],
  "set `drop_params` in `litellm_settings`": ["LITELLM_DROP_PARAMS"],
  "set `cooldown_time` in `router_settings`": ["DEFAULT_COOLDOWN_TIME_SECONDS"],
  "set `allowed_fails` in `router_settings`": ["DEFAULT_ALLOWED_FAILS"],
  "set `num_retries` in `router_settings`": ["DEFAULT_MAX_RETRIES"],
  "set `max_fallbacks` in `router_settings`": ["ROUTER_MAX_FALLBACKS"],
  "use --log-level": ["LITELLM_LOG"],
  "name the file by --config": ["CONFIG_FILE_PATH"],
  "secrets come from the environment": [
    "USE_AWS_KMS",
    "HCP_VAULT_ADDR",
    "AZURE_KEY_VAULT_URI",
    "GOOGLE_SECRET_MANAGER_PROJECT_ID",
    "GOOGLE_KMS_RESOURCE_NAME",
    "CYBERARK_API_BASE",
  ],
  "one server of Redis is used, by REDIS_URL or REDIS_HOST": [
    "REDIS_CLUSTER_NODES",
    "REDIS_GCP_SERVICE_ACCOUNT",
  ],
  "the database takes a password (DATABASE_URL)": ["IAM_TOKEN_DB_AUTH"],
  "the tables stand in the schema that the user's search_path names": ["DATABASE_SCHEMA"],
  "everything is read from DATABASE_URL": ["DATABASE_URL_READ_REPLICA", "DATABASE_HOST_READ_REPLICA"],
  "people sign in with a key, or at the provider that `sso` names": ["UI_USERNAME", "UI_PASSWORD"],
  "the master key's user is the administrator": ["PROXY_ADMIN_ID"],
  "health is served with all else": ["SEPARATE_HEALTH_APP"],
  "set `organization` at the deployment": ["OPENAI_ORGANIZATION"],
  "prices come with the release; deployments may set their own": ["LITELLM_MODEL_COST_MAP_URL"],
  "e-mails go through SMTP_HOST": ["SENDGRID_API_KEY", "RESEND_API_KEY"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** Of these somebody expects that something is kept from callers. */
const notEnforced = {
  "everybody sees the console's sign-in; `ui_access_mode` is not there either": ["DISABLE_ADMIN_UI"],
  "the description of the API is public": ["NO_DOCS", "NO_REDOC", "NO_OPENAPI"],
  "set `user_allowed_email_domain` in `sso`": ["ALLOWED_EMAIL_DOMAINS"],
  "limits are counted by the minute": ["LITELLM_RATE_LIMIT_WINDOW_SIZE"],
  "set `request_timeout` in `litellm_settings`": ["LITELLM_MAX_STREAMING_DURATION_SECONDS"],
  "give keys a `duration`, or renew them by /key/regenerate": ["LITELLM_KEY_ROTATION_ENABLED"],
  "give soft_budget to keys": ["DEFAULT_SOFT_BUDGET"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/**
 * Warns of variables by which LiteLLM would do something that the gateway does not, where they are set; a proxy that the
 * gateway cannot use is an error, as calls would go out past it.
 */
export function warnOfVariables(document: ProblemReport, environment: Environment): void {
  const tables = [
    ["has no effect here", withoutEffect],
    ["is NOT ENFORCED here", notEnforced],
  ] as const;
  for (const [effect, table] of tables)
    for (const [reason, names] of Object.entries<readonly string[]>(table))
      for (const name of names)
        if (isSet(environment[name]))
          document.warn([], `the environment variable ${name} ${effect}: ${reason}`);
  for (const problem of proxyProblems(environment)) document.error([], problem);
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && !["", "false", "0", "no", "off"].includes(value.toLowerCase());
}

/**
 * An environment with the DATABASE_URL that LiteLLM makes of the database's parts, as its Helm chart gives them.
 * @returns the same one where it has a DATABASE_URL, or not all that one needs
 */
export function withDatabaseUrl(environment: Environment): Environment {
  const { DATABASE_URL, DATABASE_HOST: host, DATABASE_PORT: port, DATABASE_NAME: name } = environment;
  const user = environment.DATABASE_USERNAME || environment.DATABASE_USER;
  if (DATABASE_URL || !host || !user || !name) return environment;
  const password = environment.DATABASE_PASSWORD;
  const who = `${encodeURIComponent(user)}${password ? `:${encodeURIComponent(password)}` : ""}`;
  const where = port && !/:\d+$/.test(host) ? `${host}:${port}` : host;
  return { ...environment, DATABASE_URL: `postgresql://${who}@${where}/${encodeURIComponent(name)}` };
}
