import { lowerBound } from "../../util/lower-bound.ts";
import { DIGEST_LENGTH } from "./digest.ts";
import type { FileRecord, KnownFailure } from "./file-record.ts";

/** The cache's records by column: such a file is read several times as fast as one with an object for each of them. */
export interface Columns {
  /** Absolute and sorted, so that no table has to be made of them. */
  readonly paths: readonly string[];
  /** Modification time in ms and size in bytes, in turns. */
  readonly stamps: readonly number[];
  /** One behind the other. */
  readonly digests: string;
  /** Each with its index in `paths`, in their order. */
  readonly failures: readonly (readonly [row: number, failure: KnownFailure])[];
}

const empty: Columns = { paths: [], stamps: [], digests: "", failures: [] };

/** The columns that were stored; damaged ones are empty. */
export function columnsFrom(stored: unknown): Columns {
  const { paths, stamps, digests, failures } = (stored ?? {}) as Partial<Columns>;
  const isWhole =
    Array.isArray(paths) &&
    Array.isArray(stamps) &&
    Array.isArray(failures) &&
    failures.every((failure): boolean => Array.isArray(failure)) &&
    stamps.length === 2 * paths.length &&
    typeof digests === "string" &&
    digests.length === DIGEST_LENGTH * paths.length;
  return isWhole ? { paths, stamps, digests, failures } : empty;
}

/** The digest in a row. */
export function digestAt({ digests }: Columns, row: number): string {
  return digests.slice(row * DIGEST_LENGTH, (row + 1) * DIGEST_LENGTH);
}

/** The row of the path, or else the first one behind it. */
export function rowOf({ paths }: Columns, path: string): number {
  return lowerBound(paths, path);
}

/** The columns with further records, which take the place of those with the same path. */
export function withRecords(known: Columns, records: ReadonlyMap<string, FileRecord>): Columns {
  const paths: string[] = [];
  const stamps: number[] = [];
  const digests: string[] = [];
  const failures: [number, KnownFailure][] = [];
  let nextFailure = 0;
  /** Takes over what is known from one row up to another, all at once: most often few records are new. */
  const take = (from: number, to: number): void => {
    for (; nextFailure < known.failures.length; nextFailure++) {
      const [row, failure] = known.failures[nextFailure]!;
      if (row >= to) break;
      if (row >= from) failures.push([paths.length + row - from, failure]);
    }
    for (let row = from; row < to; row++) {
      paths.push(known.paths[row]!);
      stamps.push(known.stamps[2 * row]!, known.stamps[2 * row + 1]!);
    }
    digests.push(known.digests.slice(from * DIGEST_LENGTH, to * DIGEST_LENGTH));
  };
  let from = 0;
  for (const path of [...records.keys()].sort()) {
    const { mtimeMs, size, digest, failure } = records.get(path)!;
    const at = rowOf(known, path);
    take(from, at);
    if (failure !== undefined) failures.push([paths.length, failure]);
    paths.push(path);
    stamps.push(mtimeMs, size);
    digests.push(digest);
    from = known.paths[at] === path ? at + 1 : at;
  }
  take(from, known.paths.length);
  return { paths, stamps, digests: digests.join(""), failures };
}
