import { newCallRecord } from "../../contract/call-record.ts";
import type { ResourceContext } from "../../core/objects/resource-client.ts";

/** The context of a request that the gateway makes on its own, for no caller who waits. */
export function internalContext(callType: string, signal: AbortSignal): ResourceContext {
  return { signal, call: newCallRecord(callType) };
}
