import { Agent } from "node:http";
import { setTimeout } from "node:timers/promises";
import type { ISerializer } from "@opentelemetry/otlp-transformer";
import { isJsonProtocol, type OtlpTarget, type Signal } from "../config/options/otlp-targets.ts";
import type { Logger } from "../log/logger.ts";
import { redact } from "../log/redact.ts";
import { guardedLookup } from "../transport/address-guard.ts";
import { Proxies } from "../transport/proxies.ts";
import { tunnelAgent } from "../transport/tunnel-agent.ts";

/** Milliseconds that one export may take, the last one of a process that ends included, unless a variable says less or more. */
const EXPORT_TIMEOUT = 5000;
/** Milliseconds between two lines of the log about one destination that takes nothing. */
const TELL_AGAIN_AFTER = 60_000;

type Environment = Readonly<Record<string, string | undefined>>;

/** Sends spans, figures or log records to one place; what is not taken is lost, and the log says so. */
export interface OtlpExporter<Items> {
  export(items: Items, done: (result: { code: 0 }) => void): void;
  forceFlush(): Promise<void>;
  shutdown(): Promise<void>;
}

/**
 * OTLP over HTTP to one place, by OpenTelemetry's own packages: Protocol Buffers, or JSON where
 * `OTEL_EXPORTER_OTLP_PROTOCOL` says so. Its compression and certificates are OpenTelemetry's variables too.
 * @param what the items' name in the log line about a place that does not take them
 * @param access whose place it is: one that is not the operator's gets nothing of the environment, which may hold secrets,
 *   and must be `public` unless `any` address is allowed
 */
export async function openOtlpExporter<Items>(
  signal: Signal,
  target: OtlpTarget,
  environment: Environment,
  logger: Logger,
  what: string,
  access: "operator" | "public" | "any" = "operator",
): Promise<OtlpExporter<Items>> {
  const [library, transformer] = await Promise.all([
    import("@opentelemetry/otlp-exporter-base/node-http"),
    import("@opentelemetry/otlp-transformer"),
  ]);
  const { createOtlpHttpExportDelegate, convertLegacyHttpOptions } = library;
  const { name, url, headers } = target;
  const isJson =
    target.wantsJson === true || (access === "operator" && isJsonProtocol(signal, target, environment));
  const {
    TraceExporterMetricsHelper,
    MetricsExporterMetricsHelper,
    LogsExporterMetricsHelper,
    JsonTraceSerializer,
    JsonMetricsSerializer,
    JsonLogsSerializer,
    ProtobufTraceSerializer,
    ProtobufMetricsSerializer,
    ProtobufLogsSerializer,
  } = transformer;
  const [helper, serializer] = {
    TRACES: [TraceExporterMetricsHelper, isJson ? JsonTraceSerializer : ProtobufTraceSerializer],
    METRICS: [MetricsExporterMetricsHelper, isJson ? JsonMetricsSerializer : ProtobufMetricsSerializer],
    LOGS: [LogsExporterMetricsHelper, isJson ? JsonLogsSerializer : ProtobufLogsSerializer],
  }[signal];
  const path = `v1/${signal.toLowerCase()}`;
  const type = isJson ? "application/json" : "application/x-protobuf";
  const agent = await agentFor(url, access, environment);
  const options = {
    url,
    headers: { ...headers },
    timeoutMillis: exportTimeout(signal, environment),
    ...(target.wantsJson ? { compression: "none" as never } : {}),
    ...(agent === undefined ? {} : { httpAgentOptions: () => agent }),
  };
  const exporter = createOtlpHttpExportDelegate(
    access === "operator"
      ? convertLegacyHttpOptions(options, signal, path, { "Content-Type": type })
      : {
          ...options,
          headers: async () => ({ ...headers, "Content-Type": type }),
          concurrencyLimit: 2,
          compression: "none",
          agentFactory: () => agent!,
        },
    serializer as ISerializer<Items, unknown>,
    `otlp_http_${signal.toLowerCase()}_exporter`,
    helper as never,
    undefined,
  );
  const tell = refusalTeller(logger, { destination: name, host: URL.parse(url)?.host }, what);
  return {
    export: (items, done) =>
      exporter.export(items, (result) => {
        if (result.code !== 0) tell(result.error);
        done({ code: 0 });
      }),
    forceFlush: () => exporter.forceFlush(),
    shutdown: async () => {
      if (access === "operator") return exporter.shutdown();
      // A stranger's place may answer byte by byte for ever, and hold connections that nothing goes over any more.
      await endedInTime(exporter.shutdown(), signal, environment);
      agent!.destroy();
    },
  };
}

/** The connections to one place; OpenTelemetry's own where the operator's is reached directly. */
async function agentFor(
  url: string,
  access: "operator" | "public" | "any",
  environment: Environment,
): Promise<Agent | undefined> {
  const address = URL.parse(url);
  const proxy = address === null ? undefined : new Proxies(environment).for(address);
  if (proxy !== undefined)
    return tunnelAgent(proxy, address!.protocol, access === "public", { keepAlive: true });
  if (access === "operator") return undefined;
  const options = { keepAlive: true, ...(access === "public" ? { lookup: guardedLookup as never } : {}) };
  if (address?.protocol !== "https:") return new Agent(options);
  // It loads TLS, which takes a while of each start.
  const { Agent: SecureAgent } = await import("node:https");
  return new SecureAgent(options);
}

/**
 * The end of what sends a signal. A queue's batches may go one after the other, each with all its time, and those that are
 * not taken in time end it with an error; the end of a process has time for one, and goes on after an error.
 */
export async function endedInTime(
  ended: Promise<void>,
  signal: Signal,
  environment: Environment,
): Promise<void> {
  const enough = new AbortController();
  const late = setTimeout(exportTimeout(signal, environment), undefined, { signal: enough.signal });
  await Promise.race([ended, late]).catch(() => undefined);
  enough.abort();
  await late.catch(() => undefined);
}

/** Milliseconds that an export of a signal may take. */
function exportTimeout(signal: Signal, environment: Environment): number {
  const otherwise = positive(environment.OTEL_EXPORTER_OTLP_TIMEOUT, EXPORT_TIMEOUT);
  return positive(environment[`OTEL_EXPORTER_OTLP_${signal}_TIMEOUT`], otherwise);
}

/** A variable's number, where it is one above nothing. */
export function positive(text: string | undefined, otherwise: number): number {
  const number = Number(text);
  return number > 0 && Number.isFinite(number) ? number : otherwise;
}

/**
 * The settings of a batching processor by OpenTelemetry's variables.
 * @param prefix `OTEL_BSP` for spans, `OTEL_BLRP` for log records
 * @param delay milliseconds that items wait for others to go with them, unless a variable says another number
 * @see https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/
 */
export function batchSettings(
  prefix: "OTEL_BSP" | "OTEL_BLRP",
  signal: Signal,
  environment: Environment,
  delay: number,
) {
  const maxQueueSize = positive(environment[`${prefix}_MAX_QUEUE_SIZE`], 2048);
  return {
    scheduledDelayMillis: positive(environment[`${prefix}_SCHEDULE_DELAY`], delay),
    exportTimeoutMillis: positive(
      environment[`${prefix}_EXPORT_TIMEOUT`],
      exportTimeout(signal, environment),
    ),
    maxQueueSize,
    maxExportBatchSize: Math.min(positive(environment[`${prefix}_MAX_EXPORT_BATCH_SIZE`], 512), maxQueueSize),
  };
}

/** Says at most once a minute that something was not taken. */
export function refusalTeller(logger: Logger, fields: object, what: string) {
  let toldAt = Number.NEGATIVE_INFINITY;
  return (error: Error | undefined): void => {
    if (performance.now() - toldAt < TELL_AGAIN_AFTER) return;
    toldAt = performance.now();
    const reason = redact(error?.message ?? "it did not answer");
    logger.warn({ ...fields, reason }, `${what} were not taken`);
  };
}
