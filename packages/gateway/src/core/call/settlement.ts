import type { CallRecord } from "../../contract/call-record.ts";
import type { Deployment } from "../../contract/deployment.ts";
import type { GatewayError } from "../../contract/errors.ts";
import { type JsonObject, parseJsonObject } from "../../contract/json.ts";
import { noUsage, sumOfUsage, type Usage } from "../../contract/usage.ts";
import type { StreamOutcome, StreamProgress } from "../../formats/stream-outcome.ts";
import { withServiceTier } from "../../formats/usage.ts";
import { isCallAborted } from "../../platform/transport/failures.ts";
import type { CallHooks } from "../hooks/hook-runner.ts";
import type { Hold } from "../ledger/ledger.ts";
import type { Reservation } from "../limits/limiter.ts";
import { together } from "../limits/reservations.ts";
import type { Routed, ServedHealth } from "../routing/route-call.ts";
import type { Answer, StreamAnswer, WholeAnswer } from "./answer.ts";
import type { Answered, Attempt } from "./attempt.ts";
import type { CallDeps, CountTokens, ModelCall } from "./model-call.ts";
import type { LeftAttempt, PreparedCall } from "./prepare-call.ts";

/** The field's rule of thumb for English text and code. */
export const CHARACTERS_PER_TOKEN = 4;

/** Accounts for one call exactly once: limits, cost, spend row, and the hooks that hear how it ended. */
export class Settlement {
  readonly #deps: CallDeps;
  #call: ModelCall;
  #prepared: PreparedCall | undefined;
  #reservation: Reservation | undefined;
  /** What the call holds of budgets: the reservation, until an attempt was left with it. */
  #share: Reservation | undefined;
  /** What attempts used that were left and have rows of their own. */
  readonly #apart: Promise<Usage>[] = [];
  readonly #hooks: CallHooks;
  /** Not the answer itself: a stream may stand for minutes, and its head is needed no more. */
  #whole: WholeAnswer | undefined;
  #progress: StreamProgress | undefined;
  #attempt: Attempt | undefined;
  #health: ServedHealth | undefined;
  #done = false;
  #isHandedOver = false;
  #isFromCache = false;
  #isCut = false;
  #refusal: GatewayError | undefined;
  #outcome: StreamOutcome | undefined;

  constructor(deps: CallDeps, call: ModelCall, hooks: CallHooks) {
    this.#hooks = hooks;
    this.#deps = deps;
    this.#call = call;
  }

  prepared(prepared: PreparedCall): void {
    this.#prepared = prepared;
    // With the scopes that the request names.
    this.#call = prepared.call;
  }

  reserved(reservation: Reservation): void {
    this.#reservation = reservation;
    this.#share = reservation;
  }

  /**
   * Before another attempt at a call of which one was left: that one takes the call's shares of budgets with it and has a
   * row of its own when it ends, so that nothing of the call waits for it.
   * @param reserve takes shares of budgets for the other attempt
   * @throws GatewayError 402, 429
   */
  async furtherAttempt(reserve: () => Reservation | Promise<Reservation>): Promise<void> {
    const left = this.#prepared!.left[this.#apart.length];
    if (left !== undefined) {
      const share = this.#share;
      this.#share = undefined;
      const own = share === this.#reservation ? share?.handOverBudgets() : share;
      const using = this.#accountApart(left, own);
      this.#apart.push(using);
      this.#deps.leftAttempts.account(async () => void (await using));
    }
    this.#share ??= await reserve();
  }

  answered({ answer: { answer, attempt }, health }: Routed<Answered>): Answer {
    if (answer.kind === "whole") this.#whole = answer;
    else this.#progress = answer.progress;
    this.#attempt = attempt;
    this.#health = health;
    return answer;
  }

  /** The answer is that of an earlier call, so that nobody is paid for it. */
  answeredFromCache(): void {
    this.#isFromCache = true;
  }

  /** The rate-limit headers of the key's own limits. */
  get limitHeaders(): Readonly<Record<string, string>> {
    return this.#reservation?.headers ?? {};
  }

  /** What the call uses is accounted elsewhere; until then its share of the budget stays held. */
  handsOver(): void {
    if (this.#share === undefined || this.#call.accountLater === undefined) return;
    this.#isHandedOver = true;
    const ofDeployment = this.#attempt?.handOverBudgets();
    this.#call.accountLater(together(this.#share, ofDeployment), this.#call.principal);
  }

  /**
   * A whole answer is there: its cost is known before its headers are written.
   * @returns resolves when the answer may go out, as all of these promises do
   */
  succeeded(usage: Usage): Promise<void> | undefined {
    const written = this.#settle("success", usage);
    this.#hooks.scheduleSuccess?.(this.#call.callId);
    return written;
  }

  /** What the request used, where the provider of a whole answer did not count. */
  estimatedUsage(): Promise<Usage> {
    return estimatedUsage(this.#prepared!.data, 0, this.#deps.countTokens);
  }

  /**
   * Settles when it is known how the stream of the answer ends, before its last bytes go out.
   * @param passesHook a hook may yet refuse the end: then `streamPassed` settles
   * @returns settles an answer whose end is known already; what is held of it must wait
   */
  followStream({ stream, progress }: StreamAnswer, passesHook: boolean): Promise<void> | undefined {
    this.#forgetBytes();
    const { signal } = this.#call;
    const leave = (): void => void stream.return?.();
    signal.addEventListener("abort", leave);
    return progress.whenEnded((outcome) => {
      signal.removeEventListener("abort", leave);
      this.#outcome = outcome;
      this.#call.record.contentAt = progress.contentAt;
      return passesHook ? undefined : this.streamPassed();
    });
  }

  /** A stream may stand for minutes, and its request was large where an agent has worked for a while. */
  #forgetBytes(): void {
    this.#call.raw = undefined;
    const prepared = this.#prepared!;
    prepared.raw = undefined;
    prepared.call.raw = undefined;
  }

  /** Settles a stream whose end is known. */
  streamPassed(): Promise<void> | undefined {
    const outcome = this.#outcome;
    if (outcome === undefined || this.#done) return undefined;
    const usage = usageOfOutcome(outcome, this.#prepared!.data, this.#deps.countTokens);
    if (usage instanceof Promise) return usage.then((estimate) => this.#streamEnded(outcome, estimate));
    return this.#streamEnded(outcome, usage);
  }

  /** A hook ended the stream: that is a failure, whatever the upstream did. */
  streamRefused(error: GatewayError): void {
    this.#refusal ??= error;
  }

  #streamEnded({ status, error = this.#refusal }: StreamOutcome, usage: Usage): Promise<void> | undefined {
    if (this.#refusal === undefined && status === "complete") return this.succeeded(usage);
    const isAborted = this.#refusal === undefined && (status === "cancelled" || this.#call.signal.aborted);
    const failure = this.#refusal ?? error;
    if (failure !== undefined) this.#call.record.failure = failure;
    const written = this.#settle(isAborted ? "aborted" : "failure", usage);
    if (isAborted) return written;
    if (this.#refusal !== undefined) this.#tellFailure(this.#refusal);
    else if (error !== undefined) {
      if (error.billed === undefined) this.#health?.failed(error);
      this.#tellFailure(error);
    }
    return written;
  }

  /** A hook refused while a provider worked on the answer. */
  cut(): void {
    this.#isCut = true;
  }

  /** The caller gets no answer, although one may have been paid for. */
  async failed(error: GatewayError): Promise<void> {
    const aborted = this.#call.signal.aborted || isCallAborted(error);
    this.#call.record.failure = error;
    const written = this.#settle(aborted ? "aborted" : "failure", await this.#usageOfFailure(aborted));
    this.#tellFailure(error);
    await written;
  }

  /** Whoever made the call makes it once more, in its place. */
  begunAnew(): void {
    if (this.#done) return;
    this.#done = true;
    this.#share?.release();
    this.#reservation?.release();
    this.#attempt?.settle(undefined, undefined);
  }

  /** What an answer used that a hook kept back; what an abandoned call used is estimated; a refused one used nothing. */
  async #usageOfFailure(aborted: boolean): Promise<Usage | undefined> {
    const data = this.#prepared?.data;
    if (data === undefined) return undefined;
    const { countTokens } = this.#deps;
    const whole = this.#whole;
    if (whole !== undefined)
      return (
        (await this.#undone(whole, this.#call.record.deployment)) ??
        whole.usage ??
        estimatedUsage(data, 0, countTokens)
      );
    const outcome = this.#progress?.outcome;
    if (outcome !== undefined) return usageOfOutcome(outcome, data, countTokens);
    const sent = this.#call.record.isSent && this.#prepared?.left.length === 0;
    return (aborted || this.#isCut) && sent ? estimatedUsage(data, 0, countTokens) : undefined;
  }

  /** @returns what an answer used that its provider need not keep any more, where that became known */
  async #undone({ body }: WholeAnswer, deployment: Deployment | undefined): Promise<Usage | undefined> {
    const { undo } = this.#call;
    if (undo === undefined || this.#isFromCache || deployment === undefined || !Buffer.isBuffer(body))
      return undefined;
    const answer = parseJsonObject(body.toString("utf8"));
    return answer && undo(answer, deployment).catch(() => undefined);
  }

  #settle(status: "success" | "failure" | "aborted", used: Usage | undefined): Promise<void> | undefined {
    if (this.#done) return undefined;
    this.#done = true;
    const { record } = this.#call;
    const usage = this.#isFromCache ? noUsage : used;
    record.status = status;
    record.usage = usage;
    if (this.#isFromCache) record.cost = 0;
    else if (usage !== undefined && record.deployment !== undefined)
      record.cost = this.#deps.costOf(record.deployment, record.deployment.model, usage);
    this.#health?.ended(usage && usage.input + usage.output);
    this.#attempt?.settle(usage, record.cost);
    const left = this.#prepared?.left ?? [];
    const held = this.#attempt?.budgetHold;
    if (left.length === 0) return this.#account(held);
    const last = left[this.#apart.length];
    const written = last === undefined ? this.#account(held) : undefined;
    this.#deps.leftAttempts.account(() => this.#accountWith(last));
    return written;
  }

  /** @param held of the deployment's budgets */
  #account(held: Hold | undefined): Promise<void> | undefined {
    const { record, callId, principal } = this.#call;
    const { usage, cost } = record;
    if (!this.#isHandedOver) {
      if (usage === undefined) this.#share?.release();
      else this.#share?.settle(usage, cost);
    }
    const hold = this.#isHandedOver ? undefined : this.#share?.hold;
    const ofDeployment = this.#isHandedOver ? undefined : held;
    return this.#deps.ledger.settleTogether({ callId, principal, call: record, hold, ofDeployment });
  }

  /**
   * The end of a call of which attempts were left. The last of these may have ended it, and then it has no answer: its row
   * says what that attempt used. The call's limits are held until all have ended.
   */
  async #accountWith(last: LeftAttempt | undefined): Promise<void> {
    const { record } = this.#call;
    if (last !== undefined) {
      const { usage, cost } = await this.#useOf(last);
      record.usage = record.usage === undefined ? usage : sumOfUsage(record.usage, usage);
      if (cost !== undefined) record.cost = (record.cost ?? 0) + cost;
      last.share?.settle(usage, cost);
      await this.#account(last.share?.hold);
    }
    const used = await Promise.all(this.#apart);
    if (this.#reservation !== this.#share)
      this.#reservation?.settle(used.reduce(sumOfUsage, record.usage ?? noUsage), undefined);
  }

  /** Writes the row of an attempt that was left, when it ends. */
  async #accountApart(left: LeftAttempt, share: Reservation | undefined): Promise<Usage> {
    const { usage, cost } = await this.#useOf(left);
    const { callId, principal, record } = this.#call;
    const { target } = left;
    const call: CallRecord = {
      ...record,
      deployment: target.deployment,
      provider: target.deployment.provider,
      status: "left",
      recorded: false,
      // Its call's trace tells of it.
      trace: undefined,
      usage,
      cost,
    };
    share?.settle(usage, cost);
    left.share?.settle(usage, cost);
    const ofDeployment = left.share?.hold;
    await this.#deps.ledger.settleTogether({ callId, principal, call, hold: share?.hold, ofDeployment });
    return usage;
  }

  async #useOf({ target, answer }: LeftAttempt): Promise<{ usage: Usage; cost: number | undefined }> {
    const usage = await answer.then(
      async (late) =>
        late.kind === "whole"
          ? ((await this.#undone(late, target.deployment)) ?? late.usage ?? this.estimatedUsage())
          : noUsage,
      // What the provider refused, it does not bill; of one that broke nobody knows.
      (error: GatewayError) =>
        error.status < 500 && !isCallAborted(error)
          ? noUsage
          : (error.billed?.usage ?? this.estimatedUsage()),
    );
    return { usage, cost: this.#deps.costOf(target.deployment, target.model, usage) };
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
