import type { Blob } from "../state/blob-store.ts";
import { ApiFailure } from "./api-failure.ts";
import type { Exchange } from "./exchange.ts";
import { formParts, partText } from "./multipart.ts";

/** A file of a form, kept on disk. */
interface UploadedFile {
  readonly filename: string;
  readonly contentType: string | undefined;
  readonly blob: Blob;
}

/** A read form: its text fields and its file. */
export interface UploadedForm {
  readonly fields: Readonly<Record<string, string>>;
  readonly file: UploadedFile | undefined;
}

/** Reads a multipart request; the bytes of the field named `fileField` go to disk as they arrive. */
export async function readForm(exchange: Exchange, fileField: string): Promise<UploadedForm> {
  const contentType = exchange.request.headers["content-type"] ?? "";
  if (!contentType.startsWith("multipart/")) {
    throw new ApiFailure(415, "Unsupported Media Type: expected multipart/form-data.");
  }
  const fields: Record<string, string> = {};
  let file: UploadedFile | undefined;
  for await (const part of formParts(requestBytes(exchange), contentType)) {
    if (part.name !== fileField || part.filename === undefined) {
      fields[part.name] = await partText(part);
      continue;
    }
    const blob = await exchange.state.blobs.save(part.bytes);
    file = { filename: part.filename, contentType: part.contentType, blob };
  }
  return { fields, file };
}

/** Whether a request's body is a form. */
export function isForm({ request }: Exchange): boolean {
  return (request.headers["content-type"] ?? "").startsWith("multipart/");
}

/** Reads a form into the exchange's body: its texts, and of a file its name, type and size. */
export async function readTexts(exchange: Exchange): Promise<void> {
  const contentType = exchange.request.headers["content-type"] ?? "";
  const { body } = exchange;
  for await (const part of formParts(requestBytes(exchange), contentType)) {
    const name = part.name.replace(/\[.*$/, "");
    if (part.filename === undefined) {
      body[name] = await partText(part);
      continue;
    }
    let size = 0;
    for await (const piece of part.bytes) size += piece.length;
    Object.assign(body, { [name]: part.filename, filename: part.filename, size_bytes: size });
    body.mime_type = part.contentType ?? "application/octet-stream";
  }
  exchange.text = JSON.stringify(exchange.body);
}

/** A request's body as it arrives, counted in the journal. */
export async function* requestBytes(exchange: Exchange): AsyncGenerator<Buffer> {
  for await (const piece of exchange.request) {
    const bytes = piece as Buffer;
    exchange.received.bytes += bytes.length;
    yield bytes;
  }
}
