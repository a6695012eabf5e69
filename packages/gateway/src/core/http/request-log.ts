import type { CallRecord } from "../../contract/call-record.ts";
import type { GatewayError } from "../../contract/errors.ts";
import type { Principal } from "../../contract/principal.ts";

/** A request that was answered, as the log and the metrics see it. */
export interface AnsweredRequest {
  readonly callId: string;
  readonly method: string;
  /** The route's pattern, so that ids do not multiply the metrics; `undefined` for unknown paths. */
  readonly route: string | undefined;
  readonly path: string;
  readonly status: number;
  /** Milliseconds until the last byte, or until the caller left. */
  readonly durationMs: number;
  readonly principal: Principal | undefined;
  readonly call: CallRecord | undefined;
  readonly error: GatewayError | undefined;
}

/** Is told of each answered request; must not throw. */
export type RequestObserver = (request: AnsweredRequest) => void;
