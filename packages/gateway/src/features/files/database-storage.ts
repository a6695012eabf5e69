import type { Store } from "../../platform/store/schema.ts";
import type { FileStorage, FileWriter } from "./file-storage.ts";

/** A piece of a file that is kept in the database. */
interface FilePieceRow {
  key: string;
  /** Counts from 0. */
  piece: number;
  bytes: Uint8Array;
}

declare module "../../platform/store/schema.ts" {
  interface Schema {
    file_pieces: FilePieceRow;
  }
}

/** Bytes of a piece; small enough to be held by many readers at once. */
const PIECE_BYTES = 256 * 1024;

/** Files in the database, in pieces: what every replica can read without sharing a folder. */
export class DatabaseStorage implements FileStorage {
  readonly #db: Store["db"];

  constructor(store: Store) {
    this.#db = store.db;
  }

  async create(key: string): Promise<FileWriter> {
    await this.delete(key);
    return new DatabaseWriter(this.#db, key);
  }

  async *read(key: string, from = 0, length = Number.POSITIVE_INFINITY): AsyncGenerator<Buffer> {
    let left = length;
    let skip = from % PIECE_BYTES;
    for (let piece = Math.floor(from / PIECE_BYTES); left > 0; piece += 1) {
      const row = await this.#db
        .selectFrom("file_pieces")
        .select("bytes")
        .where("key", "=", key)
        .where("piece", "=", piece)
        .executeTakeFirst();
      if (row === undefined) return;
      const bytes = Buffer.from(row.bytes).subarray(skip, Math.min(PIECE_BYTES, skip + left));
      skip = 0;
      left -= bytes.length;
      yield bytes;
    }
  }

  async delete(key: string): Promise<void> {
    await this.#db.deleteFrom("file_pieces").where("key", "=", key).execute();
  }
}

/** Pieces are durable one by one; a file counts only when the object that names it is there. */
class DatabaseWriter implements FileWriter {
  readonly #db: Store["db"];
  readonly #key: string;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #bytes = 0;
  #piece = 0;
  #committed = false;

  constructor(db: Store["db"], key: string) {
    this.#db = db;
    this.#key = key;
  }

  async write(chunk: Buffer): Promise<void> {
    this.#waiting.push(chunk);
    this.#waitingBytes += chunk.length;
    this.#bytes += chunk.length;
    while (this.#waitingBytes >= PIECE_BYTES) await this.#store(PIECE_BYTES);
  }

  async commit(): Promise<number> {
    if (this.#waitingBytes > 0) await this.#store(this.#waitingBytes);
    this.#committed = true;
    return this.#bytes;
  }

  async abort(): Promise<void> {
    if (this.#committed) return;
    await this.#db.deleteFrom("file_pieces").where("key", "=", this.#key).execute();
  }

  async #store(size: number): Promise<void> {
    const all = Buffer.concat(this.#waiting);
    const rest = all.subarray(size);
    this.#waiting = rest.length === 0 ? [] : [rest];
    this.#waitingBytes = rest.length;
    await this.#db
      .insertInto("file_pieces")
      .values({ key: this.#key, piece: this.#piece, bytes: all.subarray(0, size) })
      .execute();
    this.#piece += 1;
  }
}
