import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { type OtlpObject, readOtlp } from "./otlp-messages.ts";

type Attributes = Readonly<Record<string, unknown>>;

/** A span as it came over OTLP. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for the first of a trace. */
  readonly parentId: string;
  readonly name: string;
  readonly kind: number;
  /** Nanoseconds since 1970. */
  readonly start: bigint;
  readonly end: bigint;
  /** 2 for a failure. */
  readonly status: number;
  readonly attributes: Attributes;
  /** Those of the process. */
  readonly resource: Attributes;
}

/** One series of a metric as it came over OTLP. */
export interface ReceivedPoint {
  readonly name: string;
  readonly kind: "sum" | "gauge" | "histogram";
  readonly attributes: Attributes;
  /** Of a histogram the sum. */
  readonly value: number;
  /** Of a histogram. */
  readonly count: number | undefined;
  readonly buckets: readonly number[];
  readonly resource: Attributes;
}

/** A log record as it came over OTLP. */
export interface ReceivedLog {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly severity: number;
  readonly severityText: string;
  readonly body: unknown;
  readonly traceId: string;
  readonly spanId: string;
  /** 1 for a trace that is sent. */
  readonly flags: number;
  readonly attributes: Attributes;
  readonly resource: Attributes;
}

/**
 * A collector of spans, metrics and log records that speaks OTLP over HTTP with Protocol Buffers and JSON. What it cannot
 * read by the definitions is 400 and stands in `faults`.
 * @param status of its answers; nothing is read where it is none of success
 */
export async function startCollector(status = 200) {
  const spans: ReceivedSpan[] = [];
  const logs: ReceivedLog[] = [];
  const faults: string[] = [];
  let metrics: ReceivedPoint[] = [];
  const requests: { path: string; headers: NodeJS.Dict<string | string[]>; bytes: Buffer }[] = [];
  const take = (path: string, bytes: Buffer, isJson: boolean): void => {
    if (path.endsWith("/v1/metrics")) metrics = pointsOf(readOtlp("metrics", bytes, isJson));
    else if (path.endsWith("/v1/logs")) logs.push(...logsOf(readOtlp("logs", bytes, isJson)));
    else spans.push(...spansOf(readOtlp("traces", bytes, isJson)));
  };
  const server = createServer(async (request, response) => {
    const sent = await buffer(request);
    const bytes = request.headers["content-encoding"] === "gzip" ? gunzipSync(sent) : sent;
    requests.push({ path: request.url!, headers: request.headers, bytes });
    const type = request.headers["content-type"] ?? "";
    const isJson = type === "application/json";
    let answer = status;
    try {
      if (status === 200) take(request.url!, bytes, isJson);
    } catch (error) {
      faults.push(`${request.url}: ${String(error)}`);
      answer = 400;
    }
    response.writeHead(answer, { "content-type": type }).end(isJson ? "{}" : "");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    logs,
    faults,
    /** Those of the last export. */
    metrics: (): readonly ReceivedPoint[] => metrics,
    requests,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function spansOf(request: OtlpObject): ReceivedSpan[] {
  return itemsOf(request, "Spans", "spans").map(({ item, resource }) => ({
    traceId: textOf(item.traceId),
    spanId: textOf(item.spanId),
    parentId: textOf(item.parentSpanId),
    name: textOf(item.name),
    kind: Number(item.kind ?? 0),
    start: BigInt(textOf(item.startTimeUnixNano)),
    end: BigInt(textOf(item.endTimeUnixNano)),
    status: Number((item.status as OtlpObject | undefined)?.code ?? 0),
    attributes: attributesOf(item),
    resource,
  }));
}

function logsOf(request: OtlpObject): ReceivedLog[] {
  return itemsOf(request, "Logs", "logRecords").map(({ item, resource }) => ({
    time: Number(BigInt(textOf(item.timeUnixNano)) / 1_000_000n),
    severity: Number(item.severityNumber ?? 0),
    severityText: textOf(item.severityText),
    body: anyValueOf(item.body as OtlpObject),
    traceId: textOf(item.traceId),
    spanId: textOf(item.spanId),
    flags: Number(item.flags ?? 0) & 0xff,
    attributes: attributesOf(item),
    resource,
  }));
}

function pointsOf(request: OtlpObject): ReceivedPoint[] {
  return itemsOf(request, "Metrics", "metrics").flatMap(({ item, resource }) =>
    (["gauge", "sum", "histogram"] as const).flatMap((kind) =>
      listOf((item[kind] as OtlpObject | undefined)?.dataPoints).map((point) => ({
        name: textOf(item.name),
        kind,
        attributes: attributesOf(point),
        value: Number(kind === "histogram" ? point.sum : (point.asDouble ?? point.asInt ?? 0)),
        count: kind === "histogram" ? Number(point.count) : undefined,
        buckets: listOf(point.bucketCounts).map(Number),
        resource,
      })),
    ),
  );
}

/** Everything in a request, each with the attributes of the process that sent it. */
function itemsOf(request: OtlpObject, kind: string, items: string) {
  return listOf(request[`resource${kind}`]).flatMap((ofResource) => {
    const resource = attributesOf((ofResource.resource ?? {}) as OtlpObject);
    return listOf(ofResource[`scope${kind}`]).flatMap((ofScope) =>
      listOf(ofScope[items]).map((item) => ({ item, resource })),
    );
  });
}

function attributesOf(item: OtlpObject): Attributes {
  return Object.fromEntries(
    listOf(item.attributes).map(({ key, value }) => [key, anyValueOf((value ?? {}) as OtlpObject)]),
  );
}

function anyValueOf(value: OtlpObject): unknown {
  const { stringValue, boolValue, intValue, doubleValue, arrayValue, kvlistValue } = value;
  if (arrayValue !== undefined) return listOf((arrayValue as OtlpObject).values).map(anyValueOf);
  if (kvlistValue !== undefined) return attributesOf({ attributes: (kvlistValue as OtlpObject).values });
  return intValue === undefined ? (stringValue ?? boolValue ?? doubleValue) : Number(intValue);
}

function listOf(list: unknown): OtlpObject[] {
  return (list ?? []) as OtlpObject[];
}

function textOf(text: unknown): string {
  return String(text ?? "");
}
