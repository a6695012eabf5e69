import { randomUUID } from "node:crypto";
import type { ResourceMetrics } from "@opentelemetry/sdk-metrics";
import type { GatewayConfig } from "../../config/gateway-config.ts";
import { metricsTarget } from "../../config/options/trace-destinations.ts";
import type { Logger } from "../../log/logger.ts";
import { EXPORT_TIMEOUT, refusalTeller, resourceOf } from "../../tracing/open-tracing.ts";
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
  const target = metricsTarget(gatewaySettings, environment);
  if (target === undefined) return undefined;
  const [
    { createOtlpHttpExportDelegate, convertLegacyHttpOptions },
    { MetricsExporterMetricsHelper, ProtobufMetricsSerializer },
    { resourceFromAttributes },
  ] = await Promise.all([
    import("@opentelemetry/otlp-exporter-base/node-http"),
    import("@opentelemetry/otlp-transformer"),
    import("@opentelemetry/resources"),
  ]);
  const options = { url: target.url, headers: { ...target.headers }, timeoutMillis: EXPORT_TIMEOUT };
  const exporter = createOtlpHttpExportDelegate<ResourceMetrics, unknown>(
    convertLegacyHttpOptions(options, "METRICS", "v1/metrics", { "Content-Type": "application/x-protobuf" }),
    ProtobufMetricsSerializer,
    "otlp_http_metric_exporter",
    MetricsExporterMetricsHelper,
    undefined,
  );
  const resource = resourceFromAttributes({
    "service.instance.id": randomUUID(),
    ...resourceOf(environment, version),
  });
  const since = Date.now();
  const tell = refusalTeller(logger, { host: URL.parse(target.url)?.host }, "metrics were not taken");
  const send = async (): Promise<void> => {
    const figures = await metrics.figures();
    const all = resourceMetricsOf(figures, resource, version, since, Date.now());
    await new Promise<void>((resolve) => {
      exporter.export(all, (result) => {
        if (result.code !== 0) tell(result.error);
        resolve();
      });
    });
  };
  const every = Number(environment.OTEL_METRIC_EXPORT_INTERVAL) || EXPORT_EVERY;
  const timer = setInterval(() => void send().catch(tell), every).unref();
  return {
    close: async () => {
      clearInterval(timer);
      await send().catch(tell);
      await exporter.shutdown();
    },
  };
}
