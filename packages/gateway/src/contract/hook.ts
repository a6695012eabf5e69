import type { GatewayError } from "./errors.ts";
import type { JsonObject } from "./json.ts";
import type { Principal } from "./principal.ts";

/** What every hook gets to see of a call. */
export interface HookContext {
  readonly callId: string;
  readonly callType: string;
  readonly principal: Principal;
  /** The request data: the body plus `response_id`, `custom_llm_provider`, `query_params` where the spec puts them. */
  readonly data: JsonObject;
}

/** A module of hooks; each member is optional. Throwing a `GatewayError` in the first two refuses the call. */
export interface Hooks {
  readonly name?: string;
  /** Before routing; may return changed request data. */
  preCall?(context: HookContext): Promise<JsonObject | undefined> | JsonObject | undefined;
  /** Beside the model call. */
  duringCall?(context: HookContext): Promise<void> | void;
  /** After a successful answer that is not streamed; may return a changed answer. */
  postCallSuccess?(
    context: HookContext,
    answer: JsonObject,
  ): Promise<JsonObject | undefined> | JsonObject | undefined;
  /** Wraps the outgoing stream of server-sent events. */
  postCallStream?(context: HookContext, stream: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
  /** After a failed call. */
  failure?(context: HookContext, error: GatewayError): Promise<void> | void;
  /** Scheduled after the answer: `success` keyed by the call id. */
  requestStatus?(update: { gateway_call_id: string; status: "success" }): Promise<void> | void;
}
