import type { ReadableLogRecord } from "@opentelemetry/sdk-logs";
import type { GatewayConfig } from "../../config/gateway-config.ts";
import { collectorTarget } from "../../config/options/otlp-targets.ts";
import { batchSettings, endedInTime, openOtlpExporter, positive } from "../../otlp/otlp-exporter.ts";
import { resourceOf } from "../../otlp/resource.ts";
import { followLines, type Logger } from "../logger.ts";
import { parseLogLine } from "./log-record.ts";

/** Milliseconds that records wait for others to go with them, unless `OTEL_BLRP_SCHEDULE_DELAY` says another number. */
const SEND_EVERY = 1000;

/** Sends the lines of the log to a collector. */
export interface LogExport {
  /** Sends what waits, for as long as one export may take. */
  close(): Promise<void>;
}

/**
 * Begins to send each line of the log over OTLP as well, where the configuration names a collector for them; those that
 * were written before are the first. Lines wait in a queue with an end: beyond it they stand on standard output alone.
 */
export async function openLogExport(
  { gatewaySettings, environment }: GatewayConfig,
  version: string,
  logger: Logger,
): Promise<LogExport | undefined> {
  const target = collectorTarget("LOGS", gatewaySettings, environment);
  if (target === undefined) {
    followLines(logger, undefined);
    return undefined;
  }
  const [
    exporter,
    { BatchLogRecordProcessor, LoggerProvider },
    { resourceFromAttributes },
    { ROOT_CONTEXT, trace },
  ] = await Promise.all([
    openOtlpExporter<ReadableLogRecord[]>("LOGS", target, environment, logger, "log records"),
    import("@opentelemetry/sdk-logs"),
    import("@opentelemetry/resources"),
    import("@opentelemetry/api"),
  ]);
  const provider = new LoggerProvider({
    resource: resourceFromAttributes(resourceOf(environment, version)),
    processors: [
      new BatchLogRecordProcessor({
        exporter,
        ...batchSettings("OTEL_BLRP", "LOGS", environment, SEND_EVERY),
      }),
    ],
    logRecordLimits: {
      attributeCountLimit: limitOf(environment, "COUNT", 128),
      attributeValueLengthLimit: limitOf(environment, "VALUE_LENGTH", Number.POSITIVE_INFINITY),
    },
  });
  const records = provider.getLogger("portico", version);
  followLines(logger, (line) => {
    const { record, span } = parseLogLine(line) ?? {};
    if (record === undefined) return;
    const context = span === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, span);
    records.emit({ ...record, context });
  });
  return {
    close: async () => {
      followLines(logger, undefined);
      await endedInTime(provider.shutdown(), "LOGS", environment);
    },
  };
}

/** `OTEL_LOGRECORD_ATTRIBUTE_COUNT_LIMIT` and the like, else the limit of all signals. */
function limitOf(
  environment: Readonly<Record<string, string | undefined>>,
  what: "COUNT" | "VALUE_LENGTH",
  otherwise: number,
): number {
  const ofAll = positive(environment[`OTEL_ATTRIBUTE_${what}_LIMIT`], otherwise);
  return positive(environment[`OTEL_LOGRECORD_ATTRIBUTE_${what}_LIMIT`], ofAll);
}
