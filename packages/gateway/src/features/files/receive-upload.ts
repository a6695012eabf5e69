import { randomUUID } from "node:crypto";
import type { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import type busboy from "busboy";
import { GatewayError, invalidRequest, requestTooLarge } from "../../contract/errors.ts";
import type { Exchange } from "../../contract/exchange.ts";
import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import { formParser } from "../../core/http/multipart/form-parser.ts";
import {
  BatchInputCheck,
  type BatchInputSummary,
  isBlank,
  MAX_LINE,
  type RowReference,
} from "./batch-input.ts";
import type { FileStorage, FileWriter } from "./file-storage.ts";
import { linesOf } from "./split-lines.ts";

/** An uploaded file, durable in the storage, with the form's fields. */
export interface Upload {
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly key: string;
  readonly filename: string;
  readonly contentType: string;
  readonly bytes: number;
  /** Of files with the purpose `batch`. */
  readonly summary: BatchInputSummary | undefined;
  /** Files and containers that the rows of a batch name. */
  readonly references: readonly RowReference[];
}

export interface UploadLimits {
  readonly maxBytes: number;
}

const MAX_FIELDS = 100;
const MAX_FIELD_BYTES = 64 * 1024;

/** The outcome of checking a file that may turn out to be a batch's input. */
interface Checked {
  readonly summary?: BatchInputSummary;
  readonly references?: readonly RowReference[];
  readonly problem?: GatewayError;
}

/**
 * Receives a `multipart/form-data` upload with one part `file`, writing it to the storage as it arrives. A batch's
 * input is checked meanwhile; its first wrong line ends the upload.
 * @throws GatewayError 400 for a broken form or a wrong line, 408, 413; nothing is kept then
 */
export async function receiveUpload(
  exchange: Exchange,
  storage: FileStorage,
  limits: UploadLimits,
): Promise<Upload> {
  const reader = new UploadReader(storage, limits);
  try {
    return await reader.read(exchange);
  } catch (error) {
    await reader.abort();
    throw error;
  }
}

class UploadReader {
  readonly #storage: FileStorage;
  readonly #limits: UploadLimits;
  readonly #fields: [string, string][] = [];
  readonly #key = randomUUID();
  #writer: FileWriter | undefined;
  /** What the storage threw: no fault of the form, though it ends its reading too. */
  #storageFailure: Error | undefined;
  #file: Promise<Omit<Upload, "fields" | "summary" | "references"> & { checked: Checked }> | undefined;

  constructor(storage: FileStorage, limits: UploadLimits) {
    this.#storage = storage;
    this.#limits = limits;
  }

  async read(exchange: Exchange): Promise<Upload> {
    const parser = openParser(exchange, this.#limits);
    parser.on("field", (name, value) => this.#fields.push([name, value]));
    parser.on("file", (name, stream, { filename, mimeType }) => {
      if (name !== "file" || this.#file !== undefined) {
        parser.destroy(invalidRequest(`Unexpected file part '${name}'`, name));
        stream.resume();
        return;
      }
      this.#file = this.#receive(stream, filename ?? "file", mimeType);
      this.#file.catch((error: Error) => parser.destroy(error));
    });
    const body = exchange.bodyStream();
    body.pipe(parser);
    body.once("error", (error) => parser.destroy(error));
    try {
      await finished(parser);
    } catch (error) {
      await this.#file?.catch(() => undefined);
      if (this.#storageFailure !== undefined) throw this.#storageFailure;
      if (error instanceof GatewayError) throw error;
      throw invalidRequest("The multipart form is broken or incomplete", "file");
    } finally {
      body.unpipe(parser);
      body.destroy();
    }
    return this.#finish();
  }

  /** The file itself may be complete while the form behind it is not. */
  async abort(): Promise<void> {
    if (this.#writer === undefined) return;
    await this.#writer.abort();
    await this.#storage.delete(this.#key);
  }

  async #finish(): Promise<Upload> {
    if (this.#file === undefined) throw invalidRequest("The form has no part 'file'", "file");
    const { checked, ...file } = await this.#file;
    if (!this.#isBatch()) return { ...file, fields: this.#fields, summary: undefined, references: [] };
    if (checked.problem !== undefined) throw checked.problem;
    return { ...file, fields: this.#fields, summary: checked.summary, references: checked.references ?? [] };
  }

  #stored<T>(work: Promise<T>): Promise<T> {
    return work.catch((error: Error) => {
      this.#storageFailure ??= error;
      throw error;
    });
  }

  async #receive(stream: Readable, filename: string, contentType: string) {
    this.#writer = await this.#stored(this.#storage.create(this.#key));
    const check = new BatchInputCheck();
    let problem: GatewayError | undefined;
    stream.once("limit", () => stream.destroy(tooLarge(this.#limits.maxBytes)));
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      if (problem === undefined) problem = refusal(() => check.push(chunk));
      // The purpose may come after the file; until it is known, a wrong line may be no line at all.
      if (problem !== undefined && this.#isBatch()) throw problem;
      await this.#stored(this.#writer.write(chunk));
    }
    let summary: BatchInputSummary | undefined;
    problem ??= refusal(() => {
      summary = check.end();
    });
    const bytes = await this.#stored(this.#writer.commit());
    const checked: Checked =
      problem === undefined ? { summary: summary!, references: check.references } : { problem };
    return { key: this.#key, filename, contentType, bytes, checked };
  }

  #isBatch(): boolean {
    return this.#fields.some(([name, value]) => name === "purpose" && value === "batch");
  }
}

function openParser(exchange: Exchange, { maxBytes }: UploadLimits): busboy.Busboy {
  try {
    return formParser({
      headers: exchange.headers,
      defParamCharset: "utf8",
      limits: { fields: MAX_FIELDS, fieldSize: MAX_FIELD_BYTES, files: 2, fileSize: maxBytes },
    });
  } catch {
    throw invalidRequest("The content type must be multipart/form-data with a boundary", "file");
  }
}

function refusal(check: () => void): GatewayError | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof GatewayError) return error;
    throw error;
  }
}

function tooLarge(maxBytes: number): GatewayError {
  const limit = `${+(maxBytes / 2 ** 20).toFixed(1)} MiB`;
  return requestTooLarge(`The file is larger than the limit of ${limit}`, "file");
}

/**
 * A batch's input whose requests the guard has gone over, in place of the one that came, which is deleted. Providers
 * that run batches get whole files, so that this is the last moment at which the gateway sees the requests.
 * @throws GatewayError the guard's refusal with the line's number; then nothing of the copy is kept
 */
export async function guardRows(
  storage: FileStorage,
  upload: Upload,
  guard: (body: JsonObject) => JsonObject,
): Promise<Upload> {
  const key = randomUUID();
  const writer = await storage.create(key);
  try {
    for await (const { bytes, number } of linesOf(storage.read(upload.key), MAX_LINE)) {
      if (!isBlank(bytes))
        await writer.write(Buffer.concat([guardRow(bytes, number, guard), Buffer.from("\n")]));
    }
    const size = await writer.commit();
    await storage.delete(upload.key);
    return { ...upload, key, bytes: size };
  } catch (error) {
    await writer.abort();
    await storage.delete(key);
    throw error;
  }
}

function guardRow(bytes: Buffer, line: number, guard: (body: JsonObject) => JsonObject): Buffer {
  const row: unknown = JSON.parse(bytes.toString("utf8"));
  if (!isJsonObject(row) || !isJsonObject(row.body)) return bytes;
  const { body } = row;
  const guarded = refusing(line, () => guard(body));
  return guarded === body ? bytes : Buffer.from(JSON.stringify({ ...row, body: guarded }));
}

function refusing<T>(line: number, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    throw invalidRequest(`Line ${line}: ${error.message}`, "file");
  }
}
