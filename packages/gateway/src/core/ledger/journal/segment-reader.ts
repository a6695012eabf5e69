import { fstatSync, readSync } from "node:fs";
import { MAX_RECORD_BYTES, type ReadRecords, readRecords } from "./record.ts";

/** Bytes read at once; several of the longest records fit. */
const PART_BYTES = 4 * MAX_RECORD_BYTES;

/** The next whole records of a segment, and what is behind them. */
export interface SegmentPart extends ReadRecords {
  /** Bytes from the last whole record to the end of the file; more whole ones may be among them. */
  readonly rest: number;
}

/** Reads on in a segment, which another thread may be writing. */
export class SegmentReader {
  readonly #buffer = Buffer.allocUnsafeSlow(PART_BYTES);

  /** The whole records from a position on, as many as are read at once. */
  read(descriptor: number, position: number): SegmentPart {
    const { size } = fstatSync(descriptor);
    const count = readSync(descriptor, this.#buffer, 0, PART_BYTES, position);
    const records = readRecords(this.#buffer.subarray(0, count));
    return { ...records, rest: Math.max(size, position + count) - position - records.used };
  }
}
