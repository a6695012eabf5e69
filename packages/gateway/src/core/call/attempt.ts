import { setImmediate as nextTurn } from "node:timers/promises";
import type { CallRecord } from "../../contract/call-record.ts";
import type { Target } from "../../contract/deployment.ts";
import { GatewayError, toGatewayError } from "../../contract/errors.ts";
import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import { hasBudget } from "../../contract/principal.ts";
import type { Provider } from "../../contract/provider.ts";
import type { Usage } from "../../contract/usage.ts";
import { namesPictures } from "../../formats/inline-media.ts";
import { callAborted, timedOut } from "../../platform/transport/failures.ts";
import type { CallTimeouts } from "../../platform/transport/upstream-call.ts";
import { mockProvider } from "../../providers/mock-provider.ts";
import { type CallSignal, toAbortSignal } from "../../util/light-signal.ts";
import type { Hold } from "../ledger/ledger.ts";
import type { Reservation } from "../limits/limiter.ts";
import { invalidModel } from "../routing/resolve-model.ts";
import type { Answer, StreamHold } from "./answer.ts";
import { isMissingOperation, sendNative } from "./native-attempt.ts";
import type { PreparedCall } from "./prepare-call.ts";
import { refers, replaceReferences, requireVisibleReferences } from "./request-references.ts";
import { isLimited, reserveForDeployment } from "./reserve.ts";
import { sendTranslated } from "./translated-attempt.ts";

/** Bytes of a body that others wait for to be walked. */
const LARGE_BODY = 200_000;

/** An answer and the attempt that brought it, which is still to be settled. */
export interface Answered {
  readonly answer: Answer;
  readonly attempt: Attempt;
}

/**
 * Makes one try at a deployment ready.
 * @param failsOver another deployment could take over
 * @param lacksFormat the deployment's host turned out not to have the call's format
 * @throws DeploymentFull; GatewayError 500 for a provider that the gateway does not know
 */
export function openAttempt(
  prepared: PreparedCall,
  planned: Target,
  failsOver: boolean,
  lacksFormat: boolean,
): Attempt | Promise<Attempt> {
  const target = effectiveTarget(prepared, planned);
  const { deployment } = target;
  const isMocked = deployment.mockResponse !== undefined;
  const provider = isMocked ? mockProvider : prepared.deps.findProvider(deployment.provider);
  if (provider === undefined) {
    const isCallers = prepared.config.deployments.find(({ id }) => id === deployment.id)?.provider === "*";
    // A deployment of any model takes its provider from the name that the caller gave.
    if (isCallers) throw invalidModel(prepared.model);
    const text = `The model ${deployment.modelName} is configured for the provider ${deployment.provider}, which the gateway does not know.`;
    throw new GatewayError(500, "api_error", text, { retryable: false });
  }
  const { record } = prepared.call;
  const open = (reservation: Reservation | undefined): Attempt => {
    record.deployment = deployment;
    record.provider = deployment.provider;
    return new Attempt(prepared, target, provider, reservation, failsOver, lacksFormat);
  };
  return isLimited(deployment)
    ? reserveForDeployment(prepared, target, failsOver).then(open)
    : open(undefined);
}

/** One try of a call at one deployment. */
export class Attempt {
  readonly prepared: PreparedCall;
  readonly target: Target;
  readonly provider: Provider;
  readonly hold: StreamHold;
  /** What the call's adapter changes in the request for this deployment. */
  adapted: ReadonlyMap<string, unknown> | undefined;
  /**
   * The request is written anew from what was understood of it: one that names files or containers might name each
   * twice, and a provider that reads the first name would take another than the one that was checked.
   */
  isRewritten = false;
  readonly #reservation: Reservation | undefined;
  readonly #lacksFormat: boolean;

  constructor(
    prepared: PreparedCall,
    target: Target,
    provider: Provider,
    reservation: Reservation | undefined,
    failsOver: boolean,
    lacksFormat: boolean,
  ) {
    this.prepared = prepared;
    this.hold = { failsOver, ms: prepared.config.routerSettings.streamHold * 1000 };
    this.target = target;
    this.provider = provider;
    this.#reservation = reservation;
    this.#lacksFormat = lacksFormat;
  }

  /** What became known about the call. */
  get record(): CallRecord {
    return this.prepared.call.record;
  }

  /**
   * The timeouts in seconds. For the whole call the first of: command line, the caller's header, the deployment, the
   * router, the gateway; for a stream's first byte: header, deployment, router.
   */
  get timeouts(): Partial<CallTimeouts> {
    const { config, steering, stream } = this.prepared;
    const { commandLine, routerSettings, gatewaySettings } = config;
    const { timeouts } = this.target.deployment;
    const whole =
      commandLine.requestTimeout ??
      (this.#endsAlone ? undefined : steering.timeout) ??
      timeouts.whole ??
      routerSettings.timeout ??
      gatewaySettings.requestTimeout;
    const firstByte = steering.streamTimeout ?? timeouts.firstByte ?? routerSettings.streamTimeout;
    return {
      whole,
      ...(stream && firstByte !== undefined ? { firstByte } : {}),
      ...(timeouts.connect === undefined ? {} : { connect: timeouts.connect }),
      ...(timeouts.betweenChunks === undefined ? {} : { betweenChunks: timeouts.betweenChunks }),
    };
  }

  /** Adds the deployment's `extra_headers`, and the trace where providers may see it. */
  addExtraHeaders(headers: Record<string, string>): Record<string, string> {
    const { trace } = this.record;
    if (trace !== undefined && this.prepared.config.gatewaySettings.forwardTraceparentToLlmProvider) {
      headers.traceparent = trace.traceparent;
      if (trace.tracestate !== undefined) headers.tracestate = trace.tracestate;
    }
    const { extra_headers: extra } = this.target.deployment.params;
    if (!isJsonObject(extra)) return headers;
    for (const [name, value] of Object.entries(extra)) {
      if (typeof value === "string" || typeof value === "number") headers[name.toLowerCase()] = String(value);
    }
    return headers;
  }

  /** @throws GatewayError why there is no answer */
  async run(): Promise<Answered> {
    try {
      return { attempt: this, answer: await (this.#endsAlone ? this.#sendToItsEnd() : this.#send()) };
    } catch (thrown) {
      const { billed } = toGatewayError(thrown);
      if (billed === undefined) this.#reservation?.release();
      else this.#leave(Promise.reject(thrown), billed.usage);
      throw thrown;
    }
  }

  /** Cuts what is under way. */
  get signal(): CallSignal {
    return this.#endsAlone ? this.prepared.deps.leftAttempts.signal : this.prepared.signal;
  }

  /**
   * Whether the attempt goes on when nobody waits for it: a whole answer is billed once it was asked for, and what it
   * cost is known at its end. Only budgets need to know.
   */
  get #endsAlone(): boolean {
    const { call, stream } = this.prepared;
    return !stream && (hasBudget(call.principal) || this.target.deployment.budgets !== undefined);
  }

  /** Nobody gets the answer, which is paid for all the same: it is accounted as one that was left. */
  #leave(answer: Promise<Answer>, usage: Usage | undefined): void {
    const { deps, left } = this.prepared;
    const { deployment, model } = this.target;
    const share = this.handOverBudgets();
    this.settle(usage, usage && deps.costOf(deployment, model, usage));
    // Whoever accounts for it looks later.
    answer.catch(() => undefined);
    left.push({ target: this.target, answer, share });
  }

  /** The shares of its deployment's budgets, for what goes on when the attempt is over. */
  handOverBudgets(): Reservation | undefined {
    return this.target.deployment.budgets === undefined ? undefined : this.#reservation?.handOverBudgets();
  }

  /** What it holds of its deployment's budgets. */
  get budgetHold(): Hold | undefined {
    return this.#reservation?.hold;
  }

  /** Called once when the answer is over. */
  settle(usage: Usage | undefined, cost: number | undefined): void {
    this.#reservation?.settle(usage, cost);
  }

  /** Many hosts that speak OpenAI's API have its chat completions only; such a one gets responses translated. */
  async #send(): Promise<Answer> {
    const { deps, call } = this.prepared;
    if (!this.#getsNative()) return this.#sendAs(false);
    if (call.format !== "responses") return this.#sendAs(true);
    try {
      return await this.#sendAs(true);
    } catch (missing) {
      if (!isMissingOperation(missing)) throw missing;
      const answer = await this.#sendAs(false).catch(() => {
        throw missing;
      });
      // A host without a further operation of the format may well have the format.
      if (call.path === undefined) deps.health.noteMissingFormat(this.target.deployment.id, call.format);
      return answer;
    }
  }

  /** The caller who leaves, a hook that refuses, and the caller's own time-out end the waiting alone. */
  #sendToItsEnd(): Promise<Answer> {
    const { signal, steering, left } = this.prepared;
    if (signal.aborted) return Promise.reject(callAborted(signal.reason));
    return new Promise((resolve, reject) => {
      const answer = this.#send();
      const leave = (error: GatewayError): void => {
        left.push({ target: this.target, answer, share: this.handOverBudgets() });
        reject(error);
      };
      const abort = (): void => leave(callAborted(signal.reason));
      const { timeout } = steering;
      const timer =
        timeout === undefined ? undefined : setTimeout(() => leave(timedOut("whole")), timeout * 1000);
      signal.addEventListener("abort", abort);
      // What has ended is not left any more.
      const over = <T>(tell: (outcome: T) => void) => {
        return (outcome: T): void => {
          clearTimeout(timer);
          signal.removeEventListener("abort", abort);
          tell(outcome);
        };
      };
      answer.then(over(resolve), over(reject));
    });
  }

  #getsNative(): boolean {
    const { call, data } = this.prepared;
    const { format } = call;
    if (!this.provider.native.has(format) || this.#lacksFormat) return false;
    if (this.provider.takesNative?.(format, this.target.model) === false) return false;
    return this.provider.takesNoAddresses !== true || !namesPictures(data);
  }

  /**
   * Reading a large body took its share of a turn of the event loop; what follows walks it again. One without its bytes
   * may be as large.
   */
  #sendAs(isNative: boolean): Promise<Answer> {
    const { raw } = this.prepared;
    if (raw !== undefined && raw.length < LARGE_BODY) return this.#sendNow(isNative);
    return nextTurn().then(() => this.#sendNow(isNative));
  }

  #sendNow(isNative: boolean): Promise<Answer> {
    const { call, raw, data, deps } = this.prepared;
    this.record.native = isNative;
    call.view?.begin();
    const send = isNative ? sendNative : sendTranslated;
    if (call.format === "gemini") {
      // What these name stays as it is, so that the bytes do.
      if (raw !== undefined && !refers(data, true)) return send(this);
      return requireVisibleReferences(deps.references, data, call.principal).then(() => send(this));
    }
    this.isRewritten = raw !== undefined && refers(data, !isNative);
    if (call.adapter === undefined && raw !== undefined && !this.isRewritten) return send(this);
    return this.#adapt(data, isNative).then(() => send(this));
  }

  /** What the call's adapter changes, then the files and containers that the request names after that. */
  async #adapt(data: JsonObject, isNative: boolean): Promise<void> {
    const { call, deps } = this.prepared;
    const { principal, record } = call;
    const adapted = await call.adapter?.changes(data, this.target, isNative);
    const now = adapted === undefined ? data : { ...data, ...Object.fromEntries(adapted) };
    const caller = { principal, record, signal: toAbortSignal(this.signal) };
    const referred = await replaceReferences(deps.references, now, caller, this.target, isNative);
    this.adapted = new Map([...(adapted ?? []), ...referred]);
  }
}

/** The deployment with the command line's address in place of its own, and with the answer that the caller wants. */
function effectiveTarget({ config, mockedText }: PreparedCall, target: Target): Target {
  const { apiBase } = config.commandLine;
  if (apiBase === undefined && mockedText === undefined) return target;
  const { deployment } = target;
  const changed = {
    ...deployment,
    ...(mockedText === undefined ? {} : { mockResponse: mockedText }),
    apiBase: apiBase ?? deployment.apiBase,
  };
  return { ...target, deployment: changed };
}
