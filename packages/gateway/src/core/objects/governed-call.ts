import { toGatewayError } from "../../contract/errors.ts";
import type { Exchange, Reply } from "../../contract/exchange.ts";
import type { HookContext } from "../../contract/hook.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { ResourceDeps } from "./resource-deps.ts";

/**
 * Runs an operation on a resource under the gateway's rules: pre-call hooks may change the request data, the key's
 * limits hold, post-call hooks may change the answer, and the call is logged however it ends. Resource operations
 * use no tokens themselves; those that cost something say so in the call record.
 * @param data the body, with what the spec puts into it (`response_id`, `custom_llm_provider`, `query_params`)
 * @param run the operation on the data that the hooks left
 * @param expectedCost US dollars that it may cost at most, for which the key's budget is held meanwhile
 */
export function governedJson(
  deps: ResourceDeps,
  exchange: Exchange,
  data: JsonObject,
  run: (data: JsonObject) => Promise<JsonObject>,
  expectedCost = 0,
): Promise<Reply> {
  const answering = async (changed: JsonObject, context: HookContext): Promise<Reply> => {
    const answer = await run(changed);
    const body = deps.hooks.has("postCallSuccess")
      ? await deps.hooks.postCallSuccess(context, answer)
      : answer;
    return { status: 200, body };
  };
  return governed(deps, exchange, data, answering, expectedCost);
}

/** As `governedJson`, for answers that are not JSON, which post-call hooks do not see. */
export async function governed(
  deps: ResourceDeps,
  exchange: Exchange,
  data: JsonObject,
  run: (data: JsonObject, context: HookContext) => Promise<Reply>,
  expectedCost = 0,
): Promise<Reply> {
  const { callId, principal, call } = exchange;
  let context: HookContext = { callId, callType: call.callType, principal, data };
  const reservation = await deps.limiter.reserve({
    principal,
    model: "",
    estimatedTokens: 0,
    estimatedCost: expectedCost,
  });
  try {
    if (deps.hooks.has("preCall")) context = { ...context, data: await deps.hooks.preCall(context) };
    const beside = deps.hooks.has("duringCall") ? deps.hooks.duringCall(context) : undefined;
    const [reply] = await Promise.all([run(context.data, context), beside]);
    call.status = "success";
    deps.hooks.scheduleSuccess(callId);
    return { ...reply, headers: { ...reservation.headers(exchange.family), ...reply.headers } };
  } catch (thrown) {
    const error = toGatewayError(thrown);
    call.status = exchange.signal.aborted ? "aborted" : "failure";
    void deps.hooks.failure(context, error);
    throw error;
  } finally {
    reservation.settle(undefined, call.cost);
    deps.ledger.settle({ callId, principal, call });
  }
}
