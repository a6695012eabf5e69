import type { CallTrace, TracedCall, TracedRequest } from "../../contract/call-trace.ts";
import type { Target } from "../../contract/deployment.ts";
import type { GatewayError } from "../../contract/errors.ts";
import { newSpanId, newTraceId, type ParentSpan, traceparent } from "./trace-context.ts";

/** One try of a call at a deployment; times are milliseconds since 1970. */
export interface RecordedAttempt {
  readonly spanId: string;
  readonly target: Target;
  readonly startedAt: number;
  answeredAt: number | undefined;
  /** Absent while the answer is on its way. */
  endedAt: number | undefined;
  error: GatewayError | undefined;
}

/** Makes spans of traces. */
export interface SpanMaker {
  samples(traceId: string): boolean;
  request(trace: RecordedTrace, call: TracedCall, request: TracedRequest): void;
  call(trace: RecordedTrace, call: TracedCall): void;
}

/** What becomes spans when the call has ended. */
export class RecordedTrace implements CallTrace {
  readonly traceId: string;
  readonly spanId = newSpanId();
  readonly parent: ParentSpan | undefined;
  readonly isSampled: boolean;
  /** The call came from inside the gateway, so that no request tells its beginning and end. */
  readonly isJob: boolean;
  readonly startedAt = now();
  readonly attempts: RecordedAttempt[] = [];
  readonly #maker: SpanMaker;

  constructor(parent: ParentSpan | undefined, isJob: boolean, maker: SpanMaker, isSampled?: boolean) {
    this.#maker = maker;
    this.traceId = parent?.traceId ?? newTraceId();
    this.parent = parent;
    this.isJob = isJob;
    this.isSampled = isSampled ?? maker.samples(this.traceId);
  }

  get traceparent(): string {
    return traceparent(this.traceId, this.attempts.at(-1)?.spanId ?? this.spanId, this.isSampled);
  }

  get tracestate(): string | undefined {
    return this.parent?.state;
  }

  tried(target: Target): void {
    this.attempts.push({
      spanId: newSpanId(),
      target,
      startedAt: now(),
      answeredAt: undefined,
      endedAt: undefined,
      error: undefined,
    });
  }

  answered(): void {
    const attempt = this.attempts.at(-1);
    if (attempt !== undefined) attempt.answeredAt = now();
  }

  failed(error: GatewayError): void {
    const attempt = this.attempts.at(-1);
    if (attempt === undefined) return;
    attempt.error = error;
    attempt.endedAt = now();
  }

  requestEnded(call: TracedCall, request: TracedRequest): void {
    this.#maker.request(this, call, request);
  }

  callEnded(call: TracedCall): void {
    this.#maker.call(this, call);
  }
}

/** Milliseconds since 1970, to the microsecond. */
export function now(): number {
  return performance.timeOrigin + performance.now();
}
