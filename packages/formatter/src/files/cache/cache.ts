import { readFileSync } from "node:fs";
import { isOff } from "../../util/speed-paths.ts";
import { digestOf } from "./digest.ts";
import type { FileRecord, FileStamp, KnownFailure, Outcome } from "./file-record.ts";
import { Stored, type StoredParts } from "./stored.ts";

/**
 * So many records may stand behind the columns, where a run adds a few without writing all of them anew. Those of one file that
 * was added again and again count each time.
 */
const MOST_ADDITIONS = 200;

/** The records as they are stored, by columns: a few long arrays are read in half the time of thousands of short ones. */
interface Columns {
  readonly paths: readonly string[];
  readonly times: readonly number[];
  readonly sizes: readonly number[];
  /** With a space between them: hardly a run looks at one. */
  readonly digests: string;
  readonly failures: readonly (readonly [path: string, failure: KnownFailure])[];
}

const nothing: Columns = { paths: [], times: [], sizes: [], digests: "", failures: [] };

/**
 * Files that were well formatted, or no Python, when last seen, for one set of options and one project root
 * (Black: `cache.py`). It is read when it is first asked. What another run wrote while this one went on is kept.
 */
export class Cache {
  readonly #stored: Stored;
  #known: KnownFiles | undefined;
  readonly #fresh = new Map<string, FileRecord>();

  /** @param key everything that the output depends on besides the source. */
  constructor(folder: string, key: unknown) {
    this.#stored = new Stored(folder, "files", key);
  }

  /**
   * What became of the file at the absolute path, if it is still as it was; reads its bytes only when its time alone
   * changed. One that cannot be read is not known: formatting it will say why.
   */
  find(path: string, stamp: FileStamp): Outcome | undefined {
    this.#known ??= new KnownFiles(this.#stored.read());
    return this.#known.find(path, stamp);
  }

  /** Remembers a file by its absolute path. */
  add(path: string, record: FileRecord): void {
    this.#fresh.set(path, record);
  }

  /** Stores what was added; a cache that cannot be written is no error. */
  save(): void {
    if (this.#fresh.size === 0) return;
    if (
      this.#known !== undefined &&
      this.#known.additions + this.#fresh.size <= MOST_ADDITIONS &&
      !isOff("cache-additions")
    ) {
      if (this.#stored.append([...this.#fresh])) return;
    }
    const records = new KnownFiles(this.#stored.read()).records();
    for (const [path, record] of this.#fresh) records.set(path, record);
    this.#stored.write(columnsOf(records));
  }
}

/** What was stored; what is damaged is empty. */
class KnownFiles {
  readonly #columns: Columns;
  readonly #rows = new Map<string, number>();
  readonly #failures: ReadonlyMap<string, KnownFailure>;
  readonly #added = new Map<string, FileRecord>();
  #digests: readonly string[] | undefined;
  /** Records behind the columns; no end of them where these are missing or damaged, and to be written anew. */
  readonly additions: number;

  constructor({ contents, additions }: StoredParts = { contents: undefined, additions: [] }) {
    this.#columns = isWhole(contents) ? contents : nothing;
    const { paths, failures } = this.#columns;
    for (let row = 0; row < paths.length; row++) this.#rows.set(paths[row]!, row);
    this.#failures = new Map(failures);
    const records = additions.flatMap((added) => (isRecords(added) ? added : []));
    for (const [path, record] of records) this.#added.set(path, record);
    this.additions = isWhole(contents) ? records.length : Number.POSITIVE_INFINITY;
  }

  find(path: string, { mtimeMs, size }: FileStamp): Outcome | undefined {
    const added = this.#added.get(path);
    if (added !== undefined) {
      const isSame = added.size === size && (added.mtimeMs === mtimeMs || hasDigest(path, added.digest));
      return isSame ? (added.failure ?? "formatted") : undefined;
    }
    const row = this.#rows.get(path);
    if (row === undefined || this.#columns.sizes[row] !== size) return undefined;
    if (this.#columns.times[row] !== mtimeMs && !hasDigest(path, this.#digest(row))) return undefined;
    return this.#failures.get(path) ?? "formatted";
  }

  /** By path. */
  records(): Map<string, FileRecord> {
    const { paths, times, sizes } = this.#columns;
    const records = new Map<string, FileRecord>(
      paths.map((path, row) => [
        path,
        {
          mtimeMs: times[row]!,
          size: sizes[row]!,
          digest: this.#digest(row),
          failure: this.#failures.get(path),
        },
      ]),
    );
    for (const [path, record] of this.#added) records.set(path, record);
    return records;
  }

  #digest(row: number): string {
    this.#digests ??= this.#columns.digests.split(" ");
    return this.#digests[row]!;
  }
}

function isWhole(stored: unknown): stored is Columns {
  const { paths, times, sizes, digests, failures } = (stored ?? {}) as Partial<Columns>;
  const isTable = [paths, times, sizes].every(
    (column): boolean => Array.isArray(column) && column.length === paths?.length,
  );
  return isTable && typeof digests === "string" && Array.isArray(failures) && failures.every(Array.isArray);
}

function isRecords(added: unknown): added is [path: string, record: FileRecord][] {
  return (
    Array.isArray(added) &&
    added.every((entry) => Array.isArray(entry) && typeof entry[1]?.digest === "string")
  );
}

function columnsOf(records: ReadonlyMap<string, FileRecord>): Columns {
  const all = [...records.values()];
  return {
    paths: [...records.keys()],
    times: all.map(({ mtimeMs }) => mtimeMs),
    sizes: all.map(({ size }) => size),
    digests: all.map(({ digest }) => digest).join(" "),
    failures: [...records].flatMap(([path, { failure }]) =>
      failure === undefined ? [] : [[path, failure] as const],
    ),
  };
}

function hasDigest(path: string, digest: string): boolean {
  try {
    return digest !== "" && digestOf(readFileSync(path)) === digest;
  } catch {
    return false;
  }
}
