import type { IncomingHttpHeaders } from "node:http";
import type { ReadableSpan, SpanProcessor } from "@opentelemetry/sdk-trace";
import type { CallTrace, TracedCall, TracedRequest } from "../../contract/call-trace.ts";
import type { OwnDestinations } from "./own-destinations.ts";
import { readableSpan, type SpanFacts } from "./readable-span.ts";
import { now, RecordedTrace, type SpanMaker } from "./recorded-trace.ts";
import { attemptSpan, jobSpan, requestSpan } from "./spans.ts";
import { parentOf } from "./trace-context.ts";

/** Which traces are sent that no caller has decided on. */
export interface Sampling {
  /** A caller's own trace is sent if the caller sends it. */
  readonly followsCaller: boolean;
  samples(traceId: string): boolean;
}

/** A destination that the configuration names. */
export interface Destination {
  readonly name: string;
  readonly processor: SpanProcessor;
}

type Shared = Pick<ReadableSpan, "resource" | "instrumentationScope">;

/** Makes spans of requests, calls and their attempts, and hands them to whoever sends them. */
export class Tracing implements SpanMaker {
  readonly #destinations: readonly Destination[];
  readonly #own: OwnDestinations;
  readonly #shared: Shared;
  readonly #sharedWithTeams: Shared;
  readonly #sampling: Sampling;

  /**
   * @param own the destinations of teams, which stand in place of those of the same service
   * @param shared what all spans say; with those of teams nothing of the operator's environment
   */
  constructor(
    destinations: readonly Destination[],
    own: OwnDestinations,
    shared: { readonly own: Shared; readonly ofTeams: Shared },
    sampling: Sampling,
  ) {
    this.#destinations = destinations;
    this.#own = own;
    this.#shared = shared.own;
    this.#sharedWithTeams = shared.ofTeams;
    this.#sampling = sampling;
  }

  /** @param headers those of the request; absent for a call from inside the gateway */
  begin(headers?: IncomingHttpHeaders): CallTrace {
    const parent = headers && parentOf(headers);
    const isFollowed = parent !== undefined && this.#sampling.followsCaller;
    return new RecordedTrace(parent, headers === undefined, this, isFollowed ? parent.isSampled : undefined);
  }

  samples(traceId: string): boolean {
    return this.#sampling.samples(traceId);
  }

  request(trace: RecordedTrace, call: TracedCall, request: TracedRequest): void {
    const isFailure =
      call.record.status === "pending" ? request.status >= 400 : call.record.status !== "success";
    this.#end(trace, requestSpan(trace, call, request, now()), call, isFailure);
  }

  call(trace: RecordedTrace, call: TracedCall): void {
    const endedAt = now();
    const isFailure = call.record.status !== "success";
    // An operation that called no model is told by its request alone.
    for (const attempt of trace.attempts)
      this.#end(trace, attemptSpan(trace, attempt, call, endedAt), call, isFailure);
    if (trace.isJob) this.#end(trace, jobSpan(trace, call, endedAt), call, isFailure);
  }

  /** Sends what is there. @throws Error when a destination does not take it in time */
  async close(): Promise<void> {
    await Promise.all([
      ...this.#destinations.map(({ processor }) => processor.shutdown()),
      this.#own.close(),
    ]);
  }

  #end(trace: RecordedTrace, facts: SpanFacts, { principal }: TracedCall, isFailure: boolean): void {
    if (!trace.isSampled) return;
    const span = readableSpan(trace, facts, this.#shared);
    const own = principal?.logging;
    for (const { name, processor } of this.#destinations)
      if (own === undefined || !this.#own.replaces(own, name)) processor.onEnd(span);
    if (principal !== undefined && own !== undefined)
      this.#own.send(
        principal.teamId ?? principal.organizationId ?? principal.keyHash,
        own,
        isFailure,
        readableSpan(trace, facts, this.#sharedWithTeams),
      );
  }
}
