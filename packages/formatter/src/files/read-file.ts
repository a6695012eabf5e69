import { closeSync, fstatSync, openSync, readFileSync, readSync } from "node:fs";

/** Longer files are rare; memory for one of them is taken for it alone. */
const SHARED_BYTES = 1_000_000;

/** Each thread's own. */
let shared: Buffer | undefined;

/** A file's bytes and its change time before they were read, in ms since 1970. */
export interface ReadFile {
  readonly bytes: Uint8Array;
  readonly mtimeMs: number;
}

/**
 * Reads a file to its end. Memory for the bytes of each of many files would wait for the garbage collector, which does not
 * see it among the objects that it counts: so the bytes stand in memory that the next call overwrites.
 *
 * @throws the error of Node's file system
 */
export function readWhole(path: string): ReadFile {
  const file = openSync(path, "r");
  try {
    const { size, mtimeMs } = fstatSync(file);
    // Pipes and the files of /proc have no size.
    if (size === 0 || size > SHARED_BYTES) return { bytes: readFileSync(file), mtimeMs };
    shared ??= Buffer.allocUnsafeSlow(SHARED_BYTES);
    let end = 0;
    for (let read = -1; end < size && read !== 0; end += read)
      read = readSync(file, shared, end, size - end, null);
    return { bytes: shared.subarray(0, end), mtimeMs };
  } finally {
    closeSync(file);
  }
}
