import { readFileSync, type Stats } from "node:fs";
import { DIGEST_LENGTH, digestOf } from "./digest.ts";
import { Stored } from "./stored.ts";

/** A file that is no Python: its message as it was printed, the path under which it was, and the place in the source. */
export interface KnownFailure {
  readonly path: string;
  readonly message: string;
  readonly place: { readonly line: number; readonly column: number };
}

/** What is remembered of a file that is well formatted, or that cannot be. */
export interface FileRecord {
  readonly mtimeMs: number;
  /** In bytes. */
  readonly size: number;
  /** SHA-256 in hex. */
  readonly digest: string;
  /** Why it cannot be formatted; such an answer depends on nothing but source and options, like the other. */
  readonly failure?: KnownFailure | undefined;
}

/** The records by column: such a file is read several times as fast as one with an object for each of them. */
interface Columns {
  /** Absolute and sorted, so that no table has to be made of them. */
  readonly paths: string[];
  /** Modification time in ms and size in bytes, in turns. */
  readonly stamps: number[];
  /** One behind the other. */
  readonly digests: string;
  /** Each with its index in `paths`. */
  readonly failures: (readonly [number, KnownFailure])[];
}

/**
 * Files that were well formatted, or no Python, when last seen, for one set of options and one project root
 * (Black: `cache.py`). What another run wrote while this one went on is kept.
 */
export class Cache {
  readonly #stored: Stored;
  readonly #known: Columns;
  /** The row behind the one found last: a folder's files are asked for in their order. */
  #next = 0;
  readonly #failures: ReadonlyMap<number, KnownFailure>;
  readonly #fresh = new Map<string, FileRecord>();

  /** @param key everything that the output depends on besides the source. */
  constructor(folder: string, key: unknown) {
    this.#stored = new Stored(folder, "files", key);
    this.#known = columnsOf(this.#stored.read());
    this.#failures = new Map(this.#known.failures);
  }

  /**
   * What became of the file at the absolute path, if it is still as it was; reads its bytes only when its time alone
   * changed.
   */
  find(path: string, stats: Pick<Stats, "mtimeMs" | "size">): "formatted" | KnownFailure | undefined {
    const row = this.#rowOf(path);
    if (row === -1 || this.#known.stamps[2 * row + 1] !== stats.size) return undefined;
    if (
      this.#known.stamps[2 * row] !== stats.mtimeMs &&
      digestOf(readFileSync(path)) !== digestAt(this.#known, row)
    )
      return undefined;
    return this.#failures.get(row) ?? "formatted";
  }

  #rowOf(path: string): number {
    const { paths } = this.#known;
    const row = paths[this.#next] === path ? this.#next : binarySearch(paths, path);
    this.#next = row + 1;
    return row;
  }

  /** Remembers a file by its absolute path. */
  add(path: string, record: FileRecord): void {
    this.#fresh.set(path, record);
  }

  /** Stores what was added; a cache that cannot be written is no error. */
  save(): void {
    if (this.#fresh.size === 0) return;
    const merged = recordsOf(columnsOf(this.#stored.read()));
    for (const [path, record] of this.#fresh) merged.set(path, record);
    this.#stored.write(toColumns(merged));
  }
}

/** Damaged contents are empty ones. */
function columnsOf(stored: unknown): Columns {
  const { paths, stamps, digests, failures } = (stored ?? {}) as Partial<Record<keyof Columns, unknown>>;
  const isWhole =
    Array.isArray(paths) &&
    Array.isArray(stamps) &&
    Array.isArray(failures) &&
    stamps.length === 2 * paths.length &&
    typeof digests === "string" &&
    digests.length === DIGEST_LENGTH * paths.length;
  return isWhole
    ? { paths, stamps, digests, failures }
    : { paths: [], stamps: [], digests: "", failures: [] };
}

/** The text's index, or -1. */
function binarySearch(sorted: readonly string[], text: string): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < text) low = middle + 1;
    else high = middle;
  }
  return sorted[low] === text ? low : -1;
}

function digestAt({ digests }: Columns, row: number): string {
  return digests.slice(row * DIGEST_LENGTH, (row + 1) * DIGEST_LENGTH);
}

function recordsOf(columns: Columns): Map<string, FileRecord> {
  const failures = new Map(columns.failures);
  return new Map(
    columns.paths.map((path, row) => [
      path,
      {
        mtimeMs: columns.stamps[2 * row]!,
        size: columns.stamps[2 * row + 1]!,
        digest: digestAt(columns, row),
        failure: failures.get(row),
      },
    ]),
  );
}

function toColumns(records: ReadonlyMap<string, FileRecord>): Columns {
  const paths = [...records.keys()].sort();
  const all = paths.map((path) => records.get(path)!);
  return {
    paths,
    stamps: all.flatMap(({ mtimeMs, size }) => [mtimeMs, size]),
    digests: all.map(({ digest }) => digest).join(""),
    failures: all.flatMap(({ failure }, row) => (failure === undefined ? [] : [[row, failure] as const])),
  };
}
