import type { CallRecord } from "../../contract/call-record.ts";
import { errorTypeOf, GatewayError } from "../../contract/errors.ts";
import type { CallFailure, HookContext, Hooks } from "../../contract/hook.ts";
import { isJsonObject, type JsonObject } from "../../contract/json.ts";

/** Is told of a hook that failed where its failure must not reach the caller. */
export type ReportHookFailure = (hook: string, moment: string, error: unknown) => void;

/** Where the modules come from, in their order. */
export interface HookSource {
  readonly modules: readonly Hooks[];
  /** Calls the listener after each change. */
  subscribe?(listener: () => void): void;
}

/** The moments of one call that some module wants; what nobody wants is absent and costs nothing. */
export type CallHooks = {
  readonly [moment in
    | "preCall"
    | "duringCall"
    | "postCallSuccess"
    | "postCallStream"
    | "failure"
    | "scheduleSuccess"
    | "changesInPlace"]?: HookRunner[moment];
};

/** Runs the hooks of all modules at the moments of a call, in the order in which the configuration names them. */
export class HookRunner {
  /** What a call asks for once, when it begins. */
  ofCall: CallHooks;
  readonly #source: HookSource;
  readonly #report: ReportHookFailure;
  /** @param source asked at each moment, so that a reload is in force at once */
  constructor(source: HookSource, report: ReportHookFailure) {
    this.#source = source;
    this.#report = report;
    this.ofCall = this.#momentsOfCall();
    source.subscribe?.(() => {
      this.ofCall = this.#momentsOfCall();
    });
  }

  /** Whether any module wants this moment; what nobody wants costs nothing. */
  has(moment: keyof Hooks): boolean {
    return this.#source.modules.some((hooks) => hooks[moment] !== undefined);
  }

  #momentsOfCall(): CallHooks {
    if (this.#source.modules.length === 0) return {};
    return {
      changesInPlace: (moment) => this.changesInPlace(moment),
      ...(this.has("preCall") ? { preCall: (context) => this.preCall(context) } : {}),
      ...(this.has("duringCall") ? { duringCall: (context) => this.duringCall(context) } : {}),
      ...(this.has("postCallSuccess")
        ? { postCallSuccess: (context, answer) => this.postCallSuccess(context, answer) }
        : {}),
      ...(this.has("postCallStream")
        ? { postCallStream: (context, stream) => this.postCallStream(context, stream) }
        : {}),
      ...(this.has("failure")
        ? { failure: (context, error, call) => this.failure(context, error, call) }
        : {}),
      ...(this.has("requestStatus") ? { scheduleSuccess: (callId) => this.scheduleSuccess(callId) } : {}),
    };
  }

  /** Whether a module that runs at this moment may have changed what it was given, which shows in no other object. */
  changesInPlace(moment: keyof Hooks): boolean {
    return this.#source.modules.some((hooks) => hooks[moment] !== undefined && hooks.isPure !== true);
  }

  /**
   * Each hook sees what the one before made of the request: what it returned, else what it left in its context.
   * @returns the request data; the same object may have been changed in place
   * @throws GatewayError the hook's own refusal, else 500, also for a result that is no object
   */
  async preCall(context: HookContext): Promise<JsonObject> {
    let { data } = context;
    for (const hooks of this.#source.modules) {
      if (hooks.preCall === undefined) continue;
      // Other data put in the context's place are a change like any other.
      const given: { data: unknown } & HookContext = { ...context, data };
      const returned: unknown = await this.#guarded(hooks, "pre-call", () => hooks.preCall!(given));
      data = checked(returned ?? given.data, data, "pre-call");
    }
    return data;
  }

  /**
   * What the gateway's own guard makes of a request that leaves without a call of its own.
   * @throws GatewayError its refusal
   */
  guardData(data: JsonObject): JsonObject {
    return this.#source.modules.reduce((guarded, hooks) => hooks.guardData?.(guarded) ?? guarded, data);
  }

  /** @throws GatewayError as soon as one hook refuses */
  async duringCall(context: HookContext): Promise<void> {
    const running = this.#source.modules.map((hooks) =>
      hooks.duringCall === undefined
        ? undefined
        : this.#guarded(hooks, "during-call", () => hooks.duringCall!(context)),
    );
    await Promise.all(running);
  }

  /**
   * @returns the answer; the same object may have been changed in place
   * @throws GatewayError the hook's own refusal, else 500, also for a result that is no object
   */
  async postCallSuccess(context: HookContext, answer: JsonObject): Promise<JsonObject> {
    let current = answer;
    for (const hooks of this.#source.modules) {
      if (hooks.postCallSuccess === undefined) continue;
      const run = () => hooks.postCallSuccess!(context, current);
      current = checked(await this.#guarded(hooks, "post-call", run), current, "post-call");
    }
    return current;
  }

  /**
   * The stream wrapped by every module that wants it. An error that a hook throws ends it: a refusal as such, any other error
   * as 500. So does a hook that yields anything but bytes or texts.
   */
  postCallStream(context: HookContext, stream: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
    return this.#source.modules.reduce(
      (wrapped, hooks) =>
        hooks.postCallStream === undefined ? wrapped : this.#guardedStream(hooks, context, wrapped),
      stream,
    );
  }

  async *#guardedStream(
    hooks: Hooks,
    context: HookContext,
    stream: AsyncIterable<Uint8Array>,
  ): AsyncGenerator<Uint8Array> {
    try {
      const wrapped: AsyncIterable<unknown> = (await hooks.postCallStream!(context, stream)) ?? stream;
      for await (const chunk of wrapped) yield bytesOf(chunk);
    } catch (failure) {
      throw this.#errorOf(hooks, "stream", failure);
    }
  }

  /**
   * Tells of a failed call, the first time that it is told of. Never rejects: the caller gets the call's own error, not
   * the hook's.
   */
  async failure(context: HookContext, error: GatewayError, call: CallRecord): Promise<void> {
    if (!this.has("failure") || call.isFailureTold) return;
    call.isFailureTold = true;
    const failed = failureOf(error);
    for (const hooks of this.#source.modules) {
      try {
        await hooks.failure?.(context, failed);
      } catch (failure) {
        this.#report(nameOf(hooks), "failure", failure);
      }
    }
  }

  /** Schedules the status update of a successful call; returns at once. */
  scheduleSuccess(callId: string): void {
    if (!this.has("requestStatus")) return;
    setImmediate(() => {
      for (const hooks of this.#source.modules) void this.#tellSuccess(hooks, callId);
    });
  }

  async #tellSuccess(hooks: Hooks, callId: string): Promise<void> {
    try {
      await hooks.requestStatus?.({ gateway_call_id: callId, status: "success" });
    } catch (failure) {
      this.#report(nameOf(hooks), "request status", failure);
    }
  }

  async #guarded<T>(hooks: Hooks, moment: string, run: () => T): Promise<Awaited<T>> {
    try {
      return await run();
    } catch (failure) {
      throw this.#errorOf(hooks, moment, failure);
    }
  }

  /** What the caller gets. A refusal is what the hook is for; what it did not mean to throw is logged. */
  #errorOf(hooks: Hooks, moment: string, failure: unknown): GatewayError {
    if (failure instanceof GatewayError) return failure;
    const refusal = refusalOf(failure);
    if (refusal !== undefined) return refusal;
    this.#report(nameOf(hooks), moment, failure);
    return hookFailed(failure, moment);
  }
}

/** A module has its own copy of the error class; what looks like a refusal with a 4xx status is one. */
function refusalOf(failure: unknown): GatewayError | undefined {
  if (!(failure instanceof Error && "status" in failure && typeof failure.status === "number"))
    return undefined;
  const { status } = failure;
  if (status < 400 || status >= 500) return undefined;
  return new GatewayError(status, errorTypeOf(status), failure.message, { retryable: false });
}

/** @throws TypeError for what no stream is made of */
function bytesOf(chunk: unknown): Uint8Array {
  if (chunk instanceof Uint8Array) return chunk;
  if (typeof chunk === "string") return Buffer.from(chunk);
  throw new TypeError(`A stream hook passed on ${chunk === null ? "null" : typeof chunk}`);
}

/** What a hook returned, or what it was given when it returned nothing. */
function checked(returned: unknown, given: JsonObject, moment: string): JsonObject {
  if (returned === undefined || returned === null) return given;
  if (isJsonObject(returned)) return returned;
  const cause = new TypeError(
    `A ${moment} hook returned ${Array.isArray(returned) ? "a list" : typeof returned}`,
  );
  throw hookFailed(cause, moment);
}

function hookFailed(cause: unknown, moment: string): GatewayError {
  return new GatewayError(500, "api_error", `A ${moment} hook failed.`, { cause, retryable: false });
}

/** The error with the fields that its body has. */
function failureOf(error: GatewayError): CallFailure {
  const { message, type, status } = error;
  const own = { message, type, status, param: error.param ?? null, code: String(status) };
  return Object.assign(Object.create(error) as object, own) as CallFailure;
}

function nameOf(hooks: Hooks): string {
  return hooks.name ?? "unnamed";
}
