import type { ReadableSpan } from "@opentelemetry/sdk-trace";
import type { GatewayConfig } from "../config/gateway-config.ts";
import { traceTargets } from "../config/options/otlp-targets.ts";
import type { Logger } from "../log/logger.ts";
import { batchSettings, openOtlpExporter } from "../otlp/otlp-exporter.ts";
import { resourceOf } from "../otlp/resource.ts";
import { type Sampling, Tracing } from "./tracing.ts";

/** Milliseconds that spans wait for others to go with them, unless `OTEL_BSP_SCHEDULE_DELAY` says another number. */
const SEND_EVERY = 5000;

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Tracing to the destinations that the configuration names at the start; spans go to each over OTLP, in batches, beside
 * the calls.
 */
export async function openTracing(
  { gatewaySettings, environment }: GatewayConfig,
  version: string,
  logger: Logger,
): Promise<Tracing | undefined> {
  const targets = traceTargets(gatewaySettings, environment);
  if (targets.length === 0) return undefined;
  // Gateways without tracing do without the libraries.
  const [{ BatchSpanProcessor, TraceIdRatioBasedSampler }, { resourceFromAttributes }] = await Promise.all([
    import("@opentelemetry/sdk-trace"),
    import("@opentelemetry/resources"),
  ]);
  const processors = await Promise.all(
    targets.map(async (target) => {
      const exporter = await openOtlpExporter<ReadableSpan[]>("TRACES", target, environment, logger, "spans");
      return new BatchSpanProcessor({
        exporter,
        ...batchSettings("OTEL_BSP", "TRACES", environment, SEND_EVERY),
      });
    }),
  );
  const resource = resourceFromAttributes(resourceOf(environment, version));
  const ratio = new TraceIdRatioBasedSampler(ratioOf(environment));
  const sampling: Sampling = {
    followsCaller: (environment.OTEL_TRACES_SAMPLER ?? "parentbased_always_on").startsWith("parentbased_"),
    samples: (traceId) => ratio.shouldSample(undefined as never, traceId).decision !== 0,
  };
  return new Tracing(processors, { resource, instrumentationScope: { name: "portico", version } }, sampling);
}

/** `OTEL_TRACES_SAMPLER` and its argument, by OpenTelemetry's names. */
function ratioOf({ OTEL_TRACES_SAMPLER: sampler = "", OTEL_TRACES_SAMPLER_ARG: given }: Environment): number {
  if (sampler.endsWith("always_off")) return 0;
  const ratio = Number(given ?? 1);
  return sampler.endsWith("traceidratio") && ratio >= 0 && ratio <= 1 ? ratio : 1;
}
