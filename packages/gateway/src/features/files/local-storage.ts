import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { FileStorage, FileWriter } from "./file-storage.ts";

const UNFINISHED_END = ".part";

/** Files in a folder, such as one of the data directory. */
export class LocalStorage implements FileStorage {
  readonly #folder: string;
  readonly #isSpread: boolean;

  /** @param isSpread over subfolders, as very many need it */
  constructor(folder: string, isSpread = true) {
    this.#folder = folder;
    this.#isSpread = isSpread;
  }

  async create(key: string): Promise<FileWriter> {
    const path = this.#path(key);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const unfinished = `${path}.${randomUUID()}${UNFINISHED_END}`;
    return new LocalWriter(await open(unfinished, "wx", 0o600), unfinished, path);
  }

  /** The file is opened by the first look at it: a reader that never comes leaves nothing open. */
  async *read(key: string, from = 0, length?: number): AsyncGenerator<Buffer> {
    if (length === 0) return;
    const end = length === undefined ? {} : { end: from + length - 1 };
    yield* createReadStream(this.#path(key), { start: from, ...end }) as AsyncIterable<Buffer>;
  }

  async delete(key: string): Promise<void> {
    await rm(this.#path(key), { force: true });
  }

  async removeLeftovers(before: number): Promise<void> {
    const entries = await readdir(this.#folder, { recursive: true, withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      if (!entry.isFile() || !entry.name.endsWith(UNFINISHED_END)) continue;
      const path = join(entry.parentPath, entry.name);
      const found = await stat(path).catch(() => undefined);
      if (found !== undefined && found.mtimeMs < before) await rm(path, { force: true });
    }
  }

  #path(key: string): string {
    return this.#isSpread ? join(this.#folder, key.slice(-2), key) : join(this.#folder, key);
  }
}

class LocalWriter implements FileWriter {
  readonly #file: FileHandle;
  readonly #unfinished: string;
  readonly #path: string;
  #bytes = 0;

  constructor(file: FileHandle, unfinished: string, path: string) {
    this.#file = file;
    this.#unfinished = unfinished;
    this.#path = path;
  }

  async write(chunk: Buffer): Promise<void> {
    for (let from = 0; from < chunk.length; )
      from += (await this.#file.write(chunk, from, chunk.length - from)).bytesWritten;
    this.#bytes += chunk.length;
  }

  /** The file's bytes reach the disk before its name does, and the name before this resolves. */
  async commit(): Promise<number> {
    await this.#file.sync();
    await this.#file.close();
    await rename(this.#unfinished, this.#path);
    const folder = await open(dirname(this.#path), "r");
    await folder.sync().finally(() => folder.close());
    return this.#bytes;
  }

  async abort(): Promise<void> {
    await this.#file.close().catch(() => undefined);
    await rm(this.#unfinished, { force: true });
  }
}
