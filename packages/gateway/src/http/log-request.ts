import { describeError } from "../observability/describe-error.ts";
import type { Logger } from "../observability/logger.ts";
import { redact } from "../observability/redact.ts";
import type { AnsweredRequest, RequestObserver } from "./request-log.ts";

/** Paths that are asked every few seconds and say nothing about the calls. */
const silent = new Set(["/health/liveliness", "/health/liveness", "/health/readiness", "/metrics"]);

/** Writes one line a request: who, what, how long, how much. Never content, never a key. */
export function logRequests(logger: Logger): RequestObserver {
  return (request) => {
    const failed = request.error !== undefined && request.error.status >= 500 && request.status !== 499;
    if (failed) {
      logger.error(lineOf(request), "request failed");
      return;
    }
    if (!silent.has(request.path)) logger.info(lineOf(request), "request");
  };
}

function lineOf(request: AnsweredRequest): Record<string, unknown> {
  const { call, principal, error } = request;
  return {
    call_id: request.callId,
    method: request.method,
    path: request.route ?? request.path.slice(0, 200),
    status: request.status,
    duration_ms: request.durationMs,
    key: principal?.keyHash.slice(0, 12) || undefined,
    key_alias: principal?.keyAlias,
    user: principal?.userId,
    team: principal?.teamId,
    model: call?.model,
    model_id: call?.deployment?.id,
    provider: call?.provider,
    upstream_ms: call?.upstreamMs || undefined,
    retries: call?.attemptedRetries || undefined,
    fallbacks: call?.attemptedFallbacks || undefined,
    stream: call?.streamed || undefined,
    input_tokens: call?.usage?.input,
    output_tokens: call?.usage?.output,
    cost: call?.cost,
    outcome: call?.status === "pending" ? undefined : call?.status,
    error: error === undefined ? undefined : describe(error.status, error),
  };
}

/** What the operator needs: the causes of failures of ours, the message of what the caller did wrong. */
function describe(status: number, error: Error): string {
  return status >= 500 ? describeError(error) : redact(error.message);
}
