import { newCallRecord } from "../../contract/call-record.ts";
import { GatewayError } from "../../contract/errors.ts";
import { asText, type JsonObject } from "../../contract/json.ts";
import type { Principal } from "../../contract/principal.ts";
import { noUsage } from "../../contract/usage.ts";
import { isRevoked } from "../../core/auth/revoked.ts";
import type { Reservation } from "../../core/limits/limiter.ts";
import { insertLateSpend } from "../../core/objects/late-spend.ts";
import type { ResourceContext } from "../../core/objects/resource-client.ts";
import { modelAtProvider } from "../../core/routing/direct-deployment.ts";
import { describeError } from "../../platform/log/describe-error.ts";
import { type JobOutcome, Worker } from "../../platform/queue/worker.ts";
import type { Store } from "../../platform/store/schema.ts";
import {
  isGone,
  originOfResponse,
  type ProviderResponse,
  type ProviderResponses,
} from "./provider-responses.ts";
import { hasEnded } from "./record/stored-row.ts";
import type { ResponseRow } from "./record/table.ts";
import type { ResponseDeps, ResponseState } from "./response-deps.ts";

const QUEUE_NAME = "response-usage";
const CALL_TYPE = "aresponses_background";
const CONCURRENCY = 8;
const POLL_MS = 1000;
/** Milliseconds between looks, a tenth of the response's age within these bounds, and after which it counts as lost. */
const SOONEST = 1000;
const LATEST = 60_000;
const MAX_AGE_MS = 48 * 3_600_000;
/** Looks that may fail: one a minute at the least until the age ends them, not their number. */
const MAX_ATTEMPTS = 100_000;

/** What is to be accounted when it is over. */
interface Payload {
  readonly providerId: string;
  readonly deploymentId: string;
  /** Absent where an older release began it. */
  readonly provider?: string | null;
  readonly principal: Principal;
  /** Milliseconds since the epoch. */
  readonly since: number;
}

/** Accounts for responses that their providers work on in the background: what they used is known when they end. */
export class BackgroundUsage {
  readonly #deps: ResponseDeps;
  readonly #state: ResponseState;
  readonly #providers: ProviderResponses;
  readonly #worker: Worker;

  constructor(deps: ResponseDeps, state: ResponseState, providers: ProviderResponses) {
    this.#deps = deps;
    this.#state = state;
    this.#providers = providers;
    this.#worker = new Worker({
      queue: state.queue,
      name: QUEUE_NAME,
      concurrency: CONCURRENCY,
      pollMs: POLL_MS,
      handler: ({ key, payload }, signal) => this.#look(key, payload as unknown as Payload, signal),
      onError: (error, lease) =>
        deps.logger.warn({ error: describeError(error), response: lease?.key }, "usage not accounted yet"),
    });
  }

  stop(): Promise<void> {
    return this.#worker.stop();
  }

  /**
   * Has a response accounted that has not ended yet.
   * @param held shares of the budget that it keeps until then
   * @param within the transaction that adds the response
   */
  async follow(
    { id, provider_id, deployment_id, provider }: ResponseRow,
    principal: Principal,
    held: readonly Reservation[],
    within: Store["db"],
  ): Promise<void> {
    const as = { requestId: id, callType: CALL_TYPE };
    for (const reservation of held) await reservation.keepUntilSpent(as, within);
    const place = { providerId: provider_id, deploymentId: deployment_id, provider };
    const payload = { ...place, principal, since: Date.now() };
    const options = { runAt: Date.now() + SOONEST, maxAttempts: MAX_ATTEMPTS, within };
    await this.#state.queue.enqueue(QUEUE_NAME, id, { ...payload }, options);
  }

  /**
   * Accounts for a response that is about to be deleted. One that its provider works on is cancelled first: afterwards
   * nobody could learn what it used.
   */
  async settle(response: ProviderResponse, context: ResourceContext): Promise<void> {
    const { id } = response;
    const job = await this.#state.queue.find(QUEUE_NAME, id);
    if (job?.state !== "waiting" && job?.state !== "running") return;
    const payload = job.payload as unknown as Payload;
    if ("done" in (await this.#look(id, payload, context.signal))) return;
    await this.#providers.cancel(response, context).catch((error: unknown) => {
      // It has ended meanwhile, or its provider cannot cancel it.
      if (!(error instanceof GatewayError) || error.status >= 500) throw error;
    });
    await this.#look(id, payload, context.signal);
  }

  /** What its owner may no longer ask for its provider goes on with, at the owner's cost, until it is told. */
  async #cancel(response: ProviderResponse, context: ResourceContext): Promise<void> {
    const { id, origin } = response;
    try {
      await this.#providers.cancel(response, context);
      const message = "a response was cancelled whose key may no longer call";
      this.#deps.logger.info({ response: id, provider: origin.provider }, message);
    } catch (error) {
      // It has ended meanwhile, or its provider cannot cancel it; the next look tells.
      if (!(error instanceof GatewayError)) throw error;
    }
  }

  /** Nobody will know what it used. */
  async #forget(id: string): Promise<JobOutcome> {
    await this.#deps.calls.limiter.forget({ requestId: id, callType: CALL_TYPE });
    return { done: true };
  }

  async #look(id: string, payload: Payload, signal: AbortSignal): Promise<JobOutcome> {
    const { calls, recallPrincipal, meter } = this.#deps;
    const { providerId, deploymentId, provider, principal, since } = payload;
    const origin = originOfResponse(calls.config.current, deploymentId, provider);
    const age = Date.now() - since;
    const later = (): Promise<JobOutcome> | JobOutcome =>
      age > MAX_AGE_MS
        ? this.#forget(id)
        : { again: Date.now() + Math.min(LATEST, Math.max(SOONEST, age / 10)) };
    // The next change of the configuration may bring it back: its provider bills what it has begun.
    if (origin?.deployment === undefined) return later();
    const { deployment } = origin;
    const row = await this.#state.responses.find(id);
    const context = { signal, call: newCallRecord(CALL_TYPE) };
    let answer: JsonObject;
    try {
      answer =
        row !== undefined && hasEnded(row.status)
          ? (JSON.parse(row.answer) as JsonObject)
          : await this.#providers.retrieve({ id, providerId, origin, row }, new URLSearchParams(), context);
    } catch (error) {
      if (isGone(error) || age > MAX_AGE_MS) return this.#forget(id);
      throw error;
    }
    if (!hasEnded(answer.status)) {
      if (await isRevoked(this.#deps, principal))
        await this.#cancel({ id, providerId, origin, row }, context);
      return later();
    }
    const usage = calls.dialectOf("responses").usageOf(answer) ?? noUsage;
    const { spend } = this.#state;
    await insertLateSpend(
      { spend, ledger: calls.ledger, limiter: calls.limiter, config: calls.config, recallPrincipal, meter },
      {
        requestId: id,
        callType: CALL_TYPE,
        principal,
        origin,
        model: deployment.modelName,
        status: answer.status === "failed" ? "failure" : "success",
        startedAt: since,
        usage,
        cost: calls.costOf(deployment, modelAtProvider(deployment, asText(answer.model)), usage) ?? 0,
      },
    );
    return { done: true };
  }
}
