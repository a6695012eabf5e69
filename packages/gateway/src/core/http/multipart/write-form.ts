import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { Readable } from "node:stream";
import type { SpooledFile, SpooledForm } from "./read-form.ts";

/** A multipart body to send, with the headers that frame it. */
export interface FormBody {
  readonly body: Readable;
  readonly headers: Readonly<Record<string, string>>;
}

/** A form as a request body (RFC 7578): its files are read from disk while it is sent, its length is known before. */
export function writeForm(form: Pick<SpooledForm, "fields" | "files">): FormBody {
  const boundary = `portico-${randomUUID()}`;
  const heads = form.files.map((file) => fileHead(boundary, file));
  const fields = form.fields.map(([name, value]) =>
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"\r\n\r\n${value}\r\n`,
    ),
  );
  const end = Buffer.from(`--${boundary}--\r\n`);
  const length =
    fields.reduce((sum, field) => sum + field.length, end.length) +
    form.files.reduce((sum, file, index) => sum + heads[index]!.length + file.bytes + 2, 0);
  return {
    body: Readable.from(parts(fields, form.files, heads, end), { objectMode: false }),
    headers: {
      "content-type": `multipart/form-data; boundary=${boundary}`,
      "content-length": String(length),
    },
  };
}

async function* parts(
  fields: readonly Buffer[],
  files: readonly SpooledFile[],
  heads: readonly Buffer[],
  end: Buffer,
): AsyncGenerator<Uint8Array> {
  yield* fields;
  for (const [index, file] of files.entries()) {
    yield heads[index]!;
    yield* createReadStream(file.path);
    yield Buffer.from("\r\n");
  }
  yield end;
}

function fileHead(boundary: string, file: SpooledFile): Buffer {
  const disposition = `form-data; name="${quoted(file.field)}"; filename="${quoted(file.name)}"`;
  const type = /^[\w.+-]+\/[\w.+-]+$/.test(file.type) ? file.type : "application/octet-stream";
  return Buffer.from(`--${boundary}\r\nContent-Disposition: ${disposition}\r\nContent-Type: ${type}\r\n\r\n`);
}

/** As browsers escape names within a header (WHATWG HTML, multipart/form-data encoding). */
function quoted(name: string): string {
  return name.replaceAll("\r", "%0D").replaceAll("\n", "%0A").replaceAll('"', "%22");
}
