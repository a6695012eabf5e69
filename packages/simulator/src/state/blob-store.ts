import { createReadStream, mkdtempSync } from "node:fs";
import { type FileHandle, open, rm, unlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const FLUSH_AT = 64 * 1024;

/** Uploads took more room than the simulator was given. */
export class StorageFull extends Error {
  override readonly name = "StorageFull";
}

/** Bytes kept on disk. */
export interface Blob {
  readonly path: string;
  readonly bytes: number;
}

/** Keeps uploads and results in a temporary folder, so that their size does not matter to memory. */
export class BlobStore {
  readonly #limit: number;
  #folder: string | undefined;
  #used = 0;
  #count = 0;
  readonly #writing = new Set<FileHandle>();

  /** @param limit bytes on disk that all blobs may take together */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Starts a blob that is written bit by bit. */
  async create(): Promise<BlobWriter> {
    this.#folder ??= mkdtempSync(join(tmpdir(), "portico-simulator-"));
    this.#count += 1;
    const path = join(this.#folder, String(this.#count));
    const file = await open(path, "w");
    this.#writing.add(file);
    const closed = (): void => void this.#writing.delete(file);
    return new BlobWriter(file, path, (bytes) => this.#take(bytes), closed);
  }

  /** Keeps everything a source gives. Deletes it again and throws when the source fails or room runs out. */
  async save(source: AsyncIterable<Uint8Array>): Promise<Blob> {
    const writer = await this.create();
    try {
      for await (const piece of source) await writer.write(piece);
      return await writer.close();
    } catch (error) {
      await this.delete(await writer.close());
      throw error;
    }
  }

  /** The bytes from `start` to `end`, both included. */
  read(blob: Blob, start = 0, end = blob.bytes - 1): AsyncIterable<Uint8Array> {
    if (blob.bytes === 0) return empty();
    return createReadStream(blob.path, { start, end });
  }

  async delete(blob: Blob): Promise<void> {
    // A blob from before `clear` is accounted for already.
    this.#used = Math.max(0, this.#used - blob.bytes);
    await unlink(blob.path).catch(() => {});
  }

  /** Deletes everything. */
  async clear(): Promise<void> {
    const folder = this.#folder;
    this.#folder = undefined;
    this.#used = 0;
    // Whoever was writing has been told to stop and will not come back to close its file.
    await Promise.all([...this.#writing].map((file) => file.close()));
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }

  #take(bytes: number): void {
    this.#used += bytes;
    if (this.#used > this.#limit) {
      throw new StorageFull(
        `The simulator keeps at most ${this.#limit} bytes; raise dataLimitBytes or delete files.`,
      );
    }
  }
}

/** Writes one blob; small pieces are gathered. */
export class BlobWriter {
  readonly #file: FileHandle;
  readonly #path: string;
  readonly #take: (bytes: number) => void;
  readonly #closed: () => void;
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  #bytes = 0;

  constructor(file: FileHandle, path: string, take: (bytes: number) => void, closed: () => void) {
    this.#file = file;
    this.#path = path;
    this.#take = take;
    this.#closed = closed;
  }

  /** Bytes written so far. */
  get bytes(): number {
    return this.#bytes;
  }

  async write(piece: Uint8Array | string): Promise<void> {
    const bytes = typeof piece === "string" ? Buffer.from(piece) : piece;
    this.#bytes += bytes.length;
    this.#take(bytes.length);
    this.#pending.push(bytes);
    this.#pendingBytes += bytes.length;
    if (this.#pendingBytes >= FLUSH_AT) await this.#flush();
  }

  async close(): Promise<Blob> {
    await this.#flush();
    await this.#file.close();
    this.#closed();
    return { path: this.#path, bytes: this.#bytes };
  }

  async #flush(): Promise<void> {
    const pieces = this.#pending;
    this.#pending = [];
    this.#pendingBytes = 0;
    if (pieces.length > 0) await this.#file.writev(pieces);
  }
}

async function* empty(): AsyncGenerator<Uint8Array> {}
