import { GatewayError, invalidRequest, missingField, toGatewayError } from "../../contract/errors.ts";
import type { Exchange, Handler, Reply, Route } from "../../contract/exchange.ts";
import type { HookContext } from "../../contract/hook.ts";
import { type JsonObject, parseJsonObject } from "../../contract/json.ts";
import { type PassingBytes, readPassingBody } from "../../contract/json-body.ts";
import { noUsage, type Usage } from "../../contract/usage.ts";
import type { WireFormat } from "../../contract/wire-format.ts";
import { callerHeaders, withHeaders } from "../../formats/upstream-headers.ts";
import type { GeneralSettings } from "../../platform/config/gateway-config.ts";
import { editMembers } from "../../util/json-span.ts";
import { toAbortSignal } from "../../util/light-signal.ts";
import type { Reservation } from "../limits/limiter.ts";
import { routeCall } from "../routing/route-call.ts";
import type { Answer, StreamAnswer, WholeAnswer } from "./answer.ts";
import { openAttempt } from "./attempt.ts";
import { hookedStream } from "./hooked-stream.ts";
import type { CallDeps, ModelCall } from "./model-call.ts";
import { type PreparedCall, prepareCall } from "./prepare-call.ts";
import { reserveForCached, reserveForCall, reserveForFurther } from "./reserve.ts";
import { Settlement } from "./settlement.ts";
import { routeRequest } from "./steering.ts";

/**
 * The one way of a model call through the gateway: pre-call hooks, plan, limits, attempts (or the answer of an equal
 * call) with the during-call hooks beside them, post-call hooks, settlement. A stream is handed over when its first
 * content has arrived; until then every failure leads to the next attempt.
 * @returns the answer in the caller's format; its stream must be read to its end or left with `return()`
 * @throws GatewayError when no deployment answered, the call was refused, or its signal aborted
 */
export async function executeCall(deps: CallDeps, call: ModelCall): Promise<Reply> {
  const hooks = deps.hooks.ofCall;
  const settlement = new Settlement(deps, call, hooks);
  // A request has its trace already.
  call.record.trace ??=
    call.principal.logging === undefined
      ? deps.traces?.ofAll?.begin()
      : (await deps.traces?.ofTeams())?.begin();
  try {
    const preparing = prepareCall(deps, call, hooks);
    const prepared = preparing instanceof Promise ? await preparing : preparing;
    settlement.prepared(prepared);
    const answer = await (hooks.duringCall === undefined
      ? route(prepared, settlement)
      : routeBesideHooks(prepared, settlement, hooks.duringCall));
    if (answer.kind === "stream") return await streamedReply(prepared, answer, settlement);
    requireSize(answer, prepared.config.generalSettings);
    // Most calls have nothing to wait for here.
    if (answer.usage === undefined || hooks.postCallSuccess !== undefined)
      return await hookedReply(prepared, answer, settlement);
    return await wholeReply(prepared, answer, answer.usage, settlement);
  } catch (thrown) {
    const error = toGatewayError(thrown);
    if (call.goesOn !== undefined && (await call.goesOn(error))) settlement.begunAnew();
    else await settlement.failed(error);
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
  const looking = deps.cache?.current?.look(prepared);
  const cached = looking === undefined ? undefined : await looking;
  if (cached?.answer !== undefined) {
    await admitted(reserveForCached(prepared));
    settlement.answeredFromCache();
    return cached.answer;
  }
  let further: () => Reservation | Promise<Reservation>;
  const routed = await routeCall(deps, routeRequest(prepared), {
    admit: (targets, fallbacks) => {
      further = () => reserveForFurther(prepared, targets, fallbacks);
      const reserving = reserveForCall(prepared, targets, fallbacks);
      const waits = reserving instanceof Promise || (call.onAdmitted ?? onAdmitted) !== undefined;
      return waits ? admitted(reserving) : settlement.reserved(reserving);
    },
    open: (target, failsOver, lacksFormat) => {
      const open = () => openAttempt(prepared, target, failsOver, lacksFormat);
      const attempt = prepared.left.length === 0 ? open() : settlement.furtherAttempt(further).then(open);
      return attempt instanceof Promise ? attempt.then((opened) => () => opened.run()) : () => attempt.run();
    },
  });
  const answer = settlement.answered(routed);
  return cached === undefined ? answer : cached.keep(answer);
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
  const beside = admitted.promise
    .then(() => duringCall(prepared.hookContext))
    .catch((refusal: unknown) => {
      settlement.cut();
      throw refusal;
    });
  try {
    const [answer] = await Promise.all([answered, beside]);
    return answer;
  } catch (error) {
    refused.abort(error);
    await answered.then(
      (answer) => leave(prepared, answer),
      () => undefined,
    );
    throw error;
  }
}

/** Whoever takes back what no one gets has to know what it is: the view sees the first event. */
async function leave({ call }: PreparedCall, answer: Answer): Promise<void> {
  if (answer.kind !== "stream") return;
  const seen = call.view?.stream(answer.stream)[Symbol.asyncIterator]();
  await seen?.next().catch(() => undefined);
  await answer.stream.return?.();
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
  const read = body === answer.body ? answer.read : undefined;
  return wholeReply(prepared, { ...answer, body, read }, usage, settlement);
}

async function wholeReply(
  prepared: PreparedCall,
  answer: WholeAnswer,
  usage: Usage,
  settlement: Settlement,
): Promise<Reply> {
  const written = settlement.succeeded(usage);
  if (written !== undefined) await written;
  const headers = replyHeaders(prepared, answer, answer.contentType, settlement);
  const { body, read } = answer;
  return { status: 200, headers, body, ...(read && { read }) };
}

async function streamedReply(
  prepared: PreparedCall,
  answer: StreamAnswer,
  settlement: Settlement,
): Promise<Reply> {
  const { postCallStream } = prepared.hooks;
  await settlement.followStream(answer, postCallStream !== undefined);
  const stream =
    postCallStream === undefined ? answer.stream : hookedStream(prepared, answer, settlement, postCallStream);
  const headers = replyHeaders(prepared, answer, "text/event-stream; charset=utf-8", settlement);
  headers["cache-control"] = "no-cache";
  return { status: 200, headers, stream };
}

const MB = 1024 * 1024;

/**
 * Holds an answer to `max_response_size_mb`, as LiteLLM does: those that are not streamed, before anybody sees them.
 * @throws GatewayError 400; what the answer cost is paid
 */
function requireSize({ body }: WholeAnswer, { maxResponseSizeMb: limit }: GeneralSettings): void {
  if (limit === undefined) return;
  const bytes = Buffer.isBuffer(body) ? body.length : Buffer.byteLength(JSON.stringify(body));
  if (bytes <= limit * MB) return;
  const text = `The answer has ${(bytes / MB).toFixed(3)} MB, and max_response_size_mb allows ${limit}; ask for a shorter one, or stream it.`;
  throw new GatewayError(400, "invalid_request_error", text, { retryable: false });
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

/** An operation's routes, where clients of OpenAI and of its proxies look for it; the last two are Azure's, by age. */
export function openaiRoutes(operation: string, callType: string, handler: Handler): Route[] {
  const bases = ["/v1", "", "/openai/v1", "/openai/deployments/:model", "/engines/:model"];
  return bases.map((base) => ({
    method: "POST",
    path: `${base}/${operation}`,
    access: "key",
    family: "openai",
    callType,
    handler,
  }));
}

/** Checks a parsed body before the call begins. */
type CheckBody = (body: JsonObject) => void;

/**
 * Answers requests that come over HTTP by a call of their model. A model that the path names (Azure's clients put it
 * there) replaces the body's. The handler throws a GatewayError 400 for a body that is not a JSON object or that `check`
 * refuses, and as `executeCall`.
 */
export function callHandler(deps: CallDeps, format: WireFormat, check: CheckBody): Handler {
  return (exchange) => answerExchange(deps, exchange, format, check);
}

async function answerExchange(
  deps: CallDeps,
  exchange: Exchange,
  format: WireFormat,
  check: CheckBody,
): Promise<Reply> {
  const { body, raw } = readPassingBody(await exchange.readBody());
  check(body);
  const { callId, family, headers, params, principal, caller, call } = exchange;
  const { model } = params;
  const named = model === undefined || body.model === model;
  return await executeCall(deps, {
    callId,
    format,
    family,
    body: named ? body : { ...body, model },
    raw: named || raw === undefined ? raw : withModel(raw, body, model!),
    headers,
    principal,
    signal: caller,
    record: call,
  });
}

/** Whatever is put in place of a member that stands once stands once. */
function withModel(raw: PassingBytes, body: JsonObject, model: string): PassingBytes {
  return editMembers(raw, new Map([["model", JSON.stringify(model)]]), body) as PassingBytes;
}

/** @throws GatewayError 400 unless `messages` is an array with at least one entry */
export function requireMessages(body: JsonObject): void {
  const { messages } = body;
  if (messages === undefined || messages === null) throw missingField("messages");
  if (!Array.isArray(messages)) throw invalidRequest("messages must be an array", "messages");
  if (messages.length === 0) throw invalidRequest("messages must not be empty", "messages");
}
