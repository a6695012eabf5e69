import type { ReadableSpan } from "@opentelemetry/sdk-trace";
import { hrTime } from "../otlp/hr-time.ts";
import type { RecordedTrace } from "./recorded-trace.ts";

/** OpenTelemetry's numbers of the kinds and of a failure (`SpanKind`, `SpanStatusCode`). */
export const INTERNAL = 0;
export const SERVER = 1;
export const CLIENT = 2;
const FAILED = 2;

/** What a span says of itself; the rest is the same in all. Times are milliseconds since 1970. */
export interface SpanFacts {
  readonly name: string;
  readonly kind: number;
  readonly spanId: string;
  readonly parentId: string | undefined;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly attributes: ReadableSpan["attributes"];
  /** Why it failed, in words without content. */
  readonly failure: string | undefined;
}

/** A span as the exporters read it. */
export function readableSpan(
  trace: RecordedTrace,
  facts: SpanFacts,
  shared: Pick<ReadableSpan, "resource" | "instrumentationScope">,
): ReadableSpan {
  const { name, kind, attributes, startedAt, endedAt, failure } = facts;
  const { traceId } = trace;
  const traceFlags = trace.isSampled ? 1 : 0;
  const parent =
    facts.parentId === undefined
      ? {}
      : { parentSpanContext: { traceId, spanId: facts.parentId, traceFlags, isRemote: kind === SERVER } };
  return {
    name,
    kind,
    spanContext: () => ({ traceId, spanId: facts.spanId, traceFlags }),
    ...parent,
    startTime: hrTime(startedAt),
    endTime: hrTime(Math.max(startedAt, endedAt)),
    duration: hrTime(Math.max(0, endedAt - startedAt)),
    status: failure === undefined ? { code: 0 } : { code: FAILED, message: failure },
    attributes,
    links: [],
    events: [],
    ended: true,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
    ...shared,
  };
}
