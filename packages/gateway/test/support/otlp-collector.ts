import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";

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
  readonly attributes: Readonly<Record<string, unknown>>;
  /** Those of the process. */
  readonly resource: Readonly<Record<string, unknown>>;
}

/** One series of a metric as it came over OTLP. */
export interface ReceivedPoint {
  readonly name: string;
  readonly kind: "sum" | "gauge" | "histogram";
  readonly attributes: Readonly<Record<string, unknown>>;
  /** Of a histogram the sum. */
  readonly value: number;
  /** Of a histogram. */
  readonly count: number | undefined;
  readonly buckets: readonly number[];
  readonly resource: Readonly<Record<string, unknown>>;
}

/** A collector of spans and metrics that speaks OTLP over HTTP with Protocol Buffers. */
export async function startCollector(status = 200) {
  const spans: ReceivedSpan[] = [];
  let metrics: ReceivedPoint[] = [];
  const requests: { path: string; headers: NodeJS.Dict<string | string[]>; bytes: Buffer }[] = [];
  const server = createServer(async (request, response) => {
    const sent = await buffer(request);
    const bytes = request.headers["content-encoding"] === "gzip" ? gunzipSync(sent) : sent;
    requests.push({ path: request.url!, headers: request.headers, bytes });
    if (status === 200 && request.url!.endsWith("/v1/metrics")) metrics = pointsOf(bytes);
    else if (status === 200) spans.push(...spansOf(bytes));
    response.writeHead(status, { "content-type": "application/x-protobuf" }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    /** Those of the last export. */
    metrics: (): readonly ReceivedPoint[] => metrics,
    requests,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** The members of a message by their numbers in opentelemetry/proto/trace/v1/trace.proto and metrics/v1/metrics.proto. */
type Message = ReadonlyMap<number, readonly (Buffer | bigint)[]>;

function spansOf(bytes: Buffer): ReceivedSpan[] {
  return messages(read(bytes), 1).flatMap((ofResource) => {
    const resource = attributesOf(messages(ofResource, 1)[0]!, 1);
    return messages(ofResource, 2).flatMap((ofScope) =>
      messages(ofScope, 2).map((span) => ({
        traceId: bytesOf(span, 1).toString("hex"),
        spanId: bytesOf(span, 2).toString("hex"),
        parentId: bytesOf(span, 4).toString("hex"),
        name: bytesOf(span, 5).toString(),
        kind: Number(span.get(6)?.[0] ?? 0),
        start: span.get(7)![0] as bigint,
        end: span.get(8)![0] as bigint,
        status: Number(messages(span, 15)[0]?.get(3)?.[0] ?? 0),
        attributes: attributesOf(span, 9),
        resource,
      })),
    );
  });
}

function pointsOf(bytes: Buffer): ReceivedPoint[] {
  const kinds = [
    ["gauge", 5, 7],
    ["sum", 7, 7],
    ["histogram", 9, 9],
  ] as const;
  return messages(read(bytes), 1).flatMap((ofResource) => {
    const resource = attributesOf(messages(ofResource, 1)[0]!, 1);
    return messages(ofResource, 2).flatMap((ofScope) =>
      messages(ofScope, 2).flatMap((metric) =>
        kinds.flatMap(([kind, field, attributes]) =>
          messages(metric, field)
            .flatMap((data) => messages(data, 1))
            .map((point) => {
              const isHistogram = kind === "histogram";
              const packed = bytesOf(point, 6);
              return {
                name: bytesOf(metric, 1).toString(),
                kind,
                attributes: attributesOf(point, attributes),
                value: doubleOf(point.get(isHistogram ? 5 : 4)![0] as bigint),
                count: isHistogram ? Number(point.get(4)![0]) : undefined,
                buckets: Array.from({ length: packed.length / 8 }, (_, index) =>
                  Number(packed.readBigUInt64LE(index * 8)),
                ),
                resource,
              };
            }),
        ),
      ),
    );
  });
}

function attributesOf(message: Message, field: number): Record<string, unknown> {
  return Object.fromEntries(
    messages(message, field).map((pair) => [bytesOf(pair, 1).toString(), anyValueOf(messages(pair, 2)[0]!)]),
  );
}

/** An `AnyValue`. */
function anyValueOf(value: Message): unknown {
  const [kind, [content] = []] = [...value][0]!;
  if (kind === 1) return (content as Buffer).toString();
  if (kind === 2) return content === 1n;
  if (kind === 3) return Number(content);
  if (kind === 4) return doubleOf(content as bigint);
  return messages(read(content as Buffer), 1).map(anyValueOf);
}

function doubleOf(bits: bigint): number {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(bits);
  return bytes.readDoubleLE();
}

function bytesOf(message: Message, field: number): Buffer {
  return (message.get(field)?.[0] as Buffer | undefined) ?? Buffer.alloc(0);
}

function messages(message: Message, field: number): Message[] {
  return (message.get(field) ?? []).map((bytes) => read(bytes as Buffer));
}

/** https://protobuf.dev/programming-guides/encoding */
function read(bytes: Buffer): Message {
  const members = new Map<number, (Buffer | bigint)[]>();
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++]!;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  while (at < bytes.length) {
    const tag = Number(varint());
    const wire = tag & 7;
    let value: Buffer | bigint;
    if (wire === 0) value = varint();
    else if (wire === 1) {
      value = bytes.readBigUInt64LE(at);
      at += 8;
    } else if (wire === 5) {
      value = BigInt(bytes.readUInt32LE(at));
      at += 4;
    } else {
      const length = Number(varint());
      value = bytes.subarray(at, at + length);
      at += length;
    }
    members.set(tag >> 3, [...(members.get(tag >> 3) ?? []), value]);
  }
  return members;
}
