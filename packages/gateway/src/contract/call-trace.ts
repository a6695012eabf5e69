import type { Target } from "./deployment.ts";
import type { GatewayError } from "./errors.ts";

/** A call's place in a trace (W3C Trace Context), and what is noted for it on the way. */
export interface CallTrace {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits: the call itself. */
  readonly spanId: string;
  /** Whether its spans are sent. */
  readonly isSampled: boolean;
  /** The header `traceparent` for whoever works for the call now: the attempt under way, else the call itself. */
  readonly traceparent: string;
  /** The header `tracestate` as the caller sent it. */
  readonly tracestate: string | undefined;
  /** A deployment is tried. */
  tried(target: Target): void;
  /** The deployment that was tried last began to answer. */
  answered(): void;
  /** The deployment that was tried last gave no answer. */
  failed(error: GatewayError): void;
}
