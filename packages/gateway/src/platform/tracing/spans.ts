import type { CallRecord } from "../../contract/call-record.ts";
import type { TracedCall, TracedRequest } from "../../contract/call-trace.ts";
import { redact } from "../log/redact.ts";
import { CLIENT, INTERNAL, SERVER, type SpanFacts } from "./readable-span.ts";
import type { RecordedAttempt, RecordedTrace } from "./recorded-trace.ts";

/** Characters of a value that a caller or a provider chose. */
const MAX_TEXT = 256;

type Attributes = SpanFacts["attributes"];

/** Operations by the names of OpenTelemetry's conventions for generative AI; others keep the spend log's. */
const operations: Readonly<Record<string, string>> = {
  acompletion: "chat",
  anthropic_messages: "chat",
  aresponses: "chat",
  abatch_row: "chat",
  agenerate_content: "generate_content",
  agenerate_content_stream: "generate_content",
  aembedding: "embeddings",
  asend_message: "invoke_agent",
};

/** Providers whose names there differ from the configuration's. */
const providerNames: Readonly<Record<string, string>> = {
  azure: "azure.ai.openai",
  azure_ai: "azure.ai.inference",
  bedrock: "aws.bedrock",
  gemini: "gcp.gemini",
  mistral: "mistral_ai",
  vertex_ai: "gcp.vertex_ai",
  xai: "x_ai",
};

/** The span of an HTTP request (semantic conventions for HTTP servers). */
export function requestSpan(
  trace: RecordedTrace,
  call: TracedCall,
  { method, route, status, error }: TracedRequest,
  endedAt: number,
): SpanFacts {
  return {
    name: route === undefined ? method : `${method} ${route}`,
    kind: SERVER,
    spanId: trace.spanId,
    parentId: trace.parent?.spanId,
    startedAt: trace.startedAt,
    endedAt,
    attributes: {
      "http.request.method": method,
      "http.response.status_code": status,
      ...defined({
        "http.route": route,
        "error.type": status >= 400 ? (error?.type ?? `${status}`) : undefined,
      }),
      ...attributesOfCall(call),
    },
    // What a caller did wrong is no failure of the server's.
    failure: status >= 500 ? (error?.type ?? `${status}`) : undefined,
  };
}

/** The span of a call that came from inside the gateway: a row of a batch, a response in the background. */
export function jobSpan(trace: RecordedTrace, call: TracedCall, endedAt: number): SpanFacts {
  const { callType, status } = call.record;
  return {
    name: callType,
    kind: INTERNAL,
    spanId: trace.spanId,
    parentId: undefined,
    startedAt: trace.startedAt,
    endedAt,
    attributes: attributesOfCall(call),
    failure: status === "failure" ? status : undefined,
  };
}

/** The span of one try at a provider (semantic conventions for generative AI clients). */
export function attemptSpan(
  trace: RecordedTrace,
  attempt: RecordedAttempt,
  { record }: TracedCall,
  endedAt: number,
): SpanFacts {
  const { target, error, answeredAt, startedAt } = attempt;
  const { deployment, model } = target;
  const operation = operations[record.callType] ?? record.callType;
  const isFailed = error !== undefined;
  const isLast = attempt === trace.attempts.at(-1);
  return {
    name: `${operation} ${shortened(model)}`,
    kind: CLIENT,
    spanId: attempt.spanId,
    parentId: trace.spanId,
    startedAt,
    endedAt: attempt.endedAt ?? endedAt,
    attributes: {
      "gen_ai.operation.name": operation,
      "gen_ai.provider.name": providerNames[deployment.provider] ?? deployment.provider,
      "gen_ai.request.model": shortened(model),
      "portico.deployment.id": deployment.id,
      "portico.native": record.native,
      ...defined({
        "error.type": isFailed ? error.type : undefined,
        "portico.upstream.status_code": isFailed ? error.status : undefined,
        "portico.time_to_first_content":
          record.streamed && answeredAt !== undefined ? (answeredAt - startedAt) / 1000 : undefined,
      }),
      ...addressOf(record.apiBase),
      ...(isLast && !isFailed ? usageOf(record) : {}),
    },
    failure: isFailed ? error.type : undefined,
  };
}

/** Whose call it is and what it came to: ids and figures, never content, never a key. */
function attributesOfCall({ callId, principal, record }: TracedCall): Attributes {
  const { customer, tags = [] } = record.named ?? {};
  return {
    "portico.call_id": callId,
    ...defined({
      "gen_ai.request.model": textOf(record.model),
      "portico.key.hash": principal?.keyHash.slice(0, 12) || undefined,
      "portico.key.alias": textOf(principal?.keyAlias),
      "user.id": textOf(principal?.userId),
      "portico.team.id": textOf(principal?.teamId),
      "portico.organization.id": textOf(principal?.organizationId),
      "portico.customer.id": textOf(customer),
      "portico.tags": tags.length === 0 ? undefined : tags.slice(0, 20).map(shortened),
      "portico.retries": record.attemptedRetries || undefined,
      "portico.fallbacks": record.attemptedFallbacks || undefined,
      "portico.cache_hit": record.isCacheHit || undefined,
      "portico.outcome": record.status === "pending" ? undefined : record.status,
    }),
  };
}

function usageOf({ usage, cost }: CallRecord): Attributes {
  return defined({
    "gen_ai.usage.input_tokens": usage?.input,
    "gen_ai.usage.output_tokens": usage?.output,
    "gen_ai.usage.cache_read.input_tokens": usage?.cacheRead || undefined,
    "gen_ai.usage.cache_creation.input_tokens": usage?.cacheWrite || undefined,
    // US dollars, by the name under which Langfuse and others look for it.
    "gen_ai.usage.cost": cost,
  });
}

function addressOf(apiBase: string | undefined): Attributes {
  const url = apiBase === undefined ? null : URL.parse(apiBase);
  if (url === null) return {};
  return {
    "server.address": url.hostname,
    "server.port": Number(url.port) || (url.protocol === "http:" ? 80 : 443),
  };
}

function defined(attributes: Attributes): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined));
}

function textOf(text: string | undefined): string | undefined {
  return text === undefined ? undefined : shortened(text);
}

/** Somebody may have put a key where a name belongs. */
function shortened(text: string): string {
  return redact(text.slice(0, MAX_TEXT));
}
