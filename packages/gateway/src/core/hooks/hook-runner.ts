import { GatewayError } from "../../contract/errors.ts";
import type { HookContext, Hooks } from "../../contract/hook.ts";
import type { JsonObject } from "../../contract/json.ts";

/** Is told of a hook that failed where its failure must not reach the caller. */
export type ReportHookFailure = (hook: string, moment: string, error: unknown) => void;

/** Runs the hooks of all modules at the moments of a call, in the order in which the configuration names them. */
export class HookRunner {
  readonly #modules: () => readonly Hooks[];
  readonly #report: ReportHookFailure;

  /** @param modules asked at each moment, so that a reload is in force at once */
  constructor(modules: () => readonly Hooks[], report: ReportHookFailure) {
    this.#modules = modules;
    this.#report = report;
  }

  /** Whether any module wants this moment; what nobody wants costs nothing. */
  has(moment: keyof Hooks): boolean {
    return this.#modules().some((hooks) => hooks[moment] !== undefined);
  }

  /**
   * Each hook sees what the one before made of the request.
   * @returns the request data, the very same object when no hook changed it
   * @throws GatewayError the hook's own refusal, else 500
   */
  async preCall(context: HookContext): Promise<JsonObject> {
    let { data } = context;
    for (const hooks of this.#modules()) {
      if (hooks.preCall === undefined) continue;
      data = (await this.#guarded(hooks, "pre-call", () => hooks.preCall!({ ...context, data }))) ?? data;
    }
    return data;
  }

  /** @throws GatewayError as soon as one hook refuses */
  async duringCall(context: HookContext): Promise<void> {
    const running = this.#modules().map((hooks) =>
      hooks.duringCall === undefined
        ? undefined
        : this.#guarded(hooks, "during-call", () => hooks.duringCall!(context)),
    );
    await Promise.all(running);
  }

  /** @returns the answer, the very same object when no hook changed it */
  async postCallSuccess(context: HookContext, answer: JsonObject): Promise<JsonObject> {
    let current = answer;
    for (const hooks of this.#modules()) {
      if (hooks.postCallSuccess === undefined) continue;
      const run = () => hooks.postCallSuccess!(context, current);
      current = (await this.#guarded(hooks, "post-call", run)) ?? current;
    }
    return current;
  }

  /** The stream wrapped by every module that wants it. */
  postCallStream(context: HookContext, stream: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
    return this.#modules().reduce(
      (wrapped, hooks) => hooks.postCallStream?.(context, wrapped) ?? wrapped,
      stream,
    );
  }

  /** Never rejects: the caller gets the call's own error, not the hook's. */
  async failure(context: HookContext, error: GatewayError): Promise<void> {
    for (const hooks of this.#modules()) {
      try {
        await hooks.failure?.(context, error);
      } catch (failure) {
        this.#report(nameOf(hooks), "failure", failure);
      }
    }
  }

  /** Schedules the status update of a successful call; returns at once. */
  scheduleSuccess(callId: string): void {
    if (!this.has("requestStatus")) return;
    setImmediate(() => {
      for (const hooks of this.#modules()) void this.#tellSuccess(hooks, callId);
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
      if (failure instanceof GatewayError) throw failure;
      this.#report(nameOf(hooks), moment, failure);
      throw hookFailed(failure, moment);
    }
  }
}

/** A module has its own copy of the error class; what looks like a refusal with a 4xx status is one. */
function hookFailed(failure: unknown, moment: string): GatewayError {
  if (failure instanceof Error && "status" in failure && typeof failure.status === "number") {
    const { status } = failure;
    if (status >= 400 && status < 500)
      return new GatewayError(status, "invalid_request_error", failure.message, { retryable: false });
  }
  return new GatewayError(500, "api_error", `A ${moment} hook failed.`, { cause: failure, retryable: false });
}

function nameOf(hooks: Hooks): string {
  return hooks.name ?? "unnamed";
}
