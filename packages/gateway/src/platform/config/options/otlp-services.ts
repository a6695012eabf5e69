type Environment = Readonly<Record<string, string | undefined>>;

/** Where a destination takes spans. */
interface TracePlace {
  readonly url: string;
  /** May carry secrets. */
  readonly headers: Readonly<Record<string, string>>;
  /** It reads JSON alone, and nothing compressed. */
  readonly wantsJson?: boolean;
}

/** A name among LiteLLM's callbacks that means a destination of spans. */
export interface TraceDestination {
  /** Variables without which it cannot be reached. */
  readonly needs: readonly string[];
  /** What a team gives of its own (`callback_vars`), and the variables that it stands for. */
  readonly own: Readonly<Record<string, string>>;
  /** Those of them that it must give, beyond `needs`: nothing of the operator's stands in for a team's. */
  readonly ownNeeds?: readonly string[];
  target(environment: Environment): TracePlace;
}

const TRACES = "/v1/traces";

/** https://langfuse.com/integrations/native/opentelemetry */
const langfuseAt = (host: string): TraceDestination => ({
  needs: ["LANGFUSE_PUBLIC_KEY", "LANGFUSE_SECRET_KEY"],
  own: {
    langfuse_public_key: "LANGFUSE_PUBLIC_KEY",
    langfuse_secret_key: "LANGFUSE_SECRET_KEY",
    langfuse_secret: "LANGFUSE_SECRET_KEY",
    langfuse_host: "LANGFUSE_HOST",
  },
  target: (env) => ({
    url: `${hostOf(env.LANGFUSE_OTEL_HOST || env.LANGFUSE_HOST || host)}/api/public/otel${TRACES}`,
    headers: {
      authorization: basic(env.LANGFUSE_PUBLIC_KEY, env.LANGFUSE_SECRET_KEY),
      // Without it traces are seen some ten minutes later.
      "x-langfuse-ingestion-version": "4",
    },
  }),
});

/** https://docs.datadoghq.com/opentelemetry/setup/otlp_ingest/traces */
const datadog: TraceDestination = {
  needs: ["DD_API_KEY"],
  own: { dd_api_key: "DD_API_KEY", dd_site: "DD_SITE" },
  target: (env) => ({
    url: `https://otlp.${env.DD_SITE || "datadoghq.com"}${TRACES}`,
    headers: { "dd-api-key": env.DD_API_KEY ?? "", "dd-otlp-source": "llmobs" },
  }),
};

/** The one place to add a service. */
export const services: Readonly<Record<string, TraceDestination>> = {
  // LiteLLM's two integrations differ in the region that they take for granted.
  langfuse: langfuseAt("https://cloud.langfuse.com"),
  langfuse_otel: langfuseAt("https://us.cloud.langfuse.com"),
  datadog,
  datadog_llm_observability: datadog,
  arize: {
    needs: ["ARIZE_API_KEY", "ARIZE_SPACE_ID"],
    own: {
      arize_api_key: "ARIZE_API_KEY",
      arize_space_id: "ARIZE_SPACE_ID",
      arize_space_key: "ARIZE_SPACE_ID",
      arize_http_endpoint: "ARIZE_HTTP_ENDPOINT",
    },
    target: (env) => ({
      url: tracesAt(env.ARIZE_HTTP_ENDPOINT || "https://otlp.arize.com"),
      headers: { space_id: env.ARIZE_SPACE_ID ?? "", api_key: env.ARIZE_API_KEY ?? "" },
    }),
  },
  arize_phoenix: {
    needs: [],
    own: { phoenix_api_key: "PHOENIX_API_KEY", phoenix_endpoint: "PHOENIX_COLLECTOR_HTTP_ENDPOINT" },
    ownNeeds: ["PHOENIX_COLLECTOR_HTTP_ENDPOINT"],
    target: (env) => ({
      url: tracesAt(
        env.PHOENIX_COLLECTOR_HTTP_ENDPOINT || env.PHOENIX_COLLECTOR_ENDPOINT || "http://localhost:6006",
      ),
      headers: env.PHOENIX_API_KEY ? { authorization: `Bearer ${env.PHOENIX_API_KEY}` } : {},
    }),
  },
  weave_otel: {
    needs: ["WANDB_API_KEY", "WANDB_PROJECT_ID"],
    own: {
      wandb_api_key: "WANDB_API_KEY",
      weave_project_id: "WANDB_PROJECT_ID",
      wandb_host: "WANDB_HOST",
    },
    target: (env) => ({
      url: `${hostOf(env.WANDB_HOST || "https://trace.wandb.ai")}/otel${TRACES}`,
      headers: { authorization: basic("api", env.WANDB_API_KEY), project_id: env.WANDB_PROJECT_ID ?? "" },
    }),
  },
  logfire: {
    needs: ["LOGFIRE_TOKEN"],
    own: { logfire_token: "LOGFIRE_TOKEN", logfire_base_url: "LOGFIRE_BASE_URL" },
    target: (env) => ({
      url: tracesAt(env.LOGFIRE_BASE_URL || "https://logfire-api.pydantic.dev"),
      headers: { authorization: env.LOGFIRE_TOKEN ?? "" },
    }),
  },
  // https://docs.langchain.com/langsmith/trace-with-opentelemetry
  langsmith: {
    needs: ["LANGSMITH_API_KEY"],
    own: {
      langsmith_api_key: "LANGSMITH_API_KEY",
      langsmith_project: "LANGSMITH_PROJECT",
      langsmith_base_url: "LANGSMITH_BASE_URL",
    },
    target: (env) => ({
      // The vendor's name of the address, and LiteLLM's.
      url: `${hostOf(env.LANGSMITH_ENDPOINT || env.LANGSMITH_BASE_URL || "https://api.smith.langchain.com")}/otel${TRACES}`,
      headers: {
        "x-api-key": env.LANGSMITH_API_KEY ?? "",
        ...(env.LANGSMITH_PROJECT ? { "langsmith-project": env.LANGSMITH_PROJECT } : {}),
      },
    }),
  },
  // https://docs.litellm.ai/docs/observability/opentelemetry_integration (Traceloop Cloud)
  traceloop: {
    needs: ["TRACELOOP_API_KEY"],
    own: { traceloop_api_key: "TRACELOOP_API_KEY", traceloop_base_url: "TRACELOOP_BASE_URL" },
    target: (env) => ({
      url: tracesAt(env.TRACELOOP_BASE_URL || "https://api.traceloop.com"),
      headers: { authorization: bearer(env.TRACELOOP_API_KEY) },
    }),
  },
  // https://docs.langtrace.ai/supported-integrations/otel-support/otel-configuration
  langtrace: {
    needs: ["LANGTRACE_API_KEY"],
    own: { langtrace_api_key: "LANGTRACE_API_KEY", langtrace_api_host: "LANGTRACE_API_HOST" },
    target: (env) => ({
      url: `${hostOf(env.LANGTRACE_API_HOST || "https://app.langtrace.ai").replace(/\/api\/trace$/, "")}/api/trace`,
      headers: { "x-api-key": env.LANGTRACE_API_KEY ?? "" },
      wantsJson: true,
    }),
  },
  // https://docs.litellm.ai/docs/observability/levo_integration (the address is taken as it is)
  levo: {
    needs: ["LEVOAI_API_KEY", "LEVOAI_ORG_ID", "LEVOAI_WORKSPACE_ID", "LEVOAI_COLLECTOR_URL"],
    own: {
      levoai_api_key: "LEVOAI_API_KEY",
      levoai_org_id: "LEVOAI_ORG_ID",
      levoai_workspace_id: "LEVOAI_WORKSPACE_ID",
      levoai_collector_url: "LEVOAI_COLLECTOR_URL",
    },
    target: (env) => ({
      url: env.LEVOAI_COLLECTOR_URL ?? "",
      headers: {
        authorization: bearer(env.LEVOAI_API_KEY),
        "x-levo-organization-id": env.LEVOAI_ORG_ID ?? "",
        "x-levo-workspace-id": env.LEVOAI_WORKSPACE_ID ?? "",
      },
    }),
  },
  // https://www.braintrust.dev/docs/integrations/opentelemetry
  braintrust: {
    needs: ["BRAINTRUST_API_KEY"],
    own: {
      braintrust_api_key: "BRAINTRUST_API_KEY",
      braintrust_parent: "BRAINTRUST_PARENT",
      braintrust_host: "BRAINTRUST_API_URL",
    },
    target: (env) => ({
      url: `${hostOf(env.BRAINTRUST_API_URL || "https://api.braintrust.dev")}/otel${TRACES}`,
      headers: {
        authorization: bearer(env.BRAINTRUST_API_KEY),
        // LiteLLM's project where none is named.
        "x-bt-parent": env.BRAINTRUST_PARENT || "project_name:litellm",
      },
    }),
  },
  // https://www.comet.com/docs/opik/integrations/opentelemetry
  opik: {
    needs: ["OPIK_API_KEY"],
    own: {
      opik_api_key: "OPIK_API_KEY",
      opik_workspace: "OPIK_WORKSPACE",
      opik_project_name: "OPIK_PROJECT_NAME",
      opik_url_override: "OPIK_URL_OVERRIDE",
    },
    target: (env) => ({
      url: `${hostOf(env.OPIK_URL_OVERRIDE || "https://www.comet.com/opik/api")}/v1/private/otel${TRACES}`,
      headers: {
        authorization: env.OPIK_API_KEY ?? "",
        ...(env.OPIK_WORKSPACE ? { "comet-workspace": env.OPIK_WORKSPACE } : {}),
        ...(env.OPIK_PROJECT_NAME ? { projectname: env.OPIK_PROJECT_NAME } : {}),
      },
    }),
  },
  // https://posthog.com/docs/llm-analytics/installation/opentelemetry (the address has no path for traces)
  posthog: {
    needs: ["POSTHOG_API_KEY"],
    own: { posthog_api_key: "POSTHOG_API_KEY", posthog_api_url: "POSTHOG_API_URL" },
    target: (env) => ({
      url: `${hostOf(env.POSTHOG_API_URL || "https://us.i.posthog.com")}/i/v0/ai/otel`,
      headers: { authorization: bearer(env.POSTHOG_API_KEY) },
    }),
  },
  // https://www.confident-ai.com/docs/integrations/opentelemetry
  deepeval: {
    needs: ["CONFIDENT_API_KEY"],
    own: { confident_api_key: "CONFIDENT_API_KEY", confident_otel_endpoint: "CONFIDENT_OTEL_ENDPOINT" },
    target: (env) => ({
      // Keys say of which region they are.
      url: tracesAt(
        env.CONFIDENT_OTEL_ENDPOINT ||
          `https://${env.CONFIDENT_API_KEY?.startsWith("confident_eu_") ? "eu." : ""}otel.confident-ai.com`,
      ),
      headers: { "x-confident-api-key": env.CONFIDENT_API_KEY ?? "" },
    }),
  },
};

/** An address with the path for traces, which stands there already or not. */
export function tracesAt(address: string): string {
  const base = hostOf(address);
  if (base.endsWith(TRACES)) return base;
  return base.endsWith("/v1") ? `${base}/traces` : `${base}${TRACES}`;
}

function hostOf(address: string): string {
  const full = address.includes("://") ? address : `https://${address}`;
  return full.replace(/\/+$/, "");
}

function basic(user = "", password = ""): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
}

function bearer(key = ""): string {
  return `Bearer ${key}`;
}
