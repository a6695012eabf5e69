import { toGatewayError } from "../../contract/errors.ts";
import type { Reply } from "../../contract/exchange.ts";
import { noUsage, type Usage } from "../../contract/usage.ts";
import type { DialectFormat } from "../../formats/registry.ts";
import { parseJsonObject } from "../../formats/shared/parse-json.ts";
import { callerHeaders, withHeaders } from "../../formats/shared/upstream-headers.ts";
import { toAbortSignal } from "../../util/light-signal.ts";
import type { Plan } from "../routing/plan.ts";
import type { Answer, StreamAnswer, WholeAnswer } from "./answer.ts";
import type { Answered } from "./attempt.ts";
import type { CallDeps, ModelCall } from "./model-call.ts";
import { type PreparedCall, prepareCall } from "./prepare-call.ts";
import { reserveForCall } from "./reserve.ts";
import { planFor, runAttempts } from "./run-attempts.ts";
import { Settlement } from "./settlement.ts";

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
    const plan = planFor(prepared, prepared.model);
    const reserving = reserveForCall(prepared, plan);
    settlement.reserved(reserving instanceof Promise ? await reserving : reserving);
    if (call.onAdmitted !== undefined) await call.onAdmitted();
    const result = deps.hooks.has("duringCall")
      ? await attemptsBesideHooks(prepared, plan, settlement)
      : settlement.answered(await runAttempts(prepared, plan));
    const { answer } = result;
    if (answer.kind === "stream") return streamedReply(prepared, answer, settlement);
    // Most calls have nothing to wait for here.
    if (answer.usage === undefined || deps.hooks.has("postCallSuccess"))
      return await hookedReply(prepared, answer, settlement);
    return wholeReply(prepared, answer, answer.usage, settlement);
  } catch (thrown) {
    const error = toGatewayError(thrown);
    await settlement.failed(error);
    throw withHeaders(error, settlement.limitHeaders());
  }
}

/** The first hook that refuses stops the attempts; no byte has gone out by then. */
async function attemptsBesideHooks(
  prepared: PreparedCall,
  plan: Plan,
  settlement: Settlement,
): Promise<Answered> {
  const { deps } = prepared;
  const answered = (result: Answered): Answered => settlement.answered(result);
  const refused = new AbortController();
  const signal = AbortSignal.any([toAbortSignal(prepared.signal), refused.signal]);
  const attempts = runAttempts({ ...prepared, signal }, plan).then(answered);
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

async function leave({ answer }: Answered): Promise<void> {
  if (answer.kind === "stream") await answer.stream.return?.();
}

/** The answer as the post-call hooks leave it, its usage estimated where the provider did not count. */
async function hookedReply(
  prepared: PreparedCall,
  answer: WholeAnswer,
  settlement: Settlement,
): Promise<Reply> {
  const { deps } = prepared;
  let { body } = answer;
  if (deps.hooks.has("postCallSuccess")) {
    const parsed = Buffer.isBuffer(body) ? parseJsonObject(body.toString("utf8"))! : body;
    const given = prepared.call.view?.answer(parsed) ?? parsed;
    const changed = await deps.hooks.postCallSuccess(prepared.hookContext, given);
    if (changed !== given || deps.hooks.changesInPlace("postCallSuccess")) body = changed;
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

function streamedReply(prepared: PreparedCall, answer: StreamAnswer, settlement: Settlement): Reply {
  settlement.followStream(answer);
  const { hooks } = prepared.deps;
  const stream = hooks.has("postCallStream") ? hookedStream(prepared, answer, settlement) : answer.stream;
  const headers = replyHeaders(prepared, answer, "text/event-stream; charset=utf-8", settlement);
  headers["cache-control"] = "no-cache";
  return { status: 200, headers, stream };
}

/** A hook that fails in the middle ends the stream as a broken one, in the dialect's error event. */
async function* hookedStream(
  { deps, call, hookContext }: PreparedCall,
  answer: StreamAnswer,
  settlement: Settlement,
): AsyncGenerator<Uint8Array> {
  const source = (call.view?.stream(answer.stream) ?? answer.stream)[Symbol.asyncIterator]();
  // A hook that fails leaves its loop first; the stream must not be taken for one that its caller left.
  const lent: AsyncIterable<Uint8Array> = {
    [Symbol.asyncIterator]: () => ({
      next: () => source.next(),
      return: async () => ({ done: true, value: undefined }),
    }),
  };
  try {
    yield* deps.hooks.postCallStream(hookContext, lent);
  } catch (thrown) {
    const error = toGatewayError(thrown);
    settlement.streamRefused(error);
    yield Buffer.from(deps.dialectOf(call.format as DialectFormat).errorEvent(error));
  } finally {
    await source.return?.();
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
