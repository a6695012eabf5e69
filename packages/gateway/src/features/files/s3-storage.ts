import { AwsClient } from "aws4fetch";
import type { Bucket } from "../../platform/config/object-storage.ts";
import type { FileStorage, FileWriter } from "./file-storage.ts";

/** Bytes of a part of a multipart upload: all but the last must have at least 5 MiB. 10,000 parts are allowed. */
const PART_BYTES = 5 * 1024 * 1024;

/** How long the service has to say whether it can be used; milliseconds. */
const FAULT_MS = 10_000;

/**
 * Files in S3-compatible object storage (Amazon S3 API reference), addressed by path so that MinIO, R2 and their like
 * work too. Large files go up in parts: one part is in memory at a time.
 */
export class S3Storage implements FileStorage {
  readonly #client: AwsClient;
  readonly #options: Bucket;

  constructor(options: Bucket) {
    const { accessKeyId, secretAccessKey, region } = options;
    this.#client = new AwsClient({ accessKeyId, secretAccessKey, region, service: "s3", retries: 4 });
    this.#options = options;
  }

  async create(key: string, note?: (uploadId: string) => Promise<void>): Promise<FileWriter> {
    return new S3Writer((method, query, body) => this.#send(key, method, { query, body }), note);
  }

  async *read(key: string, from = 0, length?: number): AsyncGenerator<Buffer> {
    if (length === 0) return;
    const end = length === undefined ? "" : from + length - 1;
    const whole = from === 0 && length === undefined;
    const response = await this.#send(key, "GET", {
      headers: whole ? {} : { range: `bytes=${from}-${end}` },
    });
    for await (const chunk of response.body ?? []) yield Buffer.from(chunk);
  }

  async delete(key: string, uploadId?: string): Promise<void> {
    if (uploadId !== undefined) await this.#send(key, "DELETE", { query: `?uploadId=${uploadId}` });
    await this.#send(key, "DELETE", {});
  }

  /**
   * Why the service will take nothing, as far as it tells whoever asks for a list of one object (ListObjectsV2).
   * Credentials that may write and not list get AccessDenied, which therefore says nothing.
   */
  async fault(): Promise<string | undefined> {
    try {
      const query = `?list-type=2&max-keys=1&prefix=${encodeURIComponent(this.#options.prefix)}`;
      const response = await this.#client.fetch(this.#address() + query, {
        signal: AbortSignal.timeout(FAULT_MS),
      });
      const text = (await response.text()).slice(0, 2000);
      const code = /<Code>([A-Za-z]{1,60})<\/Code>/.exec(text)?.[1];
      if (response.ok || code === "AccessDenied") return undefined;
      return `status ${response.status}${code === undefined ? "" : ` ${code}`}`;
    } catch (error) {
      const { message, cause } = error as Error;
      return cause instanceof Error
        ? `${message}: ${cause.message || (cause as { code?: string }).code}`
        : message;
    }
  }

  #address(): string {
    return `${this.#options.endpoint.replace(/\/+$/, "")}/${this.#options.bucket}`;
  }

  async #send(
    key: string,
    method: string,
    {
      query = "",
      body,
      headers = {},
    }: {
      query?: string | undefined;
      body?: Uint8Array<ArrayBuffer> | string | undefined;
      headers?: Record<string, string>;
    },
  ): Promise<Response> {
    const url = `${this.#address()}/${this.#options.prefix}${key}${query}`;
    const response = await this.#client.fetch(url, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
    });
    if (response.ok || (method === "DELETE" && response.status === 404)) return response;
    await response.body?.cancel();
    throw new Error(`The object storage answered ${method} with status ${response.status}`);
  }
}

type Send = (method: string, query?: string, body?: Uint8Array<ArrayBuffer> | string) => Promise<Response>;

class S3Writer implements FileWriter {
  readonly #send: Send;
  readonly #note: ((uploadId: string) => Promise<void>) | undefined;
  /** The part that is being filled; the same memory for all. */
  readonly #part = Buffer.allocUnsafeSlow(PART_BYTES);
  #filled = 0;
  #bytes = 0;
  #uploadId: string | undefined;
  readonly #tags: string[] = [];

  constructor(send: Send, note: ((uploadId: string) => Promise<void>) | undefined) {
    this.#send = send;
    this.#note = note;
  }

  async write(chunk: Buffer): Promise<void> {
    this.#bytes += chunk.length;
    for (let from = 0; from < chunk.length; ) {
      const copied = chunk.copy(this.#part, this.#filled, from);
      from += copied;
      this.#filled += copied;
      if (this.#filled === PART_BYTES) await this.#sendPart();
    }
  }

  async commit(): Promise<number> {
    if (this.#uploadId === undefined) {
      await (await this.#send("PUT", "", this.#part.subarray(0, this.#filled))).body?.cancel();
      return this.#bytes;
    }
    if (this.#filled > 0) await this.#sendPart();
    const parts = this.#tags.map(
      (tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${tag}</ETag></Part>`,
    );
    const body = `<CompleteMultipartUpload>${parts.join("")}</CompleteMultipartUpload>`;
    const answer = await (await this.#send("POST", `?uploadId=${this.#uploadId}`, body)).text();
    // A failure after the head was sent comes with status 200.
    if (answer.includes("<Error>")) throw new Error("The object storage did not complete the upload");
    this.#uploadId = undefined;
    return this.#bytes;
  }

  async abort(): Promise<void> {
    if (this.#uploadId === undefined) return;
    await this.#send("DELETE", `?uploadId=${this.#uploadId}`).catch(() => undefined);
  }

  async #sendPart(): Promise<void> {
    this.#uploadId ??= await this.#begin();
    const query = `?partNumber=${this.#tags.length + 1}&uploadId=${this.#uploadId}`;
    const response = await this.#send("PUT", query, this.#part.subarray(0, this.#filled));
    await response.body?.cancel();
    this.#filled = 0;
    this.#tags.push(response.headers.get("etag") ?? "");
  }

  async #begin(): Promise<string> {
    const answer = await (await this.#send("POST", "?uploads=")).text();
    const id = /<UploadId>([^<]+)<\/UploadId>/.exec(answer)?.[1];
    if (id === undefined) throw new Error("The object storage did not begin the upload");
    const encoded = encodeURIComponent(id);
    await this.#note?.(encoded);
    return encoded;
  }
}
