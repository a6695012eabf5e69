import type { AnyValueMap, LogRecord, SeverityNumber } from "@opentelemetry/api-logs";
import { parseJsonObject } from "../../../contract/json.ts";

/** pino's levels as OpenTelemetry's severities (logs data model, Severity Fields). */
const severities: Readonly<Record<number, readonly [severity: SeverityNumber, text: string]>> = {
  10: [1, "TRACE"],
  20: [5, "DEBUG"],
  30: [9, "INFO"],
  40: [13, "WARN"],
  50: [17, "ERROR"],
  60: [21, "FATAL"],
};

/** A line of the log as OpenTelemetry has it, and the span that it belongs to. */
export interface ParsedLine {
  readonly record: Omit<LogRecord, "context">;
  /** Absent where the line belongs to no call that is traced. */
  readonly span:
    | { readonly traceId: string; readonly spanId: string; readonly traceFlags: number }
    | undefined;
}

/**
 * What a line of the log says, already masked: the message is the body, its other members are attributes by their names.
 * @returns nothing for a text that is not a line of the log
 */
export function parseLogLine(line: string): ParsedLine | undefined {
  const members = parseJsonObject(line);
  if (members === undefined) return undefined;
  const { level, time, msg, trace_id: traceId, span_id: spanId, trace_flags: flags, ...others } = members;
  const [severityNumber, severityText] = severities[Number(level)] ?? [];
  const known = Object.entries(others).filter(([, value]) => value !== null && value !== undefined);
  return {
    record: {
      timestamp: new Date(String(time)),
      ...(severityNumber === undefined ? {} : { severityNumber, severityText: severityText! }),
      body: String(msg ?? ""),
      attributes: Object.fromEntries(known) as AnyValueMap,
    },
    span:
      typeof traceId === "string" && typeof spanId === "string"
        ? { traceId, spanId, traceFlags: Number(flags === "01") }
        : undefined,
  };
}
