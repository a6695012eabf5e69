import type { Cache } from "./cache/cache.ts";
import type { FileRecord, FileStamp, Outcome } from "./cache/file-record.ts";
import type { FolderMemory } from "./discover/memory/folder-memory.ts";

/** What earlier runs tell of the files, and what this run tells the next: the cache, and the memories of folders. */
export class KnownFiles {
  readonly #cache: Cache | undefined;
  readonly #stamps = new Map<string, FileStamp>();

  constructor(cache: Cache | undefined) {
    this.#cache = cache;
  }

  /**
   * What the cache says of a file that is untouched since. One that cannot be read is not known: formatting it will
   * say why.
   *
   * @param path absolute.
   */
  find(path: string, { mtimeMs, size }: FileStamp): Outcome | undefined {
    try {
      const known = this.#cache?.find(path, { mtimeMs, size });
      if (known !== undefined)
        this.#stamps.set(path, { mtimeMs, size, failure: known === "formatted" ? undefined : known });
      return known;
    } catch {
      return undefined;
    }
  }

  /** Remembers what became of a file by its absolute path. */
  add(path: string, record: FileRecord): void {
    this.#cache?.add(path, record);
    this.#stamps.set(path, record);
  }

  /** @param memories of the folders that were searched. */
  save(memories: readonly FolderMemory[]): void {
    this.#cache?.save();
    for (const memory of memories) {
      for (const [path, stamp] of this.#stamps) memory.add(path, stamp);
      memory.save();
    }
  }
}
