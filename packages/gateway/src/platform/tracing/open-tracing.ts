import type { SpanExporter } from "@opentelemetry/sdk-trace";
import type { GatewayConfig } from "../config/gateway-config.ts";
import {
  isTracing,
  percentDecoded,
  type TraceTarget,
  traceTargets,
} from "../config/options/trace-destinations.ts";
import type { Logger } from "../log/logger.ts";
import { redact } from "../log/redact.ts";
import { type Sampling, Tracing } from "./tracing.ts";

/** Milliseconds that one export may take, the last one of a process that ends included. */
export const EXPORT_TIMEOUT = 5000;
/** Milliseconds that spans wait for others to go with them, unless `OTEL_BSP_SCHEDULE_DELAY` says another number. */
const SEND_EVERY = 5000;
/** Milliseconds between two lines of the log about one destination that takes no spans. */
const TELL_AGAIN_AFTER = 60_000;

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
  if (!isTracing(environment) || targets.length === 0) return undefined;
  // Gateways without tracing do without the libraries.
  const [
    { BatchSpanProcessor, TraceIdRatioBasedSampler },
    { OTLPTraceExporter },
    { resourceFromAttributes },
  ] = await Promise.all([
    import("@opentelemetry/sdk-trace"),
    import("@opentelemetry/exporter-trace-otlp-proto"),
    import("@opentelemetry/resources"),
  ]);
  const processors = targets.map((target) => {
    const { url, headers } = target;
    const exporter = new OTLPTraceExporter({ url, headers: { ...headers }, timeoutMillis: EXPORT_TIMEOUT });
    const told = tellingExporter(exporter, target, logger);
    return new BatchSpanProcessor({
      exporter: told,
      exportTimeoutMillis: EXPORT_TIMEOUT,
      scheduledDelayMillis: Number(environment.OTEL_BSP_SCHEDULE_DELAY) || SEND_EVERY,
    });
  });
  const resource = resourceFromAttributes(resourceOf(environment, version));
  const ratio = new TraceIdRatioBasedSampler(ratioOf(environment));
  const sampling: Sampling = {
    followsCaller: (environment.OTEL_TRACES_SAMPLER ?? "parentbased_always_on").startsWith("parentbased_"),
    samples: (traceId) => ratio.shouldSample(undefined as never, traceId).decision !== 0,
  };
  return new Tracing(processors, { resource, instrumentationScope: { name: "portico", version } }, sampling);
}

/** Tells when a destination takes no spans; calls go on. */
function tellingExporter(exporter: SpanExporter, { name, url }: TraceTarget, logger: Logger): SpanExporter {
  const tell = refusalTeller(
    logger,
    { destination: name, host: URL.parse(url)?.host },
    "spans were not taken",
  );
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.code !== 0) tell(result.error);
        done({ code: 0 });
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
  };
}

/** Says at most once a minute that something was not taken. */
export function refusalTeller(logger: Logger, fields: object, message: string) {
  let toldAt = Number.NEGATIVE_INFINITY;
  return (error: Error | undefined): void => {
    if (performance.now() - toldAt < TELL_AGAIN_AFTER) return;
    toldAt = performance.now();
    logger.warn({ ...fields, reason: redact(error?.message ?? "it did not answer") }, message);
  };
}

/** `OTEL_TRACES_SAMPLER` and its argument, by OpenTelemetry's names. */
function ratioOf({ OTEL_TRACES_SAMPLER: sampler = "", OTEL_TRACES_SAMPLER_ARG: given }: Environment): number {
  if (sampler.endsWith("always_off")) return 0;
  const ratio = Number(given ?? 1);
  return sampler.endsWith("traceidratio") && ratio >= 0 && ratio <= 1 ? ratio : 1;
}

/** What the process says of itself with whatever it sends. */
export function resourceOf(environment: Environment, version: string): Record<string, string> {
  return {
    ...resourceAttributes(environment.OTEL_RESOURCE_ATTRIBUTES),
    "service.name": environment.OTEL_SERVICE_NAME || "portico",
    "service.version": version,
  };
}

/** `key=value,key=value`, percent-encoded (`OTEL_RESOURCE_ATTRIBUTES`). */
function resourceAttributes(text = ""): Record<string, string> {
  return Object.fromEntries(
    text.split(",").flatMap((pair) => {
      const [name = "", value] = pair.split("=").map((part) => part.trim());
      return name === "" || value === undefined ? [] : [[name, percentDecoded(value)]];
    }),
  );
}
