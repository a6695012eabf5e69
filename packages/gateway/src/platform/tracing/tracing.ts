import type { IncomingHttpHeaders } from "node:http";
import type { ReadableSpan, SpanProcessor } from "@opentelemetry/sdk-trace";
import type { CallTrace } from "../../contract/call-trace.ts";
import { readableSpan, type SpanFacts } from "./readable-span.ts";
import { now, RecordedTrace } from "./recorded-trace.ts";
import { attemptSpan, jobSpan, requestSpan, type TracedCall, type TracedRequest } from "./spans.ts";
import { parentOf } from "./trace-context.ts";

/** Which traces are sent that no caller has decided on. */
export interface Sampling {
  /** A caller's own trace is sent if the caller sends it. */
  readonly followsCaller: boolean;
  samples(traceId: string): boolean;
}

/** Makes spans of requests, calls and their attempts, and hands them to whoever sends them. */
export class Tracing {
  readonly #processors: readonly SpanProcessor[];
  readonly #shared: Pick<ReadableSpan, "resource" | "instrumentationScope">;
  readonly #sampling: Sampling;

  constructor(
    processors: readonly SpanProcessor[],
    shared: Pick<ReadableSpan, "resource" | "instrumentationScope">,
    sampling: Sampling,
  ) {
    this.#processors = processors;
    this.#shared = shared;
    this.#sampling = sampling;
  }

  /** @param headers those of the request; absent for a call from inside the gateway */
  begin(headers?: IncomingHttpHeaders): CallTrace {
    const parent = headers && parentOf(headers);
    const { followsCaller } = this.#sampling;
    const samples = (traceId: string): boolean =>
      parent !== undefined && followsCaller ? parent.isSampled : this.#sampling.samples(traceId);
    return new RecordedTrace(parent, headers === undefined, samples);
  }

  /** A request was answered. */
  request(call: TracedCall, request: TracedRequest): void {
    const { trace } = call.record;
    if (trace instanceof RecordedTrace) this.#end(trace, requestSpan(trace, call, request, now()));
  }

  /** A call is over, and its answer too. */
  call(call: TracedCall): void {
    const { trace } = call.record;
    if (!(trace instanceof RecordedTrace)) return;
    const endedAt = now();
    // An operation that called no model is told by its request alone.
    for (const attempt of trace.attempts) this.#end(trace, attemptSpan(trace, attempt, call, endedAt));
    if (trace.isJob) this.#end(trace, jobSpan(trace, call, endedAt));
  }

  /** Sends what is there. @throws Error when a destination does not take it in time */
  async close(): Promise<void> {
    await Promise.all(this.#processors.map((processor) => processor.shutdown()));
  }

  #end(trace: RecordedTrace, facts: SpanFacts): void {
    if (!trace.isSampled) return;
    const span = readableSpan(trace, facts, this.#shared);
    for (const processor of this.#processors) processor.onEnd(span);
  }
}
