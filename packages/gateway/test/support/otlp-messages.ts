/**
 * OTLP's messages as opentelemetry-proto 1 defines them, read strictly: what stands in none of the definitions is an
 * error, in Protocol Buffers as in JSON. Both come out in the form of OTLP/JSON.
 * @see https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding
 */
type Scalar =
  | "string"
  | "bool"
  | "int64"
  | "uint32"
  | "enum"
  | "fixed32"
  | "fixed64"
  | "sfixed64"
  | "double"
  | "id"
  | "bytes";

interface Field {
  readonly name: string;
  readonly type: Scalar | Message;
  /** `packed` is a repeated scalar in one piece. */
  readonly many: false | "each" | "packed";
}

/** A message's fields by their numbers. */
type Message = () => Readonly<Record<number, Field>>;

/** An OTLP message in its JSON form. */
export type OtlpObject = { [name: string]: unknown };

const one = (name: string, type: Field["type"]): Field => ({ name, type, many: false });
const each = (name: string, type: Field["type"]): Field => ({ name, type, many: "each" });
const packed = (name: string, type: Scalar): Field => ({ name, type, many: "packed" });

const anyValue: Message = () => ({
  1: one("stringValue", "string"),
  2: one("boolValue", "bool"),
  3: one("intValue", "int64"),
  4: one("doubleValue", "double"),
  5: one("arrayValue", () => ({ 1: each("values", anyValue) })),
  6: one("kvlistValue", () => ({ 1: each("values", keyValue) })),
  7: one("bytesValue", "bytes"),
});
const keyValue: Message = () => ({ 1: one("key", "string"), 2: one("value", anyValue) });
const resource: Message = () => ({
  1: each("attributes", keyValue),
  2: one("droppedAttributesCount", "uint32"),
});
const scope: Message = () => ({
  1: one("name", "string"),
  2: one("version", "string"),
  3: each("attributes", keyValue),
  4: one("droppedAttributesCount", "uint32"),
});
const span: Message = () => ({
  1: one("traceId", "id"),
  2: one("spanId", "id"),
  3: one("traceState", "string"),
  4: one("parentSpanId", "id"),
  5: one("name", "string"),
  6: one("kind", "enum"),
  7: one("startTimeUnixNano", "fixed64"),
  8: one("endTimeUnixNano", "fixed64"),
  9: each("attributes", keyValue),
  10: one("droppedAttributesCount", "uint32"),
  11: each("events", event),
  12: one("droppedEventsCount", "uint32"),
  13: each("links", link),
  14: one("droppedLinksCount", "uint32"),
  15: one("status", () => ({ 2: one("message", "string"), 3: one("code", "enum") })),
  16: one("flags", "fixed32"),
});
const event: Message = () => ({
  1: one("timeUnixNano", "fixed64"),
  2: one("name", "string"),
  3: each("attributes", keyValue),
  4: one("droppedAttributesCount", "uint32"),
});
const link: Message = () => ({
  1: one("traceId", "id"),
  2: one("spanId", "id"),
  3: one("traceState", "string"),
  4: each("attributes", keyValue),
  5: one("droppedAttributesCount", "uint32"),
  6: one("flags", "fixed32"),
});
const number: Message = () => ({
  2: one("startTimeUnixNano", "fixed64"),
  3: one("timeUnixNano", "fixed64"),
  4: one("asDouble", "double"),
  6: one("asInt", "sfixed64"),
  7: each("attributes", keyValue),
  8: one("flags", "uint32"),
});
const histogram: Message = () => ({
  2: one("startTimeUnixNano", "fixed64"),
  3: one("timeUnixNano", "fixed64"),
  4: one("count", "fixed64"),
  5: one("sum", "double"),
  6: packed("bucketCounts", "fixed64"),
  7: packed("explicitBounds", "double"),
  9: each("attributes", keyValue),
  10: one("flags", "uint32"),
  11: one("min", "double"),
  12: one("max", "double"),
});
const metric: Message = () => ({
  1: one("name", "string"),
  2: one("description", "string"),
  3: one("unit", "string"),
  5: one("gauge", () => ({ 1: each("dataPoints", number) })),
  7: one("sum", () => ({
    1: each("dataPoints", number),
    2: one("aggregationTemporality", "enum"),
    3: one("isMonotonic", "bool"),
  })),
  9: one("histogram", () => ({
    1: each("dataPoints", histogram),
    2: one("aggregationTemporality", "enum"),
  })),
});
const logRecord: Message = () => ({
  1: one("timeUnixNano", "fixed64"),
  2: one("severityNumber", "enum"),
  3: one("severityText", "string"),
  5: one("body", anyValue),
  6: each("attributes", keyValue),
  7: one("droppedAttributesCount", "uint32"),
  8: one("flags", "fixed32"),
  9: one("traceId", "id"),
  10: one("spanId", "id"),
  11: one("observedTimeUnixNano", "fixed64"),
  12: one("eventName", "string"),
});

/** What each signal's service takes, with the names of its layers. */
const requests = {
  traces: requestOf("Spans", "spans", span),
  metrics: requestOf("Metrics", "metrics", metric),
  logs: requestOf("Logs", "logRecords", logRecord),
};

function requestOf(kind: string, items: string, item: Message): Message {
  const ofScope: Message = () => ({
    1: one("scope", scope),
    2: each(items, item),
    3: one("schemaUrl", "string"),
  });
  const ofResource: Message = () => ({
    1: one("resource", resource),
    2: each(`scope${kind}`, ofScope),
    3: one("schemaUrl", "string"),
  });
  return () => ({ 1: each(`resource${kind}`, ofResource) });
}

/**
 * What was sent to one of the services.
 * @throws Error for whatever stands in none of the definitions
 */
export function readOtlp(signal: keyof typeof requests, bytes: Buffer, isJson: boolean): OtlpObject {
  if (!isJson) return readMessage(bytes, requests[signal]);
  return checkObject(JSON.parse(bytes.toString()), requests[signal], signal);
}

/** https://protobuf.dev/programming-guides/encoding */
function readMessage(bytes: Buffer, message: Message): OtlpObject {
  const fields = message();
  const read: OtlpObject = {};
  const at = { index: 0 };
  while (at.index < bytes.length) {
    const tag = Number(varint(bytes, at));
    const field = fields[tag >> 3];
    if (field === undefined)
      throw new Error(`no field ${tag >> 3} beside ${Object.values(fields).map(({ name }) => name)}`);
    const value = fieldValue(bytes, at, tag & 7, field);
    if (field.many === "each") read[field.name] = [...((read[field.name] as unknown[]) ?? []), value];
    else read[field.name] = value;
  }
  return read;
}

const WIRE = { varint: 0, eight: 1, piece: 2, four: 5 } as const;

function wireOf({ type, many }: Field): number {
  if (many === "packed" || typeof type === "function") return WIRE.piece;
  if (type === "fixed64" || type === "sfixed64" || type === "double") return WIRE.eight;
  if (type === "fixed32") return WIRE.four;
  return type === "string" || type === "id" || type === "bytes" ? WIRE.piece : WIRE.varint;
}

function fieldValue(bytes: Buffer, at: { index: number }, wire: number, field: Field): unknown {
  const { name, type, many } = field;
  if (wire !== wireOf(field)) throw new Error(`${name} has wire type ${wire}`);
  if (wire === WIRE.varint) {
    const value = BigInt.asIntN(64, varint(bytes, at));
    if (type === "bool") return value === 1n;
    return type === "int64" ? `${value}` : Number(value);
  }
  const length = wire === WIRE.eight ? 8 : wire === WIRE.four ? 4 : Number(varint(bytes, at));
  if (at.index + length > bytes.length) throw new Error(`${name} is cut off`);
  const piece = bytes.subarray(at.index, at.index + length);
  at.index += length;
  if (many === "packed")
    return Array.from({ length: length / 8 }, (_, index) =>
      scalarOf(piece.subarray(index * 8), type as Scalar),
    );
  return typeof type === "function" ? readMessage(piece, type) : scalarOf(piece, type);
}

function scalarOf(piece: Buffer, type: Scalar): unknown {
  if (type === "fixed64") return `${piece.readBigUInt64LE()}`;
  if (type === "sfixed64") return `${piece.readBigInt64LE()}`;
  if (type === "double") return piece.readDoubleLE();
  if (type === "fixed32") return piece.readUInt32LE();
  if (type === "id") return piece.toString("hex");
  return type === "bytes" ? piece.toString("base64") : new TextDecoder("utf8", { fatal: true }).decode(piece);
}

function varint(bytes: Buffer, at: { index: number }): bigint {
  let value = 0n;
  for (let shift = 0n; ; shift += 7n) {
    const byte = bytes[at.index++];
    if (byte === undefined) throw new Error("a number is cut off");
    value |= BigInt(byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
}

function checkObject(value: unknown, message: Message, path: string): OtlpObject {
  if (typeof value !== "object" || value === null) throw new Error(`${path} is no object`);
  const fields = Object.values(message());
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const field = fields.find((known) => known.name === name);
      if (field === undefined) throw new Error(`${path} has no ${name}`);
      const at = `${path}.${name}`;
      if (field.many === false) return [name, checkValue(member, field.type, at)];
      if (!Array.isArray(member)) throw new Error(`${at} is no list`);
      return [name, member.map((item) => checkValue(item, field.type, at))];
    }),
  );
}

/** 64-bit numbers are decimal strings or numbers in JSON, ids are hexadecimal. */
function checkValue(value: unknown, type: Field["type"], path: string): unknown {
  if (typeof type === "function") return checkObject(value, type, path);
  const isNumber = typeof value === "number";
  const fits = {
    string: typeof value === "string",
    bytes: typeof value === "string",
    id: /^(?:[\da-f]{16}|[\da-f]{32})?$/i.test(String(value)),
    bool: typeof value === "boolean",
    double: isNumber,
    enum: Number.isInteger(value),
    uint32: Number.isInteger(value),
    fixed32: Number.isInteger(value),
    int64: /^-?\d+$/.test(String(value)),
    fixed64: /^\d+$/.test(String(value)),
    sfixed64: /^-?\d+$/.test(String(value)),
  }[type];
  if (!fits) throw new Error(`${path} is no ${type}: ${JSON.stringify(value)}`);
  return type.includes("64") ? `${value}` : value;
}
