import { toGatewayError } from "../../contract/errors.ts";
import type { Reply } from "../../contract/exchange.ts";
import type { HookContext } from "../../contract/hook.ts";
import { noUsage, type Usage } from "../../contract/usage.ts";
import type { DialectFormat } from "../../formats/registry.ts";
import { parseJsonObject } from "../../formats/shared/parse-json.ts";
import { callerHeaders, withHeaders } from "../../formats/shared/upstream-headers.ts";
import { toAbortSignal } from "../../util/light-signal.ts";
import type { CallHooks } from "../hooks/hook-runner.ts";
import type { Reservation } from "../limits/limiter.ts";
import { routeCall } from "../routing/route-call.ts";
import type { Answer, StreamAnswer, WholeAnswer } from "./answer.ts";
import { openAttempt } from "./attempt.ts";
import type { CallDeps, ModelCall } from "./model-call.ts";
import { type PreparedCall, prepareCall } from "./prepare-call.ts";
import { reserveForCall } from "./reserve.ts";
import { routeRequest } from "./route-request.ts";
import { Settlement } from "./settlement.ts";

/**
 * The one way of a model call through the gateway: pre-call hooks, plan, limits, attempts with the during-call hooks
 * beside them, post-call hooks, settlement. A stream is handed over when its first content has arrived; until then
 * every failure leads to the next attempt.
 * @returns the answer in the caller's format; its stream must be read to its end or left with `return()`
 * @throws GatewayError when no deployment answered, the call was refused, or its signal aborted
 */
export async function executeCall(deps: CallDeps, call: ModelCall): Promise<Reply> {
  const hooks = deps.hooks.ofCall();
  const settlement = new Settlement(deps, call, hooks);
  try {
    const preparing = prepareCall(deps, call, hooks);
    const prepared = preparing instanceof Promise ? await preparing : preparing;
    settlement.prepared(prepared);
    const answer = await (hooks.duringCall === undefined
      ? route(prepared, settlement)
      : routeBesideHooks(prepared, settlement, hooks.duringCall));
    if (answer.kind === "stream") return streamedReply(prepared, answer, settlement);
    // Most calls have nothing to wait for here.
    if (answer.usage === undefined || hooks.postCallSuccess !== undefined)
      return await hookedReply(prepared, answer, settlement);
    return wholeReply(prepared, answer, answer.usage, settlement);
  } catch (thrown) {
    const error = toGatewayError(thrown);
    await settlement.failed(error);
    throw withHeaders(error, settlement.limitHeaders);
  }
}

/** @param onAdmitted told before the first attempt */
async function route(
  prepared: PreparedCall,
  settlement: Settlement,
  onAdmitted?: () => void,
): Promise<Answer> {
  const { deps, call } = prepared;
  const admitted = async (reserving: Reservation | Promise<Reservation>): Promise<void> => {
    settlement.reserved(await reserving);
    await call.onAdmitted?.();
    onAdmitted?.();
  };
  const routed = await routeCall(deps, routeRequest(prepared), {
    admit: (targets) => {
      const reserving = reserveForCall(prepared, targets);
      const waits = reserving instanceof Promise || (call.onAdmitted ?? onAdmitted) !== undefined;
      return waits ? admitted(reserving) : settlement.reserved(reserving);
    },
    open: (target, failsOver) => {
      const attempt = openAttempt(prepared, target, failsOver);
      return attempt instanceof Promise ? attempt.then((opened) => () => opened.run()) : () => attempt.run();
    },
  });
  return settlement.answered(routed);
}

/** The first hook that refuses stops the attempts; no byte has gone out by then. */
async function routeBesideHooks(
  prepared: PreparedCall,
  settlement: Settlement,
  duringCall: (context: HookContext) => Promise<void>,
): Promise<Answer> {
  const refused = new AbortController();
  const signal = AbortSignal.any([toAbortSignal(prepared.signal), refused.signal]);
  const admitted = Promise.withResolvers<void>();
  const answered = route({ ...prepared, signal }, settlement, admitted.resolve);
  const beside = admitted.promise.then(() => duringCall(prepared.hookContext));
  try {
    const [answer] = await Promise.all([answered, beside]);
    return answer;
  } catch (error) {
    refused.abort(error);
    await answered.then(leave, () => undefined);
    throw error;
  }
}

async function leave(answer: Answer): Promise<void> {
  if (answer.kind === "stream") await answer.stream.return?.();
}

/** The answer as the post-call hooks leave it, its usage estimated where the provider did not count. */
async function hookedReply(
  prepared: PreparedCall,
  answer: WholeAnswer,
  settlement: Settlement,
): Promise<Reply> {
  const { hooks } = prepared;
  let { body } = answer;
  if (hooks.postCallSuccess !== undefined) {
    const parsed = Buffer.isBuffer(body) ? parseJsonObject(body.toString("utf8"))! : body;
    const given = prepared.call.view?.answer(parsed) ?? parsed;
    const changed = await hooks.postCallSuccess(prepared.hookContext, given);
    if (changed !== given || hooks.changesInPlace?.("postCallSuccess") === true) body = changed;
  }
  const isAccountedLater = answer.usage === undefined && prepared.call.accountLater !== undefined;
  if (isAccountedLater) settlement.handsOver();
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
  const { postCallStream } = prepared.hooks;
  const stream =
    postCallStream === undefined ? answer.stream : hookedStream(prepared, answer, settlement, postCallStream);
  const headers = replyHeaders(prepared, answer, "text/event-stream; charset=utf-8", settlement);
  headers["cache-control"] = "no-cache";
  return { status: 200, headers, stream };
}

/** A hook that fails in the middle ends the stream as a broken one, in the dialect's error event. */
async function* hookedStream(
  { deps, call, hookContext }: PreparedCall,
  answer: StreamAnswer,
  settlement: Settlement,
  postCallStream: NonNullable<CallHooks["postCallStream"]>,
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
    yield* postCallStream(hookContext, lent);
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
  Object.assign(headers, settlement.limitHeaders);
  headers["content-type"] = contentType;
  return headers;
}
