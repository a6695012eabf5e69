import type { GatewayError } from "../../contract/errors.ts";
import type { Exchange } from "../../contract/exchange.ts";
import type { HookRunner } from "./hook-runner.ts";

/** Requests that manage the gateway and call nobody. */
const MANAGEMENT: ReadonlySet<string> = new Set([
  "agents",
  "health",
  "key_management",
  "metrics",
  "models",
  "openapi",
  "spend_logs",
]);

/** Runs the failure hooks for a call that failed before its own hooks began, such as one with invalid JSON. */
export function tellFailure(hooks: HookRunner, exchange: Exchange, error: GatewayError): void {
  const { callId, principal, call } = exchange;
  if (MANAGEMENT.has(call.callType)) return;
  void hooks.failure({ callId, callType: call.callType, principal, data: {} }, error, call);
}
