import { toGatewayError } from "../../contract/errors.ts";
import type { Exchange, Reply, StreamedReply } from "../../contract/exchange.ts";
import type { HookContext } from "../../contract/hook.ts";
import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import {
  addedScopes,
  countingIn,
  hasBudget,
  type LimitScope,
  underBudgetsAlone,
  withoutBudgets,
} from "../../contract/principal.ts";
import { countUnderNamed } from "../auth/request-scopes.ts";
import { requireParams } from "../auth/restrictions.ts";
import type { Reservation } from "../limits/limiter.ts";
import type { ResourceDeps } from "./resource-deps.ts";

/** What operations are governed by. */
type GovernedDeps = Pick<ResourceDeps, "hooks" | "limiter" | "ledger" | "scopes">;

/** What an operation costs at most. */
export interface ExpectedCost {
  /** US dollars; the key's budget is held for them meanwhile. */
  readonly cost: number;
  /** Every name of the model that costs it, by any of which a limit may mean it. */
  readonly models: readonly string[];
  /** Budgets of the deployment that does it. */
  readonly budgets?: readonly LimitScope[] | undefined;
  /** More than is left of a budget is refused, also where it is the last call. */
  readonly mustFit?: true;
}

/** What an operation may cost, and how it is taken back. */
export interface Terms {
  /** What the operation on these data costs; absent where it does not depend on them. */
  readonly cost?: (data: JsonObject) => ExpectedCost;
  /** The members of the request, such as those that name customer and tags, where they are not the data's own. */
  readonly named?: (data: JsonObject) => JsonObject | Promise<JsonObject>;
  /** It costs nothing, whatever is left of the key's budget; what reads and deletes does not unless this says so. */
  readonly isFree?: boolean;
  /**
   * Removes what the operation has made, when a hook refuses it afterwards. An operation without it makes nothing: its
   * call is aborted, also when the caller leaves. What makes something goes on to its end, because the provider has begun and
   * bills it.
   */
  readonly undo?: () => Promise<unknown>;
  /** Whether a streamed answer follows something that has a place of its own among the key's parallel requests. */
  readonly follows?: () => boolean;
}

/** An operation on a resource: what it answers before post-call hooks have seen it. */
type Operation<T> = (data: JsonObject) => Promise<T>;

/**
 * Runs an operation on a resource under the gateway's rules: the key's limits hold, pre-call hooks may change the
 * request data, during-call hooks may stop it, post-call hooks may change the answer, and the call is logged however it
 * ends. Resource operations use no tokens themselves; those that cost something say so in the call record.
 * @param data the body, with what the spec puts into it (`response_id`, `custom_llm_provider`, `query_params`); of an
 *   upload what takes it in, so that the key's limits hold before
 * @param run the operation on the data that the hooks left
 */
export function governedJson(
  deps: GovernedDeps,
  exchange: Exchange,
  data: JsonObject | (() => Promise<JsonObject>),
  run: Operation<JsonObject>,
  terms: Terms = {},
): Promise<Reply> {
  const { hooks } = deps;
  const finish = async (answer: JsonObject, context: HookContext): Promise<Reply> => {
    const body = hooks.has("postCallSuccess") ? await hooks.postCallSuccess(context, answer) : answer;
    return { status: 200, body };
  };
  return new GovernedCall(deps, exchange, data, terms).answer(run, finish);
}

/** As `governedJson`, for answers of any kind; post-call hooks see those that are objects. */
export function governed(
  deps: GovernedDeps,
  exchange: Exchange,
  data: JsonObject | (() => Promise<JsonObject>),
  run: Operation<Reply>,
  terms: Terms = {},
): Promise<Reply> {
  const { hooks } = deps;
  const finish = async (reply: Reply, context: HookContext): Promise<Reply> => {
    if (!("body" in reply) || !hooks.has("postCallSuccess")) return reply;
    const { body } = reply;
    if (body instanceof Uint8Array || !isJsonObject(body)) return reply;
    return { ...reply, body: await hooks.postCallSuccess(context, body) };
  };
  return new GovernedCall(deps, exchange, data, terms).answer(run, finish);
}

class GovernedCall {
  readonly #deps: GovernedDeps;
  readonly #exchange: Exchange;
  readonly #receive: () => Promise<JsonObject>;
  readonly #terms: Terms;
  #held: Reservation[] = [];
  #context: HookContext;
  #refused = false;

  constructor(
    deps: GovernedDeps,
    exchange: Exchange,
    data: JsonObject | (() => Promise<JsonObject>),
    terms: Terms,
  ) {
    const { callId, principal, call } = exchange;
    this.#deps = deps;
    this.#exchange = exchange;
    this.#receive = async () => copyForHooks(typeof data === "function" ? await data() : data);
    this.#terms = terms;
    this.#context = { callId, callType: call.callType, principal, data: {} };
  }

  async answer<T>(
    run: Operation<T>,
    finish: (answer: T, context: HookContext) => Promise<Reply>,
  ): Promise<Reply> {
    const { hooks, ledger } = this.#deps;
    const { callId, call } = this.#exchange;
    try {
      await this.#admit();
      if (this.#terms.undo !== undefined && !this.#exchange.signal.aborted) this.#exchange.outliveCaller();
      const answer = await this.#besideHooks(run);
      const reply = await this.#undoing(() => finish(answer, this.#context));
      call.status = "success";
      hooks.scheduleSuccess(callId);
      const headers = { ...this.#held[0]!.headers, ...reply.headers };
      return { ...("stream" in reply ? this.#placeHeld(reply) : reply), headers };
    } catch (thrown) {
      const error = toGatewayError(thrown);
      call.status = this.#exchange.signal.aborted && !this.#refused ? "aborted" : "failure";
      call.failure = error;
      void hooks.failure(this.#context, error, call);
      throw error;
    } finally {
      // The last one holds what the operation may cost.
      for (const [index, held] of this.#held.entries())
        held.settle(undefined, index === this.#held.length - 1 ? call.cost : 0);
      const { principal } = this.#exchange;
      ledger.settle({ callId, principal, call, hold: this.#held.at(-1)?.hold });
    }
  }

  /**
   * What the operation cost is settled when its stream begins, so that no crash loses it. Its place among the key's parallel
   * requests is free when the stream ends, breaks or is left, also by a caller who never reads any of it.
   */
  #placeHeld(reply: StreamedReply): StreamedReply {
    if (this.#terms.follows?.() === true) return reply;
    const places = this.#held;
    this.#held = places.map((held) => held.handOverBudgets());
    const { caller } = this.#exchange;
    const free = (): void => {
      caller.removeEventListener("abort", free);
      for (const place of places) place.settle(undefined, 0);
    };
    if (caller.aborted) free();
    else caller.addEventListener("abort", free);
    return { ...reply, stream: endTold(reply.stream, free) };
  }

  /** Holds the key's limits before anything is read, and its budget when the hooks have decided what is asked for. */
  async #admit(): Promise<void> {
    const { hooks, limiter, scopes } = this.#deps;
    const { principal, family, method } = this.#exchange;
    const isFree = this.#terms.isFree ?? (method === "GET" || method === "DELETE");
    const request = { family, model: "", estimatedTokens: 0, estimatedCost: 0 };
    const asked = isFree ? withoutBudgets(principal) : principal;
    this.#held.push(await limiter.reserve({ ...request, principal: asked }));
    this.#context = { ...this.#context, data: await this.#receive() };
    if (principal.restrictions !== undefined && this.#terms.cost !== undefined && !isFree)
      requireParams(principal, {
        headers: this.#exchange.headers,
        body: await this.#namingIn(this.#context.data),
      });
    if (hooks.has("preCall")) this.#context = { ...this.#context, data: await hooks.preCall(this.#context) };
    const { data } = this.#context;
    if (!isFree) await countUnderNamed(scopes, this.#exchange, await this.#namingIn(data));
    const expected: ExpectedCost = this.#terms.cost?.(data) ?? { cost: 0, models: [] };
    const { cost, models, budgets, mustFit = false } = expected;
    const spender = countingIn(this.#exchange.principal, budgets);
    const isCounted = addedScopes(spender, principal).length === 0 && (cost === 0 || !hasBudget(spender));
    if (isCounted) return;
    // The key's other limits have counted this call already.
    const more = {
      principal: underBudgetsAlone(spender, principal),
      names: models,
      estimatedCost: cost,
      mustFit,
    };
    this.#held.push(await limiter.reserve({ ...request, ...more }));
  }

  /** The members of a request's data, wherever they stand in it. */
  async #namingIn(data: JsonObject): Promise<JsonObject> {
    return (await this.#terms.named?.(data)) ?? data;
  }

  /** The first hook that refuses stops the operation, or has what it made removed; only then the call is over. */
  async #besideHooks<T>(run: Operation<T>): Promise<T> {
    const { hooks } = this.#deps;
    const { data } = this.#context;
    if (!hooks.has("duringCall")) return run(data);
    const running = run(data);
    const beside = hooks.duringCall(this.#context).catch((refusal: unknown) => {
      this.#refused = true;
      if (this.#terms.undo === undefined) this.#exchange.abort(refusal);
      throw refusal;
    });
    const [ran, besideIt] = await Promise.allSettled([running, beside]);
    if (besideIt.status === "rejected") return this.#undoing(() => Promise.reject(besideIt.reason as Error));
    if (ran.status === "rejected") throw ran.reason;
    return ran.value;
  }

  /** @throws what `step` throws, when what the operation made is removed */
  async #undoing<T>(step: () => Promise<T>): Promise<T> {
    try {
      return await step();
    } catch (refusal) {
      this.#refused = true;
      await this.#terms.undo?.().catch(() => undefined);
      throw refusal;
    }
  }
}

/** The stream, of whose end somebody is told once it is known, whether it is read or not. */
async function* endTold(stream: AsyncIterable<Uint8Array>, ended: () => void): AsyncGenerator<Uint8Array> {
  try {
    yield* stream;
  } finally {
    ended();
  }
}

/** Hooks may change what they get in place; what they changed shows beside the operation's own data. */
function copyForHooks(data: JsonObject): JsonObject {
  const { query_params: query } = data;
  return isJsonObject(query) ? { ...data, query_params: { ...query } } : { ...data };
}
