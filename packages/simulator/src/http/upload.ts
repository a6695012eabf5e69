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

/** A request's body as it arrives, counted in the journal. */
export async function* requestBytes(exchange: Exchange): AsyncGenerator<Buffer> {
  for await (const piece of exchange.request) {
    const bytes = piece as Buffer;
    exchange.received.bytes += bytes.length;
    yield bytes;
  }
}
