import { closeSync, constants, existsSync, openSync, renameSync, rmSync, statSync } from "node:fs";
import { ProcessLock } from "../../../platform/store/process-lock.ts";
import { piecesOf } from "../../../util/pieces.ts";
import { bytesIn, foldersIn, removeFolder, segmentsIn } from "./journal-files.ts";
import { SegmentReader } from "./segment-reader.ts";
import type { SpendSink } from "./spend-sink.ts";

/** Rows of one transaction: many share the wait for the disk, and other writers do not wait long. */
const MAX_ROWS = 1000;

/** Milliseconds for which a folder without segments may be one that its process has just made. */
const MAX_EMPTY_AGE = 3_600_000;

/** Tells the operator of what did not go the usual way. */
export type Report = (level: "info" | "warn" | "error", fields: object, message: string) => void;

/**
 * Brings the journals' rows into the store and deletes finished segments whose rows are all there. What it has done it
 * remembers in memory only: rows that are written again are found to be there.
 */
export class Ingest {
  readonly #root: string;
  readonly #sink: SpendSink;
  readonly #report: Report;
  readonly #reader = new SegmentReader();
  /** Where to read on in segments that are not done. */
  readonly #positions = new Map<string, number>();
  #refused = 0;

  constructor(root: string, sink: SpendSink, report: Report) {
    this.#root = root;
    this.#sink = sink;
    this.#report = report;
  }

  /** How many rows the store has refused since this was last asked. */
  takeRefused(): number {
    const refused = this.#refused;
    this.#refused = 0;
    return refused;
  }

  /** Bytes of all journals. */
  get bytes(): number {
    return bytesIn(this.#root);
  }

  /**
   * Brings what this process has written into the store.
   * @param isFinished it writes nothing more
   */
  async own(folder: string, isFinished: boolean): Promise<void> {
    await this.#drain(folder, isFinished);
  }

  /** Brings what processes have left that ended without doing so, and removes their folders. */
  async abandoned(own: string | undefined): Promise<void> {
    for (const folder of foldersIn(this.#root)) {
      if (folder === own || !isWorthALook(folder)) continue;
      try {
        await this.#adopt(folder);
      } catch (error) {
        // A folder that cannot be read keeps nobody else's rows from the store.
        if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
        this.#report("warn", { folder, error: String(error) }, "a spend journal cannot be read");
      }
    }
  }

  async #adopt(folder: string): Promise<void> {
    const lock = this.#lockOf(folder);
    if (lock === undefined) return;
    try {
      const rows = await this.#drain(folder, true);
      if (rows > 0) this.#report("info", { rows }, "spend rows of a process that ended were written");
    } finally {
      lock.release();
    }
    removeFolder(folder);
  }

  /** SQLite's errors look alike whether they come from a lock or from the store: a folder without a lock is told here. */
  #lockOf(folder: string): ProcessLock | undefined {
    try {
      return ProcessLock.take(folder);
    } catch (error) {
      // Another process that looks at the same moment has brought everything in and removed it.
      if (!existsSync(folder)) return undefined;
      this.#report("warn", { folder, error: String(error) }, "a spend journal cannot be locked");
      return undefined;
    }
  }

  /** Writes rows; those that the store refuses are told and left out, so that they do not hold up the others. */
  async write(texts: readonly string[]): Promise<void> {
    for (const some of piecesOf(texts, MAX_ROWS)) await this.#writeSome(some);
  }

  async #writeSome(texts: readonly string[]): Promise<void> {
    try {
      await this.#sink.write(texts);
    } catch (error) {
      if (!this.#sink.isRefusal(error)) throw error;
      if (texts.length === 1) {
        this.#refused += 1;
        this.#report("error", { row: texts[0], error: String(error) }, "the database refused a spend row");
        return;
      }
      const middle = texts.length >> 1;
      await this.#writeSome(texts.slice(0, middle));
      await this.#writeSome(texts.slice(middle));
    }
  }

  /** @returns the number of rows */
  async #drain(folder: string, isFinished: boolean): Promise<number> {
    // Listed first: nothing more comes to a segment that has another one behind it.
    const segments = segmentsIn(folder);
    let rows = 0;
    for (const [index, segment] of segments.entries())
      rows += await this.#drainSegment(segment, isFinished || index < segments.length - 1);
    return rows;
  }

  async #drainSegment(segment: string, isFinished: boolean): Promise<number> {
    // A pipe of that name would be waited for.
    const descriptor = openSync(segment, constants.O_RDONLY | constants.O_NONBLOCK);
    let rows = 0;
    try {
      for (;;) {
        const position = this.#positions.get(segment) ?? 0;
        const { texts, used, rest, isDamaged } = this.#reader.read(descriptor, position);
        if (texts.length > 0) {
          await this.write(texts);
          this.#positions.set(segment, position + used);
          rows += texts.length;
        } else {
          if (isFinished) this.#done(segment, rest, isDamaged);
          return rows;
        }
      }
    } finally {
      closeSync(descriptor);
    }
  }

  /** A write that a crash cut short leaves a beginning of a record, whose answer was not sent; more than that is damage. */
  #done(segment: string, rest: number, isDamaged: boolean): void {
    try {
      if (isDamaged) {
        renameSync(segment, `${segment}.damaged`);
        this.#report(
          "error",
          { file: `${segment}.damaged`, bytes: rest },
          "a spend journal is damaged: what follows the damage is not written, and is kept in this file",
        );
      } else {
        rmSync(segment);
        if (rest > 0)
          this.#report("warn", { bytes: rest }, "an unfinished record of a spend journal was cut");
      }
      this.#positions.delete(segment);
    } catch (error) {
      // Where files cannot be removed the position stays: its rows are not read again.
      if ((error as NodeJS.ErrnoException).code !== "EROFS") throw error;
    }
  }
}

function isWorthALook(folder: string): boolean {
  if (segmentsIn(folder).length > 0) return true;
  const found = statSync(folder, { throwIfNoEntry: false });
  return found?.isDirectory() === true && Date.now() - found.mtimeMs > MAX_EMPTY_AGE;
}
