import type { GatewayError } from "../../contract/errors.ts";
import type { JsonObject } from "../../contract/json.ts";
import { noUsage, type Usage } from "../../contract/usage.ts";
import { withServiceTier } from "../../formats/shared/usage.ts";
import type { StreamOutcome } from "../../formats/stream/stream-outcome.ts";
import { isCallAborted } from "../../platform/transport/failures.ts";
import type { CallHooks } from "../hooks/hook-runner.ts";
import type { Reservation } from "../limits/limiter.ts";
import type { Routed } from "../routing/route-call.ts";
import type { Answer, StreamAnswer } from "./answer.ts";
import type { Answered } from "./attempt.ts";
import type { CallDeps, CountTokens, ModelCall } from "./model-call.ts";
import type { PreparedCall } from "./prepare-call.ts";

/** The field's rule of thumb for English text and code. */
export const CHARACTERS_PER_TOKEN = 4;

/** Accounts for one call exactly once: limits, cost, spend row, and the hooks that hear how it ended. */
export class Settlement {
  readonly #deps: CallDeps;
  readonly #call: ModelCall;
  #prepared: PreparedCall | undefined;
  #reservation: Reservation | undefined;
  readonly #hooks: CallHooks;
  #routed: Routed<Answered> | undefined;
  #done = false;
  #isHandedOver = false;
  #refusal: GatewayError | undefined;

  constructor(deps: CallDeps, call: ModelCall, hooks: CallHooks) {
    this.#hooks = hooks;
    this.#deps = deps;
    this.#call = call;
  }

  prepared(prepared: PreparedCall): void {
    this.#prepared = prepared;
  }

  reserved(reservation: Reservation): void {
    this.#reservation = reservation;
  }

  answered(routed: Routed<Answered>): Answer {
    this.#routed = routed;
    return routed.answer.answer;
  }

  /** The rate-limit headers of the key's own limits. */
  get limitHeaders(): Readonly<Record<string, string>> {
    return this.#reservation?.headers ?? {};
  }

  /** What the call uses is accounted elsewhere; until then its share of the budget stays held. */
  handsOver(): void {
    if (this.#reservation === undefined || this.#call.accountLater === undefined) return;
    this.#isHandedOver = true;
    this.#call.accountLater(this.#reservation);
  }

  /** A whole answer is there: its cost is known before its headers are written. */
  succeeded(usage: Usage): void {
    this.#settle("success", usage);
    this.#hooks.scheduleSuccess?.(this.#call.callId);
  }

  /** What the request used, where the provider of a whole answer did not count. */
  estimatedUsage(): Promise<Usage> {
    return estimatedUsage(this.#prepared!.data, 0, this.#deps.countTokens);
  }

  /** Settles when the stream of the answer is over, however it ends. */
  followStream({ stream, progress }: StreamAnswer): void {
    const { signal } = this.#call;
    const leave = (): void => void stream.return?.();
    signal.addEventListener("abort", leave);
    progress.whenEnded((outcome) => {
      signal.removeEventListener("abort", leave);
      const { data } = this.#prepared!;
      const usage = usageOfOutcome(outcome, data, this.#deps.countTokens);
      if (usage instanceof Promise) void usage.then((estimate) => this.#streamEnded(outcome, estimate));
      else this.#streamEnded(outcome, usage);
    });
  }

  /** A hook ended the stream: that is a failure, whatever the upstream did. */
  streamRefused(error: GatewayError): void {
    this.#refusal ??= error;
  }

  #streamEnded({ status, error = this.#refusal }: StreamOutcome, usage: Usage): void {
    if (this.#refusal !== undefined) {
      this.#settle("failure", usage);
      this.#tellFailure(this.#refusal);
    } else if (status === "complete") {
      this.#settle("success", usage);
      this.#hooks.scheduleSuccess?.(this.#call.callId);
    } else if (status === "cancelled" || this.#call.signal.aborted) this.#settle("aborted", usage);
    else {
      this.#settle("failure", usage);
      if (error === undefined) return;
      this.#routed?.failed(error);
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
    const answer = this.#routed?.answer.answer;
    if (answer?.kind === "whole") return answer.usage ?? estimatedUsage(data, 0, countTokens);
    if (answer?.progress.outcome !== undefined)
      return usageOfOutcome(answer.progress.outcome, data, countTokens);
    const sent = this.#call.record.upstreamMs > 0;
    return aborted && sent ? estimatedUsage(data, 0, countTokens) : undefined;
  }

  #settle(status: "success" | "failure" | "aborted", usage: Usage | undefined): void {
    if (this.#done) return;
    this.#done = true;
    const { record, callId, principal } = this.#call;
    record.status = status;
    record.usage = usage;
    if (usage !== undefined && record.deployment !== undefined)
      record.cost = this.#deps.costOf(record.deployment, record.deployment.model, usage);
    this.#routed?.ended(usage && usage.input + usage.output);
    this.#routed?.answer.attempt.settle(usage, record.cost);
    if (!this.#isHandedOver) {
      if (usage === undefined) this.#reservation?.release();
      else this.#reservation?.settle(usage, record.cost);
    }
    this.#deps.ledger.settle({ callId, principal, call: record });
  }

  #tellFailure(error: GatewayError): void {
    const { callId, principal, record, body } = this.#call;
    const context = this.#prepared?.hookContext ?? {
      callId,
      principal,
      callType: record.callType,
      data: body,
    };
    void this.#hooks.failure?.(context, error, record);
  }
}

/** Usage of a call whose provider did not count: the request by the local tokenizer, the output by its length. */
async function estimatedUsage(
  data: JsonObject,
  outputCharacters: number,
  countTokens: CountTokens,
): Promise<Usage> {
  let input: number;
  try {
    input = await countTokens(data);
  } catch {
    // The tokenizer has a thread of its own, which may be gone; the call must be accounted all the same.
    input = Math.ceil(JSON.stringify(data).length / CHARACTERS_PER_TOKEN);
  }
  return { ...noUsage, input, output: Math.ceil(outputCharacters / CHARACTERS_PER_TOKEN) };
}

/** The provider's counts where they came, at once; else the estimate. */
function usageOfOutcome(
  outcome: StreamOutcome,
  data: JsonObject,
  countTokens: CountTokens,
): Usage | Promise<Usage> {
  const { usage, outputCharacters, status, serviceTier } = outcome;
  if (usage === undefined)
    return estimatedUsage(data, outputCharacters, countTokens).then((estimate) =>
      withServiceTier(estimate, serviceTier),
    );
  // Anthropic counts the input at the start; the output of a broken stream is only in its text.
  if (status === "complete") return usage;
  return { ...usage, output: Math.max(usage.output, Math.ceil(outputCharacters / CHARACTERS_PER_TOKEN)) };
}
