import { GatewayError } from "../../../contract/errors.ts";
import type { HookContext } from "../../../contract/hook.ts";
import type { JsonObject } from "../../../contract/json.ts";
import { namedBy } from "../../../contract/naming-request.ts";
import type { Named, Principal } from "../../../contract/principal.ts";
import { countUnderNamed, type RequestScopes } from "../../../core/auth/request-scopes.ts";
import type { HookRunner } from "../../../core/hooks/hook-runner.ts";
import type { Ledger } from "../../../core/ledger/ledger.ts";
import type { Limiter, Reservation } from "../../../core/limits/limiter.ts";
import type { AgentCall } from "../agent.ts";

/** What calls of remote agents are governed by. */
export interface MeterDeps {
  readonly limiter: Limiter;
  readonly ledger: Ledger;
  readonly hooks: HookRunner;
  readonly scopes?: RequestScopes | undefined;
}

/** A message to a remote agent under the gateway's rules, like a model call: hooks, limits, cost, spend row. */
export class MeteredCall {
  readonly #deps: MeterDeps;
  readonly #call: AgentCall;
  #reservation: Reservation;
  #context: HookContext;
  readonly #cost: number | undefined;
  #settled = false;

  private constructor(
    deps: MeterDeps,
    call: AgentCall,
    reservation: Reservation,
    context: HookContext,
    cost: number | undefined,
  ) {
    this.#deps = deps;
    this.#call = call;
    this.#reservation = reservation;
    this.#context = context;
    this.#cost = cost;
  }

  /** @throws GatewayError 429, 402, or a hook's refusal */
  static async begin(deps: MeterDeps, call: AgentCall, params: object, cost?: number): Promise<MeteredCall> {
    const { principal, callId, call: record } = call;
    const model = modelOf(call);
    record.model = model;
    record.provider = "a2a";
    const reservation = await reserve(deps, call, principal, cost);
    const data: JsonObject = { ...params, model };
    const context = { callId, callType: record.callType, principal, data };
    const metered = new MeteredCall(deps, call, reservation, context, cost);
    try {
      if (deps.hooks.has("preCall")) await metered.#follow(await deps.hooks.preCall(context));
      if (deps.hooks.has("duringCall")) await deps.hooks.duringCall(metered.#context);
    } catch (error) {
      metered.failed(error);
      throw error;
    }
    return metered;
  }

  /** Goes on with what the pre-call hooks left: where they named another customer or other tags, the call counts there. */
  async #follow(data: JsonObject): Promise<void> {
    this.#context = { ...this.#context, data };
    const { asked } = this.#call;
    if (asked === undefined) return;
    const now = namedBy(asked.principal, { headers: asked.headers, body: data });
    if (isNamedAlike(now, this.#context.principal.named)) return;
    const exchange = { ...asked };
    await countUnderNamed(this.#deps.scopes, exchange, data);
    const { principal } = exchange;
    this.#context = { ...this.#context, principal };
    this.#reservation.release();
    this.#reservation = await reserve(this.#deps, this.#call, principal, this.#cost);
  }

  /** The parameters as the pre-call hooks left them. */
  get params(): JsonObject {
    const { model: _, ...params } = this.#context.data;
    return params;
  }

  async succeeded<T extends object>(answer: T): Promise<T> {
    const { hooks } = this.#deps;
    const changed = hooks.has("postCallSuccess")
      ? await hooks.postCallSuccess(this.#context, answer as JsonObject)
      : answer;
    this.#settle("success");
    hooks.scheduleSuccess(this.#call.callId);
    return changed as T;
  }

  failed(thrown: unknown): void {
    this.#settle(this.#call.signal.aborted ? "aborted" : "failure");
    const error =
      thrown instanceof GatewayError
        ? thrown
        : new GatewayError(502, "api_error", (thrown as Error).message, { cause: thrown });
    void this.#deps.hooks.failure(this.#context, error, this.#call.call);
  }

  /** The stream is over; one that the caller left counts as aborted. */
  ended(complete: boolean): void {
    if (complete && !this.#settled) this.#deps.hooks.scheduleSuccess(this.#call.callId);
    this.#settle(complete ? "success" : "aborted");
  }

  #settle(status: "success" | "failure" | "aborted"): void {
    if (this.#settled) return;
    this.#settled = true;
    const { call, callId } = this.#call;
    const { principal } = this.#context;
    call.status = status;
    if (status !== "failure" && call.isSent) call.cost = this.#cost;
    this.#reservation.settle(undefined, call.cost);
    this.#deps.ledger.settle({ callId, principal, call, hold: this.#reservation.hold });
  }
}

function modelOf({ agent }: AgentCall): string {
  return `a2a_agent/${agent.agent_name}`;
}

function reserve(
  { limiter }: MeterDeps,
  call: AgentCall,
  principal: Principal,
  cost = 0,
): Reservation | Promise<Reservation> {
  return limiter.reserve({ principal, model: modelOf(call), estimatedTokens: 0, estimatedCost: cost });
}

function isNamedAlike(now: Named, { customer, tags }: Named = { customer: undefined, tags: [] }): boolean {
  return now.customer === customer && now.tags.join("\n") === tags.join("\n");
}
