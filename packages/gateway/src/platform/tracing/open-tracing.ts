import type { ReadableSpan } from "@opentelemetry/sdk-trace";
import type { ConfigSource } from "../config/gateway-config.ts";
import { isExporting, type OtlpTarget, traceTargets } from "../config/options/otlp-targets.ts";
import { describeError } from "../log/describe-error.ts";
import type { Logger } from "../log/logger.ts";
import { batchSettings, endedInTime, openOtlpExporter } from "../otlp/otlp-exporter.ts";
import { resourceOf } from "../otlp/resource.ts";
import type { SealedText } from "../store/sealed-text.ts";
import { OwnDestinations } from "./own-destinations.ts";
import { type Sampling, Tracing } from "./tracing.ts";

/** Milliseconds that spans wait for others to go with them, unless `OTEL_BSP_SCHEDULE_DELAY` says another number. */
const SEND_EVERY = 5000;

/** Spans that wait for one destination of a team, of which there may be many. */
const MAX_OWN_QUEUE = 512;

type Environment = Readonly<Record<string, string | undefined>>;

/** Tracing of all calls, or of those alone whose team has destinations of its own. */
export interface Traces {
  /** Absent where the configuration names no destination. */
  readonly ofAll: Tracing | undefined;
  /** For calls of such a team; never rejects, and is `undefined` where nothing is to be sent. */
  readonly ofTeams: () => Promise<Tracing | undefined>;
  close(): Promise<void>;
}

/**
 * Tracing to the destinations that the configuration names at the start, and to those of teams; spans go to each over
 * OTLP, in batches, beside the calls.
 */
export async function openTraces(
  config: ConfigSource,
  version: string,
  seal: SealedText,
  logger: Logger,
): Promise<Traces> {
  const { gatewaySettings, environment } = config.current;
  const targets = traceTargets(gatewaySettings, environment);
  const open = (): Promise<Tracing> => openTracing(targets, config, version, seal, logger);
  const ofAll = targets.length === 0 ? undefined : await open();
  let opening: Promise<Tracing | undefined> | undefined = ofAll && Promise.resolve(ofAll);
  return {
    ofAll,
    ofTeams: () => {
      if (!isExporting(environment)) return Promise.resolve(undefined);
      opening ??= open().catch((error: unknown) => {
        logger.error({ error: describeError(error) }, "spans of teams cannot be sent");
        return undefined;
      });
      return opening;
    },
    close: async () => {
      const opened = await opening;
      if (opened !== undefined) await endedInTime(opened.close(), "TRACES", environment);
    },
  };
}

async function openTracing(
  targets: readonly OtlpTarget[],
  config: ConfigSource,
  version: string,
  seal: SealedText,
  logger: Logger,
): Promise<Tracing> {
  const { environment } = config.current;
  // Gateways without tracing do without the libraries.
  const [{ BatchSpanProcessor, TraceIdRatioBasedSampler }, { resourceFromAttributes }] = await Promise.all([
    import("@opentelemetry/sdk-trace"),
    import("@opentelemetry/resources"),
  ]);
  const allowsPrivate = (): boolean => config.current.gatewaySettings.allowPrivateNetworks;
  const processorOf = async (target: OtlpTarget, access: "operator" | "public" | "any") => {
    const exporter = await openOtlpExporter<ReadableSpan[]>(
      "TRACES",
      target,
      environment,
      logger,
      "spans",
      access,
    );
    const settings = batchSettings("OTEL_BSP", "TRACES", environment, SEND_EVERY);
    const most = access === "operator" ? settings.maxQueueSize : MAX_OWN_QUEUE;
    return new BatchSpanProcessor({
      exporter,
      ...settings,
      maxQueueSize: Math.min(settings.maxQueueSize, most),
      maxExportBatchSize: Math.min(settings.maxExportBatchSize, most),
    });
  };
  const destinations = await Promise.all(
    targets.map(async (target) => ({
      name: target.name,
      processor: await processorOf(target, "operator"),
    })),
  );
  const own = new OwnDestinations(
    (target, isOperators) => processorOf(target, isOperators || allowsPrivate() ? "any" : "public"),
    seal,
    logger,
    allowsPrivate,
  );
  const instrumentationScope = { name: "portico", version };
  const shared = {
    own: { resource: resourceFromAttributes(resourceOf(environment, version)), instrumentationScope },
    ofTeams: { resource: resourceFromAttributes(resourceOf({}, version)), instrumentationScope },
  };
  const ratio = new TraceIdRatioBasedSampler(ratioOf(environment));
  const sampling: Sampling = {
    followsCaller: (environment.OTEL_TRACES_SAMPLER ?? "parentbased_always_on").startsWith("parentbased_"),
    samples: (traceId) => ratio.shouldSample(undefined as never, traceId).decision !== 0,
  };
  return new Tracing(destinations, own, shared, sampling);
}

/** `OTEL_TRACES_SAMPLER` and its argument, by OpenTelemetry's names. */
function ratioOf({ OTEL_TRACES_SAMPLER: sampler = "", OTEL_TRACES_SAMPLER_ARG: given }: Environment): number {
  if (sampler.endsWith("always_off")) return 0;
  const ratio = Number(given ?? 1);
  return sampler.endsWith("traceidratio") && ratio >= 0 && ratio <= 1 ? ratio : 1;
}
