import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import type { SpooledForm } from "./read-form.ts";

/** A multipart body to send, with the headers that frame it. */
export interface FormBody {
  readonly body: Readable;
  readonly headers: Readonly<Record<string, string>>;
}

/** A file to send, whose length is known before it is read. */
export interface SentFile {
  readonly field: string;
  readonly name: string;
  readonly type: string;
  readonly bytes: number;
  read(): AsyncIterable<Uint8Array>;
}

/** A form as a request body, whose files are read from disk while it is sent. */
export function writeForm({ fields, files }: Pick<SpooledForm, "fields" | "files">): FormBody {
  return formBody(
    fields,
    files.map((file) => ({ ...file, read: () => createReadStream(file.path) })),
  );
}

/** A `multipart/form-data` body (RFC 7578); its length is known before its files are read. */
export function formBody(
  fields: readonly (readonly [name: string, value: string])[],
  files: readonly SentFile[],
): FormBody {
  const boundary = `portico-${randomUUID()}`;
  const heads = files.map((file) => fileHead(boundary, file));
  const head = Buffer.from(
    fields
      .map(
        ([name, value]) =>
          `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"\r\n\r\n${value}\r\n`,
      )
      .join(""),
  );
  const end = Buffer.from(`--${boundary}--\r\n`);
  const length = files.reduce(
    (sum, file, index) => sum + heads[index]!.length + file.bytes + 2,
    head.length + end.length,
  );
  return {
    body: Readable.from(parts(head, files, heads, end), { objectMode: false }),
    headers: {
      "content-type": `multipart/form-data; boundary=${boundary}`,
      "content-length": String(length),
    },
  };
}

async function* parts(
  head: Buffer,
  files: readonly SentFile[],
  heads: readonly Buffer[],
  end: Buffer,
): AsyncGenerator<Uint8Array> {
  if (head.length > 0) yield head;
  for (const [index, file] of files.entries()) {
    yield heads[index]!;
    yield* file.read();
    yield Buffer.from("\r\n");
  }
  yield end;
}

function fileHead(boundary: string, file: SentFile): Buffer {
  const disposition = `form-data; name="${quoted(file.field)}"; filename="${quoted(file.name)}"`;
  const type = /^[\w.+-]+\/[\w.+-]+$/.test(file.type) ? file.type : "application/octet-stream";
  return Buffer.from(`--${boundary}\r\nContent-Disposition: ${disposition}\r\nContent-Type: ${type}\r\n\r\n`);
}

/** As browsers escape names within a header (WHATWG HTML, multipart/form-data encoding). */
function quoted(name: string): string {
  return name.replaceAll("\r", "%0D").replaceAll("\n", "%0A").replaceAll('"', "%22");
}
