import type { IncomingHttpHeaders } from "node:http";
import type { CallRecord } from "./call-record.ts";
import type { Target } from "./deployment.ts";
import type { GatewayError } from "./errors.ts";
import type { Principal } from "./principal.ts";

/** What is known of a call, however it came. */
export interface TracedCall {
  readonly callId: string;
  readonly principal: Principal | undefined;
  readonly record: CallRecord;
}

/** An answered request, as far as spans tell of it. */
export interface TracedRequest {
  readonly method: string;
  readonly route: string | undefined;
  readonly status: number;
  readonly error: GatewayError | undefined;
}

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
  /** The request was answered. */
  requestEnded(call: TracedCall, request: TracedRequest): void;
  /** The call is over, and its answer too. */
  callEnded(call: TracedCall): void;
}

/** Begins the traces of calls; what nobody wants has none. */
export interface TraceStart {
  /** @param headers those of the request; absent for a call from inside the gateway */
  begin(headers?: IncomingHttpHeaders): CallTrace;
}

/** Who begins traces. */
export interface TraceStarts {
  /** Absent where nothing is traced in general. */
  readonly ofAll: TraceStart | undefined;
  /** For calls of teams with destinations of their own; never rejects. */
  readonly ofTeams: () => Promise<TraceStart | undefined>;
}
