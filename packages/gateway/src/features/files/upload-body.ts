import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";

/** A file to send to a provider. */
export interface OutgoingFile {
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly filename: string;
  readonly contentType: string;
  readonly bytes: number;
  readonly content: AsyncIterable<Buffer>;
}

/** A `multipart/form-data` body (RFC 7578) around a file that is read while it is sent; its length is known before. */
export function uploadBody(file: OutgoingFile): { body: Readable; headers: Record<string, string> } {
  const boundary = `portico-${randomUUID()}`;
  const fields = file.fields.map(
    ([name, value]) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"\r\n\r\n${value}\r\n`,
  );
  const type = /^[\w.+-]+\/[\w.+-]+$/.test(file.contentType) ? file.contentType : "application/octet-stream";
  const disposition = `form-data; name="file"; filename="${quoted(file.filename)}"`;
  const head = Buffer.from(
    `${fields.join("")}--${boundary}\r\nContent-Disposition: ${disposition}\r\nContent-Type: ${type}\r\n\r\n`,
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  return {
    body: Readable.from(parts(head, file.content, tail), { objectMode: false }),
    headers: {
      "content-type": `multipart/form-data; boundary=${boundary}`,
      "content-length": String(head.length + file.bytes + tail.length),
    },
  };
}

async function* parts(head: Buffer, content: AsyncIterable<Buffer>, tail: Buffer): AsyncGenerator<Buffer> {
  yield head;
  yield* content;
  yield tail;
}

/** As browsers escape names within a header (WHATWG HTML, multipart/form-data encoding). */
function quoted(name: string): string {
  return name.replaceAll("\r", "%0D").replaceAll("\n", "%0A").replaceAll('"', "%22");
}
