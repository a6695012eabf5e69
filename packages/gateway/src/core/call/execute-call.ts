import { GatewayError } from "../../contract/errors.ts";
import type { Reply } from "../../contract/exchange.ts";
import { noUsage, type Usage } from "../../contract/usage.ts";
import type { DialectFormat } from "../../formats/registry.ts";
import { parseJsonObject } from "../../formats/shared/parse-json.ts";
import { toAbortSignal } from "../../util/light-signal.ts";
import type { Plan } from "../routing/plan.ts";
import type { Answer, StreamAnswer, WholeAnswer } from "./answer.ts";
import type { AttemptResult } from "./attempt.ts";
import { expectedUsage } from "./estimate.ts";
import type { CallDeps, ModelCall } from "./model-call.ts";
import { prepareCall } from "./prepare-call.ts";
import type { PreparedCall } from "./prepared-call.ts";
import { planFor, runAttempts } from "./run-attempts.ts";
import { Settlement } from "./settlement.ts";
import { callerHeaders, withHeaders } from "./upstream-headers.ts";

/**
 * The one way of a model call through the gateway: pre-call hooks, plan, limits, attempts with the during-call hooks
 * beside them, post-call hooks, settlement. A stream is handed over when its first content has arrived; until then
 * every failure leads to the next attempt.
 * @returns the answer in the caller's format; its stream must be read to its end or left with `return()`
 * @throws GatewayError when no deployment answered, the call was refused, or its signal aborted
 */
export async function executeCall(deps: CallDeps, call: ModelCall): Promise<Reply> {
  const settlement = new Settlement(deps, call);
  try {
    const preparing = prepareCall(deps, call);
    const prepared = preparing instanceof Promise ? await preparing : preparing;
    settlement.prepared(prepared);
    const plan = planFor(deps, prepared, prepared.model);
    const reserving = reserve(deps, prepared, plan);
    settlement.reserved(reserving instanceof Promise ? await reserving : reserving);
    const result = deps.hooks.has("duringCall")
      ? await attemptsBesideHooks(deps, prepared, plan, settlement)
      : settlement.answered(await runAttempts(deps, prepared, plan, call.signal));
    const { answer } = result;
    if (answer.kind === "stream") return streamedReply(deps, prepared, answer, settlement);
    // Most calls have nothing to wait for here.
    if (answer.usage === undefined || deps.hooks.has("postCallSuccess"))
      return await hookedReply(deps, prepared, answer, settlement);
    return wholeReply(prepared, answer, answer.usage, settlement);
  } catch (thrown) {
    const error = thrown instanceof GatewayError ? thrown : internalError(thrown);
    await settlement.failed(error);
    throw withHeaders(error, settlement.limitHeaders());
  }
}

function reserve(deps: CallDeps, prepared: PreparedCall, plan: Plan) {
  const expected = expectedUsage(prepared);
  const target = plan.attempts[0] ?? plan.resolution.targets[0]!;
  const { principal } = prepared.call;
  const hasBudget = principal.limits.maxBudget !== undefined;
  return deps.limiter.reserve({
    principal,
    model: prepared.model,
    estimatedTokens: expected.input + expected.output,
    estimatedCost: hasBudget ? (deps.costOf(target.deployment, target.model, expected) ?? 0) : 0,
  });
}

/** The first hook that refuses stops the attempts; no byte has gone out by then. */
async function attemptsBesideHooks(
  deps: CallDeps,
  prepared: PreparedCall,
  plan: Plan,
  settlement: Settlement,
): Promise<AttemptResult> {
  const { signal } = prepared.call;
  const answered = (result: AttemptResult): AttemptResult => settlement.answered(result);
  const refused = new AbortController();
  const either = AbortSignal.any([toAbortSignal(signal), refused.signal]);
  const attempts = runAttempts(deps, prepared, plan, either).then(answered);
  const beside = deps.hooks.duringCall(prepared.hookContext);
  try {
    const [result] = await Promise.all([attempts, beside]);
    return result;
  } catch (error) {
    refused.abort(error);
    await attempts.then(leave, () => undefined);
    throw error;
  }
}

async function leave({ answer }: AttemptResult): Promise<void> {
  if (answer.kind === "stream") await answer.stream.return?.();
}

/** The answer as the post-call hooks leave it, its usage estimated where the provider did not count. */
async function hookedReply(
  deps: CallDeps,
  prepared: PreparedCall,
  answer: WholeAnswer,
  settlement: Settlement,
): Promise<Reply> {
  let { body } = answer;
  if (deps.hooks.has("postCallSuccess")) {
    const parsed = Buffer.isBuffer(body) ? parseJsonObject(body.toString("utf8"))! : body;
    const given = prepared.call.view?.answer(parsed) ?? parsed;
    const changed = await deps.hooks.postCallSuccess(prepared.hookContext, given);
    if (changed !== given) body = changed;
  }
  const { isAccountedLater = false } = prepared.call;
  const usage = answer.usage ?? (isAccountedLater ? noUsage : await settlement.estimatedUsage());
  return wholeReply(prepared, { ...answer, body }, usage, settlement);
}

function wholeReply(
  prepared: PreparedCall,
  answer: WholeAnswer,
  usage: Usage,
  settlement: Settlement,
): Reply {
  settlement.succeeded(usage);
  const headers = replyHeaders(prepared, answer, answer.contentType, settlement);
  return { status: 200, headers, body: answer.body };
}

function streamedReply(
  deps: CallDeps,
  prepared: PreparedCall,
  answer: StreamAnswer,
  settlement: Settlement,
): Reply {
  settlement.followStream(answer);
  const stream = deps.hooks.has("postCallStream") ? hookedStream(deps, prepared, answer) : answer.stream;
  const headers = replyHeaders(prepared, answer, "text/event-stream; charset=utf-8", settlement);
  headers["cache-control"] = "no-cache";
  return { status: 200, headers, stream };
}

/** A hook that fails in the middle ends the stream as a broken one, in the dialect's error event. */
async function* hookedStream(
  deps: CallDeps,
  { call, hookContext }: PreparedCall,
  answer: StreamAnswer,
): AsyncGenerator<Uint8Array> {
  try {
    const stream = call.view?.stream(answer.stream) ?? answer.stream;
    yield* deps.hooks.postCallStream(hookContext, stream);
  } catch (thrown) {
    const error = thrown instanceof GatewayError ? thrown : internalError(thrown);
    yield Buffer.from(deps.dialectOf(call.format as DialectFormat).errorEvent(error));
  }
}

function replyHeaders(
  { call }: PreparedCall,
  answer: Answer,
  contentType: string,
  settlement: Settlement,
): Record<string, string> {
  const headers = callerHeaders(answer.headers, call.family);
  Object.assign(headers, settlement.limitHeaders());
  headers["content-type"] = contentType;
  return headers;
}

function internalError(thrown: unknown): GatewayError {
  return new GatewayError(500, "api_error", "Internal server error", { cause: thrown });
}
