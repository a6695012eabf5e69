/** Takes the bytes of a new file. Nothing is visible until `commit`, after which it survives a power cut. */
export interface FileWriter {
  /** Resolves when more may be written. */
  write(chunk: Buffer): Promise<void>;
  /** Resolves with the size in bytes. */
  commit(): Promise<number>;
  /** Forgets what was written; harmless after `commit`. */
  abort(): Promise<void>;
}

/** Where the bytes of files are kept: a folder, the database, or object storage. Keys are of `[a-z0-9-]`. */
export interface FileStorage {
  /**
   * Begins a file; one that has the key already is replaced on commit.
   * @param note told the id of an unfinished upload before it has any bytes, where the storage has such uploads
   */
  create(key: string, note?: (uploadId: string) => Promise<void>): Promise<FileWriter>;
  /**
   * A file's bytes, or a part of them, as they are asked for.
   * @throws Error when there is no such file
   */
  read(key: string, from?: number, length?: number): AsyncIterable<Buffer>;
  /**
   * Does nothing when there is no such file.
   * @param uploadId of an unfinished upload that is given up too
   */
  delete(key: string, uploadId?: string): Promise<void>;
  /** From now on something names the file. One that is never kept is removed in the end, where there is a database. */
  keep?(key: string): Promise<void>;
  /** Removes what writers left behind that were killed before a time (milliseconds since the epoch). */
  removeLeftovers?(before: number): Promise<void>;
}

/** A part of a file that fits into memory. */
export async function readPart(
  storage: FileStorage,
  key: string,
  from: number,
  length: number,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of storage.read(key, from, length)) chunks.push(chunk);
  return chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
}
