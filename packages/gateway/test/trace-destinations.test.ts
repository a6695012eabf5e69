import { startSimulator } from "portico-simulator";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { traceDestinations, traceTargets } from "../src/platform/config/options/otlp-targets.ts";
import { formatProblem } from "../src/platform/config/problem.ts";
import { readConfig } from "../src/platform/config/read/read-config.ts";
import { MASTER_KEY, startTestGateway } from "./support/gateway.ts";
import { startCollector } from "./support/otlp-collector.ts";

interface Documented {
  /** Where the service says that spans go, and how it knows whose they are. */
  readonly source: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The variable that names another host; absent where a service has its own alone. */
  readonly host?: string;
  /** What it has behind the host. */
  readonly below?: string;
  readonly wantsJson?: true;
}

const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;

const langfuse = {
  source: "https://langfuse.com/integrations/native/opentelemetry",
  environment: { LANGFUSE_PUBLIC_KEY: "pk-lf-1", LANGFUSE_SECRET_KEY: "sk-lf-1" },
  headers: { authorization: basic("pk-lf-1:sk-lf-1"), "x-langfuse-ingestion-version": "4" },
};
const datadog = {
  source: "https://docs.datadoghq.com/llm_observability/instrumentation/otel_instrumentation",
  environment: { DD_API_KEY: "dd-1", DD_SITE: "us3.datadoghq.com" },
  url: "https://otlp.us3.datadoghq.com/v1/traces",
  headers: { "dd-api-key": "dd-1", "dd-otlp-source": "llmobs" },
};

/** Every name that sends spans, with what the service's own pages say. */
const documented: Readonly<Record<string, Documented>> = {
  otel: {
    source: "https://opentelemetry.io/docs/specs/otel/protocol/exporter/",
    environment: { OTEL_EXPORTER_OTLP_HEADERS: "x-token=a%20b" },
    url: "http://localhost:4318/v1/traces",
    headers: { "x-token": "a b" },
    host: "OTEL_EXPORTER_OTLP_ENDPOINT",
  },
  langfuse: {
    ...langfuse,
    url: "https://cloud.langfuse.com/api/public/otel/v1/traces",
    host: "LANGFUSE_HOST",
  },
  langfuse_otel: {
    ...langfuse,
    url: "https://us.cloud.langfuse.com/api/public/otel/v1/traces",
    host: "LANGFUSE_OTEL_HOST",
  },
  datadog,
  datadog_llm_observability: datadog,
  arize: {
    source: "https://arize.com/docs/ax/observe/tracing/setup",
    environment: { ARIZE_API_KEY: "ak-1", ARIZE_SPACE_ID: "space-1" },
    url: "https://otlp.arize.com/v1/traces",
    headers: { api_key: "ak-1", space_id: "space-1" },
    host: "ARIZE_HTTP_ENDPOINT",
  },
  arize_phoenix: {
    source: "https://arize.com/docs/phoenix/tracing/how-to-tracing/setup-tracing",
    environment: { PHOENIX_API_KEY: "px-1" },
    url: "http://localhost:6006/v1/traces",
    headers: { authorization: "Bearer px-1" },
    host: "PHOENIX_COLLECTOR_HTTP_ENDPOINT",
  },
  weave_otel: {
    source: "https://docs.wandb.ai/weave/guides/tracking/otel",
    environment: { WANDB_API_KEY: "wb-1", WANDB_PROJECT_ID: "us/project" },
    url: "https://trace.wandb.ai/otel/v1/traces",
    headers: { authorization: basic("api:wb-1"), project_id: "us/project" },
    host: "WANDB_HOST",
  },
  logfire: {
    source: "https://logfire.pydantic.dev/docs/how-to-guides/alternative-clients/",
    environment: { LOGFIRE_TOKEN: "lf-1" },
    url: "https://logfire-api.pydantic.dev/v1/traces",
    headers: { authorization: "lf-1" },
    host: "LOGFIRE_BASE_URL",
  },
  langsmith: {
    source: "https://docs.langchain.com/langsmith/trace-with-opentelemetry",
    environment: { LANGSMITH_API_KEY: "ls-1", LANGSMITH_PROJECT: "mine" },
    url: "https://api.smith.langchain.com/otel/v1/traces",
    headers: { "x-api-key": "ls-1", "langsmith-project": "mine" },
    host: "LANGSMITH_ENDPOINT",
  },
  traceloop: {
    source: "https://docs.litellm.ai/docs/observability/opentelemetry_integration",
    environment: { TRACELOOP_API_KEY: "tl-1" },
    url: "https://api.traceloop.com/v1/traces",
    headers: { authorization: "Bearer tl-1" },
    host: "TRACELOOP_BASE_URL",
  },
  langtrace: {
    source: "https://docs.langtrace.ai/supported-integrations/otel-support/otel-configuration",
    environment: { LANGTRACE_API_KEY: "lt-1", OTEL_EXPORTER_OTLP_COMPRESSION: "gzip" },
    url: "https://app.langtrace.ai/api/trace",
    headers: { "x-api-key": "lt-1" },
    host: "LANGTRACE_API_HOST",
    wantsJson: true,
  },
  levo: {
    source: "https://docs.litellm.ai/docs/observability/levo_integration",
    environment: {
      LEVOAI_API_KEY: "lv-1",
      LEVOAI_ORG_ID: "org-1",
      LEVOAI_WORKSPACE_ID: "workspace-1",
      LEVOAI_COLLECTOR_URL: "https://collector.levo.ai",
    },
    url: "https://collector.levo.ai",
    headers: {
      authorization: "Bearer lv-1",
      "x-levo-organization-id": "org-1",
      "x-levo-workspace-id": "workspace-1",
    },
    host: "LEVOAI_COLLECTOR_URL",
  },
  braintrust: {
    source: "https://www.braintrust.dev/docs/integrations/opentelemetry",
    environment: { BRAINTRUST_API_KEY: "bt-1", BRAINTRUST_PARENT: "project_id:1" },
    url: "https://api.braintrust.dev/otel/v1/traces",
    headers: { authorization: "Bearer bt-1", "x-bt-parent": "project_id:1" },
    host: "BRAINTRUST_API_URL",
  },
  opik: {
    source: "https://www.comet.com/docs/opik/integrations/opentelemetry",
    environment: { OPIK_API_KEY: "op-1", OPIK_WORKSPACE: "team", OPIK_PROJECT_NAME: "mine" },
    url: "https://www.comet.com/opik/api/v1/private/otel/v1/traces",
    headers: { authorization: "op-1", "comet-workspace": "team", projectname: "mine" },
    host: "OPIK_URL_OVERRIDE",
    below: "/opik/api",
  },
  posthog: {
    source: "https://posthog.com/docs/llm-analytics/installation/opentelemetry",
    environment: { POSTHOG_API_KEY: "phc_1" },
    url: "https://us.i.posthog.com/i/v0/ai/otel",
    headers: { authorization: "Bearer phc_1" },
    host: "POSTHOG_API_URL",
  },
  deepeval: {
    source: "https://www.confident-ai.com/docs/integrations/opentelemetry",
    environment: { CONFIDENT_API_KEY: "cf-1" },
    url: "https://otel.confident-ai.com/v1/traces",
    headers: { "x-confident-api-key": "cf-1" },
    host: "CONFIDENT_OTEL_ENDPOINT",
  },
};

/** LiteLLM's other names of services, which have no effect here. */
const without =
  `agentops argilla athina aws_sqs azure_sentinel azure_storage cloudzero dynamodb galileo gcs_bucket
  gcs_pubsub greenscale helicone humanloop lago literalai lunary mlflow openmeter
  pagerduty promptlayer resend_email s3 s3_v2 sendgrid_email sentry slack smtp_email supabase wandb`.split(
    /\s+/,
  );

const lists = (callbacks: readonly string[]) => ({ callbacks, successCallback: [], failureCallback: [] });

let simulator: Awaited<ReturnType<typeof startSimulator>>;
beforeAll(async () => {
  simulator = await startSimulator();
});
afterAll(() => simulator?.close());

it("has every destination among what services document", () => {
  expect(Object.keys(documented).toSorted()).toEqual(traceDestinations.toSorted());
});

describe.each(Object.entries(documented))("%s", (name, documentedOne) => {
  const { environment, url, headers, host, below = "", wantsJson } = documentedOne;
  it("goes where the service says, with the headers that it wants", () => {
    expect(traceTargets(lists([name]), environment)).toEqual([
      { name, url, headers, ...(wantsJson && { wantsJson }) },
    ]);
  });

  it("stands in each of LiteLLM's lists, and sends nothing while OpenTelemetry is switched off", () => {
    const none = lists([]);
    for (const list of ["callbacks", "successCallback", "failureCallback"])
      expect(traceTargets({ ...none, [list]: [name] }, environment)).toHaveLength(1);
    expect(traceTargets(lists([name]), { ...environment, OTEL_SDK_DISABLED: "true" })).toEqual([]);
  });

  // Datadog has its own hosts alone.
  if (host === undefined) return;

  it("brings the spans of a call to the path that the service reads", async () => {
    const service = await startCollector();
    // JSON is for collectors: not every service reads it.
    const gateway = await startTestGateway({
      config: `
model_list:
  - {model_name: plain, litellm_params: {model: hosted_vllm/m, api_key: k, api_base: "${simulator.url}/compat/v1"}}
litellm_settings: {success_callback: [${name}]}
general_settings: {master_key: ${MASTER_KEY}}
`,
      environment: {
        ...environment,
        [host]: `${service.url}${below}`,
        OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
        OTEL_BSP_SCHEDULE_DELAY: "20",
      },
    });
    try {
      const body = { model: "plain", messages: [{ role: "user", content: "hi" }] };
      const answer = await gateway.call("/v1/chat/completions", { body, key: MASTER_KEY });
      expect(answer.status).toBe(200);
      await answer.text();
    } finally {
      // What is there is sent before the gateway ends.
      await gateway.close();
      service.close();
    }
    const type = name === "otel" || wantsJson ? "application/json" : "application/x-protobuf";
    expect(service.requests.length).toBeGreaterThan(0);
    for (const request of service.requests) {
      expect(request.path).toBe(new URL(url).pathname);
      expect(request.headers).toMatchObject({ ...headers, "content-type": type });
      if (wantsJson) expect(request.headers).not.toHaveProperty("content-encoding");
    }
    expect(service.spans.filter(({ kind }) => kind === 3)).toHaveLength(1);
    expect(service.faults).toEqual([]);
  });
});

it.each(without)("%s has no effect, and the gateway says so in each list", (name) => {
  for (const list of ["callbacks", "success_callback", "failure_callback"]) {
    const text = `litellm_settings: {${list}: [${name}]}`;
    const { warnings } = readConfig("config.yaml", text, {});
    expect(warnings.map(formatProblem).join("\n")).toContain(`${name} has no effect here`);
  }
});
