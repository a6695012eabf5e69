import type { GatewayError } from "../../contract/errors.ts";
import type { Usage } from "../../contract/usage.ts";
import type { StreamOutcome } from "../../formats/stream/stream-outcome.ts";
import { isCallAborted } from "../../platform/transport/failures.ts";
import type { Reservation } from "../limits/limiter.ts";
import type { StreamAnswer } from "./answer.ts";
import type { AttemptResult } from "./attempt.ts";
import { estimatedUsage, usageOfOutcome } from "./estimate.ts";
import type { CallDeps, ModelCall } from "./model-call.ts";
import type { PreparedCall } from "./prepared-call.ts";

/** Accounts for one call exactly once: limits, cost, spend row, and the hooks that hear how it ended. */
export class Settlement {
  readonly #deps: CallDeps;
  readonly #call: ModelCall;
  #prepared: PreparedCall | undefined;
  #reservation: Reservation | undefined;
  #result: AttemptResult | undefined;
  #done = false;

  constructor(deps: CallDeps, call: ModelCall) {
    this.#deps = deps;
    this.#call = call;
  }

  prepared(prepared: PreparedCall): void {
    this.#prepared = prepared;
  }

  reserved(reservation: Reservation): void {
    this.#reservation = reservation;
  }

  answered(result: AttemptResult): AttemptResult {
    this.#result = result;
    return result;
  }

  /** The rate-limit headers of the key's own limits. */
  limitHeaders(): Record<string, string> {
    return this.#reservation?.headers(this.#call.family) ?? {};
  }

  /** A whole answer is there: its cost is known before its headers are written. */
  succeeded(usage: Usage): void {
    this.#settle("success", usage);
    this.#deps.hooks.scheduleSuccess(this.#call.callId);
  }

  /** What the request used, where the provider of a whole answer did not count. */
  estimatedUsage(): Promise<Usage> {
    return estimatedUsage(this.#prepared!.data, 0, this.#deps.countTokens);
  }

  /** Settles when the stream of the answer is over, however it ends. */
  followStream({ stream, end }: StreamAnswer): void {
    const { signal } = this.#call;
    const leave = (): void => void stream.return?.();
    signal.addEventListener("abort", leave);
    end.whenEnded((outcome) => {
      signal.removeEventListener("abort", leave);
      const { data } = this.#prepared!;
      const usage = usageOfOutcome(outcome, data, this.#deps.countTokens);
      if (usage instanceof Promise) void usage.then((estimate) => this.#streamEnded(outcome, estimate));
      else this.#streamEnded(outcome, usage);
    });
  }

  #streamEnded({ status, error }: StreamOutcome, usage: Usage): void {
    if (status === "complete") {
      this.#settle("success", usage);
      this.#deps.hooks.scheduleSuccess(this.#call.callId);
    } else if (status === "cancelled" || this.#call.signal.aborted) this.#settle("aborted", usage);
    else {
      this.#settle("failure", usage);
      if (error === undefined) return;
      this.#result?.broke(error);
      this.#tellFailure(error);
    }
  }

  /** The caller gets no answer, although one may have been paid for. */
  async failed(error: GatewayError): Promise<void> {
    const aborted = this.#call.signal.aborted || isCallAborted(error);
    this.#settle(aborted ? "aborted" : "failure", await this.#usageOfFailure(aborted));
    this.#tellFailure(error);
  }

  /** What an answer used that a hook kept back; what an abandoned call used is estimated; a refused one used nothing. */
  async #usageOfFailure(aborted: boolean): Promise<Usage | undefined> {
    const data = this.#prepared?.data;
    if (data === undefined) return undefined;
    const { countTokens } = this.#deps;
    const answer = this.#result?.answer;
    if (answer?.kind === "whole") return answer.usage ?? estimatedUsage(data, 0, countTokens);
    if (answer?.end.outcome !== undefined) return usageOfOutcome(answer.end.outcome, data, countTokens);
    const sent = this.#call.call.upstreamMs > 0;
    return aborted && sent ? estimatedUsage(data, 0, countTokens) : undefined;
  }

  #settle(status: "success" | "failure" | "aborted", usage: Usage | undefined): void {
    if (this.#done) return;
    this.#done = true;
    const { call, callId, principal } = this.#call;
    call.status = status;
    call.usage = usage;
    if (usage !== undefined && call.deployment !== undefined)
      call.cost = this.#deps.costOf(call.deployment, call.deployment.model, usage);
    this.#result?.settle(usage, call.cost);
    if (usage === undefined) this.#reservation?.release();
    else this.#reservation?.settle(usage, call.cost);
    this.#deps.ledger.settle({ callId, principal, call });
  }

  #tellFailure(error: GatewayError): void {
    if (!this.#deps.hooks.has("failure")) return;
    const { callId, principal, call, body } = this.#call;
    const context = this.#prepared?.hookContext ?? { callId, principal, callType: call.callType, data: body };
    void this.#deps.hooks.failure(context, error);
  }
}
