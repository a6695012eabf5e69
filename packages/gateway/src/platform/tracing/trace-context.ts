import type { IncomingHttpHeaders } from "node:http";
import { randomText } from "../../util/random-text.ts";

/** What the headers of a request say of the trace that it belongs to. */
export interface ParentSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly isSampled: boolean;
  readonly state: string | undefined;
}

/** Versions after the first, 00, may add fields behind these (W3C Trace Context, 3.2). */
const TRACEPARENT =
  /^(?:00(?=.{53}$)|(?!00|ff)[\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(?:-.{0,200})?$/;
/** Characters of a `tracestate` that everybody has to pass on. */
const MAX_STATE = 512;

/** The caller's place in its own trace; absent where it names none, or not in the way that W3C Trace Context says. */
export function parentOf({ traceparent, tracestate }: IncomingHttpHeaders): ParentSpan | undefined {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(String(traceparent ?? "")) ?? [];
  if (traceId === undefined || spanId === undefined) return undefined;
  const given = Array.isArray(tracestate) ? tracestate.join(",") : tracestate;
  const state = given !== undefined && given.length <= MAX_STATE ? given : undefined;
  return { traceId, spanId, isSampled: (Number.parseInt(flags!, 16) & 1) === 1, state };
}

export function traceparent(traceId: string, spanId: string, isSampled: boolean): string {
  return `00-${traceId}-${spanId}-${isSampled ? "01" : "00"}`;
}

export function newTraceId(): string {
  return randomText(16, "hex");
}

export function newSpanId(): string {
  return randomText(8, "hex");
}
