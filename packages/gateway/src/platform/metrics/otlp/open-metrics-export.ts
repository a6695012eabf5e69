import { randomUUID } from "node:crypto";
import type { ResourceMetrics } from "@opentelemetry/sdk-metrics";
import type { GatewayConfig } from "../../config/gateway-config.ts";
import { collectorTarget } from "../../config/options/otlp-targets.ts";
import { describeError } from "../../log/describe-error.ts";
import type { Logger } from "../../log/logger.ts";
import { endedInTime, openOtlpExporter, positive } from "../../otlp/otlp-exporter.ts";
import { resourceOf } from "../../otlp/resource.ts";
import type { Metrics } from "../metrics.ts";
import { resourceMetricsOf } from "./resource-metrics.ts";

/** Milliseconds between two exports, unless `OTEL_METRIC_EXPORT_INTERVAL` says another number. */
const EXPORT_EVERY = 60_000;

/** Sends the figures to a collector now and then. */
export interface MetricsExport {
  /** Sends them once more. */
  close(): Promise<void>;
}

/**
 * Begins to send the figures of this process over OTLP, where the configuration names a collector for them. Each process
 * sends its own, under a name of its own.
 */
export async function openMetricsExport(
  { gatewaySettings, environment }: GatewayConfig,
  metrics: Metrics,
  version: string,
  logger: Logger,
): Promise<MetricsExport | undefined> {
  const target = collectorTarget("METRICS", gatewaySettings, environment);
  if (target === undefined) return undefined;
  const exporter = await openOtlpExporter<ResourceMetrics>("METRICS", target, environment, logger, "metrics");
  const { resourceFromAttributes } = await import("@opentelemetry/resources");
  const resource = resourceFromAttributes({
    "service.instance.id": randomUUID(),
    ...resourceOf(environment, version),
  });
  const since = Date.now();
  const send = async (): Promise<void> => {
    const figures = await metrics.figures();
    const all = resourceMetricsOf(figures, resource, version, since, Date.now());
    await new Promise<void>((resolve) => exporter.export(all, () => resolve()));
  };
  const failed = (error: unknown): void =>
    logger.warn({ error: describeError(error) }, "figures could not be gathered");
  const every = positive(environment.OTEL_METRIC_EXPORT_INTERVAL, EXPORT_EVERY);
  const timer = setInterval(() => void send().catch(failed), every).unref();
  return {
    close: async () => {
      clearInterval(timer);
      const ended = send()
        .catch(failed)
        .then(() => exporter.shutdown());
      await endedInTime(ended, "METRICS", environment);
    },
  };
}
