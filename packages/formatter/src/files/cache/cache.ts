import { readFileSync } from "node:fs";
import { type Columns, columnsFrom, digestAt, rowOf, withRecords } from "./columns.ts";
import { digestOf } from "./digest.ts";
import type { FileRecord, FileStamp, KnownFailure, Outcome } from "./file-record.ts";
import { Stored } from "./stored.ts";

/**
 * Files that were well formatted, or no Python, when last seen, for one set of options and one project root
 * (Black: `cache.py`). It is read when it is first asked. What another run wrote while this one went on is kept.
 */
export class Cache {
  readonly #stored: Stored;
  #known: Columns | undefined;
  #failures: ReadonlyMap<number, KnownFailure> = new Map();
  /** The row behind the one found last: a folder's files are asked for in their order. */
  #next = 0;
  readonly #fresh = new Map<string, FileRecord>();

  /** @param key everything that the output depends on besides the source. */
  constructor(folder: string, key: unknown) {
    this.#stored = new Stored(folder, "files", key);
  }

  /**
   * What became of the file at the absolute path, if it is still as it was; reads its bytes only when its time alone
   * changed.
   */
  find(path: string, stats: FileStamp): Outcome | undefined {
    this.#known ??= this.#read();
    const row = this.#known.paths[this.#next] === path ? this.#next : rowOf(this.#known, path);
    this.#next = row + 1;
    if (this.#known.paths[row] !== path || this.#known.stamps[2 * row + 1] !== stats.size) return undefined;
    if (
      this.#known.stamps[2 * row] !== stats.mtimeMs &&
      digestOf(readFileSync(path)) !== digestAt(this.#known, row)
    )
      return undefined;
    return this.#failures.get(row) ?? "formatted";
  }

  #read(): Columns {
    const columns = columnsFrom(this.#stored.readJson());
    this.#failures = new Map(columns.failures);
    return columns;
  }

  /** Remembers a file by its absolute path. */
  add(path: string, record: FileRecord): void {
    this.#fresh.set(path, record);
  }

  /** Stores what was added; a cache that cannot be written is no error. */
  save(): void {
    if (this.#fresh.size === 0) return;
    this.#stored.writeJson(withRecords(columnsFrom(this.#stored.readJson()), this.#fresh));
  }
}
