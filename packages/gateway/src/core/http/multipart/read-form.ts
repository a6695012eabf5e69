import { createWriteStream } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { finished, pipeline } from "node:stream/promises";
import type busboy from "busboy";
import { GatewayError, invalidRequest, requestTooLarge } from "../../../contract/errors.ts";
import type { Exchange } from "../../../contract/exchange.ts";
import { temporaryPath } from "../../../platform/store/temporary.ts";
import { formParser } from "./form-parser.ts";

/** A file part of a form, waiting on disk. */
export interface SpooledFile {
  readonly field: string;
  readonly path: string;
  readonly name: string;
  readonly type: string;
  readonly bytes: number;
}

/** A multipart form whose files are on disk, so that it takes no memory however large they are. */
export interface SpooledForm {
  /** In the order in which they came; a name may occur several times. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly files: readonly SpooledFile[];
  /** Deletes the files. */
  remove(): Promise<void>;
}

/** What a form may hold. */
export interface FormLimits {
  /** Names that a file part may have; others are refused. */
  readonly fileFields: readonly string[];
  readonly maxFiles: number;
  readonly maxFileBytes: number;
  /** Of the parts that are not files, each and together; absent: 1 MiB. */
  readonly maxFieldBytes?: number;
}

const MAX_FIELDS = 100;
const DEFAULT_FIELD_BYTES = 1024 * 1024;

/**
 * Reads a `multipart/form-data` request (RFC 7578), writing files to a temporary folder as they arrive.
 * @throws GatewayError 400 for a broken or unexpected form, 413 past a limit; nothing stays on disk then
 */
export async function readForm(exchange: Exchange, limits: FormLimits): Promise<SpooledForm> {
  const folder = temporaryPath();
  await mkdir(folder, { mode: 0o700 });
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    return { ...(await readParts(exchange, limits, folder)), remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function readParts(
  exchange: Exchange,
  limits: FormLimits,
  folder: string,
): Promise<Pick<SpooledForm, "fields" | "files">> {
  const fields: [string, string][] = [];
  const writes: Promise<SpooledFile>[] = [];
  const parser = openParser(exchange, limits);
  let problem: GatewayError | undefined;
  const refuse = (error: GatewayError): void => {
    problem ??= error;
  };
  const fieldBytes = limits.maxFieldBytes ?? DEFAULT_FIELD_BYTES;
  let received = 0;
  parser.on("field", (name, value, info) => {
    received += value.length;
    if (info.valueTruncated)
      refuse(requestTooLarge(`The field '${name}' is larger than ${fieldBytes} bytes`));
    else if (received > fieldBytes)
      refuse(requestTooLarge(`The fields together are larger than ${fieldBytes} bytes`));
    if (problem === undefined) fields.push([name, value]);
  });
  parser.on("file", (field, stream, info) => {
    if (!limits.fileFields.includes(field)) {
      refuse(invalidRequest(`Unexpected file part '${field}'`, field));
      stream.resume();
      return;
    }
    const path = join(folder, String(writes.length));
    const file = { field, path, name: info.filename ?? field, type: info.mimeType };
    writes.push(spool(stream, path).then((bytes) => ({ ...file, bytes })));
    stream.once("limit", () =>
      refuse(requestTooLarge(`The file '${field}' is larger than ${limits.maxFileBytes} bytes`)),
    );
  });
  parser.once("filesLimit", () =>
    refuse(invalidRequest(`At most ${limits.maxFiles} file part(s) are accepted`)),
  );
  parser.once("fieldsLimit", () => refuse(invalidRequest(`At most ${MAX_FIELDS} fields are accepted`)));
  const body = exchange.bodyStream();
  body.pipe(parser);
  body.once("error", (error) => parser.destroy(error));
  try {
    await finished(parser);
  } catch (error) {
    await Promise.allSettled(writes);
    throw error instanceof GatewayError
      ? error
      : invalidRequest("The multipart form is broken or incomplete");
  } finally {
    body.destroy();
  }
  const files = await Promise.all(writes);
  if (problem !== undefined) throw problem;
  return { fields, files };
}

function openParser(exchange: Exchange, limits: FormLimits): busboy.Busboy {
  try {
    return formParser({
      headers: exchange.headers,
      limits: {
        fields: MAX_FIELDS,
        fieldSize: limits.maxFieldBytes ?? DEFAULT_FIELD_BYTES,
        files: limits.maxFiles,
        fileSize: limits.maxFileBytes,
        parts: MAX_FIELDS + limits.maxFiles,
      },
    });
  } catch {
    throw invalidRequest("The content type must be multipart/form-data with a boundary");
  }
}

/** Writes a part to disk with back-pressure; resolves with its size. */
async function spool(stream: Readable, path: string): Promise<number> {
  const target = createWriteStream(path, { mode: 0o600 });
  await pipeline(stream, target);
  return target.bytesWritten;
}
