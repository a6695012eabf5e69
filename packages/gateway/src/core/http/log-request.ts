import type { CallRecord } from "../../contract/call-record.ts";
import type { CallTrace } from "../../contract/call-trace.ts";
import type { Deployment } from "../../contract/deployment.ts";
import type { GatewayError } from "../../contract/errors.ts";
import type { Principal } from "../../contract/principal.ts";
import { describeError } from "../../platform/log/describe-error.ts";
import { inOnePiece, JsonLines, type Logger, numberMember, textMember } from "../../platform/log/logger.ts";
import { redact } from "../../platform/log/redact.ts";

/** A request that was answered, as the log and the metrics see it. */
export interface AnsweredRequest {
  readonly callId: string;
  readonly method: string;
  /** The route's pattern, so that ids do not multiply the metrics; `undefined` for unknown paths. */
  readonly route: string | undefined;
  readonly path: string;
  readonly status: number;
  /** Milliseconds until the last byte, or until the caller left. */
  readonly durationMs: number;
  readonly principal: Principal | undefined;
  readonly call: CallRecord | undefined;
  readonly error: GatewayError | undefined;
}

/** Is told of each answered request; must not throw. */
export type RequestObserver = (request: AnsweredRequest) => void;

/** Paths that are asked every few seconds and say nothing about the calls. */
const silent = new Set(["/health/liveliness", "/health/liveness", "/health/readiness", "/metrics"]);

/** Writes one line a request: who, what, how long, how much. Never content, never a key. */
export function logRequests(logger: Logger): RequestObserver {
  const lines = new JsonLines(logger);
  return (request) => {
    const failed = request.error !== undefined && request.error.status >= 500 && request.status !== 499;
    if (failed) lines.write("error", membersOf(request), "request failed");
    else if (!silent.has(request.path)) lines.write("info", membersOf(request), "request");
  };
}

function membersOf(request: AnsweredRequest): string {
  const { call, principal, error } = request;
  return (
    textMember("call_id", request.callId) +
    (request.route === undefined
      ? targetMembers(request.method, redact(request.path.slice(0, 200)))
      : routeMembers(request.method, request.route)) +
    numberMember("status", request.status) +
    numberMember("duration_ms", request.durationMs) +
    (principal === undefined ? "" : callerMembers(principal)) +
    (call === undefined ? "" : callMembers(call)) +
    (error === undefined ? "" : textMember("error", describe(error.status, error)))
  );
}

function targetMembers(method: string, path: string): string {
  return textMember("method", method) + textMember("path", path);
}

/** By the method, then by the route: there are as many as the gateway has. */
const ofRoutes = new Map<string, Map<string, string>>();

function routeMembers(method: string, route: string): string {
  const routes = ofRoutes.get(method) ?? new Map<string, string>();
  let members = routes.get(route);
  if (members === undefined) {
    members = inOnePiece(targetMembers(method, route));
    ofRoutes.set(method, routes.set(route, members));
  }
  return members;
}

const ofPrincipals = new WeakMap<Principal, string>();

/** A key's principal is the same object in all its requests. */
function callerMembers(principal: Principal): string {
  let members = ofPrincipals.get(principal);
  if (members === undefined) {
    members = inOnePiece(
      textMember("key", principal.keyHash.slice(0, 12) || undefined) +
        textMember("key_alias", principal.keyAlias) +
        textMember("user", principal.userId) +
        textMember("team", principal.teamId),
    );
    ofPrincipals.set(principal, members);
  }
  return members;
}

interface ServedMembers {
  readonly model: string | undefined;
  readonly provider: string | undefined;
  readonly text: string;
}

const ofDeployments = new WeakMap<Deployment, ServedMembers>();

/** Deployments are the same objects in all calls until the configuration changes, and nearly always under one name. */
function servedMembers({ model, provider, deployment }: CallRecord): string {
  if (deployment === undefined) return modelMember(model) + textMember("provider", provider);
  let known = ofDeployments.get(deployment);
  if (known === undefined || known.model !== model || known.provider !== provider) {
    const text =
      modelMember(model) + textMember("model_id", deployment.id) + textMember("provider", provider);
    known = { model, provider, text: inOnePiece(text) };
    ofDeployments.set(deployment, known);
  }
  return known.text;
}

/** The name that the caller sent, who may have put a key in its place. */
function modelMember(model: string | undefined): string {
  return textMember("model", model === undefined ? undefined : redact(model.slice(0, 200)));
}

function callMembers(call: CallRecord): string {
  const { trace } = call;
  return (
    (trace === undefined ? "" : traceMembers(trace)) +
    servedMembers(call) +
    numberMember("upstream_ms", call.upstreamMs || undefined) +
    numberMember("retries", call.attemptedRetries || undefined) +
    numberMember("fallbacks", call.attemptedFallbacks || undefined) +
    (call.streamed ? ',"stream":true' : "") +
    numberMember("input_tokens", call.usage?.input) +
    numberMember("output_tokens", call.usage?.output) +
    numberMember("cost", call.cost) +
    (call.status === "pending" ? "" : textMember("outcome", call.status))
  );
}

/** By the names that OpenTelemetry has for them in logs of other formats than its own. */
function traceMembers({ traceId, spanId, isSampled }: CallTrace): string {
  return `,"trace_id":"${traceId}","span_id":"${spanId}","trace_flags":"${isSampled ? "01" : "00"}"`;
}

/** What the operator needs: the causes of failures of ours, the message of what the caller did wrong. */
function describe(status: number, error: Error): string {
  return status >= 500 ? describeError(error) : redact(error.message);
}
