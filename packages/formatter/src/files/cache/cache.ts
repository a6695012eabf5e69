import { readFileSync } from "node:fs";
import { digestOf } from "./digest.ts";
import type { FileRecord, FileStamp, KnownFailure, Outcome } from "./file-record.ts";
import { Stored } from "./stored.ts";

/** A record as it is stored. */
type Row = [path: string, mtimeMs: number, size: number, digest: string, failure?: KnownFailure];

/**
 * Files that were well formatted, or no Python, when last seen, for one set of options and one project root
 * (Black: `cache.py`). It is read when it is first asked. What another run wrote while this one went on is kept.
 */
export class Cache {
  readonly #stored: Stored;
  #known: ReadonlyMap<string, Row> | undefined;
  readonly #fresh = new Map<string, FileRecord>();

  /** @param key everything that the output depends on besides the source. */
  constructor(folder: string, key: unknown) {
    this.#stored = new Stored(folder, "files", key);
  }

  /**
   * What became of the file at the absolute path, if it is still as it was; reads its bytes only when its time alone
   * changed. One that cannot be read is not known: formatting it will say why.
   */
  find(path: string, stats: FileStamp): Outcome | undefined {
    this.#known ??= this.#read();
    const row = this.#known.get(path);
    if (row === undefined || row[2] !== stats.size) return undefined;
    return row[1] === stats.mtimeMs || hasDigest(path, row[3]) ? (row[4] ?? "formatted") : undefined;
  }

  /** Remembers a file by its absolute path. */
  add(path: string, record: FileRecord): void {
    this.#fresh.set(path, record);
  }

  /** Stores what was added; a cache that cannot be written is no error. */
  save(): void {
    if (this.#fresh.size === 0) return;
    const rows = this.#read();
    for (const [path, { mtimeMs, size, digest, failure }] of this.#fresh)
      rows.set(path, failure ? [path, mtimeMs, size, digest, failure] : [path, mtimeMs, size, digest]);
    this.#stored.write([...rows.values()]);
  }

  /** What is damaged is empty. */
  #read(): Map<string, Row> {
    const rows = this.#stored.read();
    const isWhole = Array.isArray(rows) && rows.every((row): boolean => Array.isArray(row));
    return new Map(isWhole ? rows.map((row: Row) => [row[0], row]) : []);
  }
}

function hasDigest(path: string, digest: string): boolean {
  try {
    return digest !== "" && digestOf(readFileSync(path)) === digest;
  } catch {
    return false;
  }
}
