import { crc32 } from "node:zlib";

const PRELUDE_BYTES = 12;
const CHECKSUM_BYTES = 4;
const STRING_TYPE = 7;

/** A message of Amazon's event stream encoding (Smithy: `application/vnd.amazon.eventstream`). */
export function eventFrame(headers: Readonly<Record<string, string>>, payload: unknown): Buffer {
  const head = Buffer.concat(Object.entries(headers).map(([name, value]) => headerBytes(name, value)));
  const body = Buffer.from(JSON.stringify(payload));
  const prelude = Buffer.alloc(PRELUDE_BYTES);
  prelude.writeUInt32BE(PRELUDE_BYTES + head.length + body.length + CHECKSUM_BYTES, 0);
  prelude.writeUInt32BE(head.length, 4);
  prelude.writeUInt32BE(crc32(prelude.subarray(0, 8)), 8);
  const message = Buffer.concat([prelude, head, body]);
  const checksum = Buffer.alloc(CHECKSUM_BYTES);
  checksum.writeUInt32BE(crc32(message), 0);
  return Buffer.concat([message, checksum]);
}

function headerBytes(name: string, value: string): Buffer {
  const text = Buffer.from(value);
  const length = Buffer.alloc(3);
  length.writeUInt8(STRING_TYPE, 0);
  length.writeUInt16BE(text.length, 1);
  return Buffer.concat([Buffer.from([name.length]), Buffer.from(name), length, text]);
}
