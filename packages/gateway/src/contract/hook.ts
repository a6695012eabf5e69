import type { GatewayError } from "./errors.ts";
import type { JsonObject } from "./json.ts";
import type { Principal } from "./principal.ts";

/** What every hook gets to see of a call. */
export interface HookContext {
  readonly callId: string;
  readonly callType: string;
  readonly principal: Principal;
  /** The header `traceparent` (W3C Trace Context) for what a hook asks of others; absent where nothing is traced. */
  readonly traceparent?: string | undefined;
  /** The request data: the body plus `response_id`, `custom_llm_provider`, `query_params` where the spec puts them. */
  readonly data: JsonObject;
}

/**
 * The member that requests have for hooks which pass through to a provider as they are: its path and its query. What stands
 * beside it is of a format that the gateway does not know.
 */
export const PASSED_REQUEST = "pass_through_request";

/** Why a call failed, with what the error's body says of it. */
export type CallFailure = Omit<GatewayError, "param"> & {
  readonly param: string | null;
  /** The status as text. */
  readonly code: string;
};

/** A module of hooks; each member is optional. Throwing a `GatewayError` in the first two refuses the call. */
export interface Hooks {
  readonly name?: string;
  /** The hooks never change what they are given, they return what changed: the gateway's own ones. */
  readonly isPure?: boolean;
  /** Before routing; may change the request data in place or return other data. */
  preCall?(context: HookContext): Promise<JsonObject | undefined> | JsonObject | undefined;
  /** The gateway's own guard, for requests that leave without a call of theirs: the rows of a batch. */
  guardData?(data: JsonObject): JsonObject;
  /** Beside the model call. */
  duringCall?(context: HookContext): Promise<void> | void;
  /** After a successful answer that is not streamed; may change it in place or return another one. */
  postCallSuccess?(
    context: HookContext,
    answer: JsonObject,
  ): Promise<JsonObject | undefined> | JsonObject | undefined;
  /** Wraps the outgoing stream of server-sent events. */
  postCallStream?(context: HookContext, stream: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
  /** After a failed call, once. */
  failure?(context: HookContext, error: CallFailure): Promise<void> | void;
  /** Scheduled after the answer: `success` keyed by the call id. */
  requestStatus?(update: { gateway_call_id: string; status: "success" }): Promise<void> | void;
}
