import { crc32 } from "node:zlib";
import { GatewayError } from "../../contract/errors.ts";
import { isJsonObject, type JsonObject, parseJsonObject } from "../../contract/json.ts";

/** A message of Amazon's event stream encoding. */
export interface EventMessage {
  /** `event`, or `exception` where the provider breaks off. */
  readonly kind: string;
  /** Name of the event or of the exception. */
  readonly name: string;
  readonly payload: JsonObject;
}

/** Total length, headers' length and their checksum. */
const PRELUDE_BYTES = 12;
const CHECKSUM_BYTES = 4;
const MAX_MESSAGE = 16 * 1024 * 1024;
const STRING_TYPE = 7;

/** Bytes of header values by their type; the two with a length of their own are absent. */
const valueBytes = new Map([
  [0, 0],
  [1, 0],
  [2, 1],
  [3, 2],
  [4, 4],
  [5, 8],
  [8, 8],
  [9, 16],
]);

/**
 * Decodes Amazon's binary event stream (Smithy: `application/vnd.amazon.eventstream`) out of bytes in whatever pieces
 * they arrive, and checks both checksums of each message.
 * @throws GatewayError 502 for what is not such a stream, or ends within a message
 */
export async function* decodeEventStream(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<EventMessage> {
  let pending = Buffer.alloc(0);
  for await (const chunk of chunks) {
    pending = pending.length === 0 ? Buffer.from(chunk) : Buffer.concat([pending, chunk]);
    while (pending.length >= PRELUDE_BYTES) {
      const length = messageLength(pending);
      if (pending.length < length) break;
      yield readMessage(pending.subarray(0, length));
      pending = pending.subarray(length);
    }
  }
  if (pending.length > 0) throw invalid();
}

function messageLength(bytes: Buffer): number {
  const length = bytes.readUInt32BE(0);
  const fits = length >= PRELUDE_BYTES + CHECKSUM_BYTES && length <= MAX_MESSAGE;
  if (!fits || crc32(bytes.subarray(0, 8)) !== bytes.readUInt32BE(8)) throw invalid();
  return length;
}

function readMessage(message: Buffer): EventMessage {
  const end = message.length - CHECKSUM_BYTES;
  if (crc32(message.subarray(0, end)) !== message.readUInt32BE(end)) throw invalid();
  const headersEnd = PRELUDE_BYTES + message.readUInt32BE(4);
  if (headersEnd > end) throw invalid();
  const headers = readHeaders(message.subarray(PRELUDE_BYTES, headersEnd));
  const kind = headers.get(":message-type") ?? "event";
  const payload = parseJsonObject(message.toString("utf8", headersEnd, end));
  if (!isJsonObject(payload)) throw invalid();
  return { kind, name: headers.get(kind === "exception" ? ":exception-type" : ":event-type") ?? "", payload };
}

/** The headers with text values; others say nothing here. */
function readHeaders(bytes: Buffer): Map<string, string> {
  const headers = new Map<string, string>();
  let at = 0;
  try {
    while (at < bytes.length) {
      const nameEnd = at + 1 + bytes.readUInt8(at);
      const name = bytes.toString("utf8", at + 1, nameEnd);
      const type = bytes.readUInt8(nameEnd);
      const fixed = valueBytes.get(type);
      const start = nameEnd + (fixed === undefined ? 3 : 1);
      at = start + (fixed ?? bytes.readUInt16BE(nameEnd + 1));
      if (type === STRING_TYPE) headers.set(name, bytes.toString("utf8", start, at));
    }
  } catch {
    throw invalid();
  }
  return headers;
}

function invalid(): GatewayError {
  return new GatewayError(502, "api_error", "The provider's stream is not valid");
}
