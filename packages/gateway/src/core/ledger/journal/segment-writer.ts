import { closeSync, fdatasync, ftruncateSync, openSync, writeSync } from "node:fs";
import { promisify } from "node:util";
import { bytesIn, makeOwnFolder, type OwnFolder, removeFolder, segmentPath } from "./journal-files.ts";
import { MAX_RECORD_BYTES, writeRecord } from "./record.ts";

const syncData = promisify(fdatasync);

/** Bytes after which a segment is finished, so that its rows' space is given back once the database has them. */
const SEGMENT_BYTES = 4 * 2 ** 20;
/** Milliseconds before another try after a failure. */
const RETRY_AFTER = 1000;

export interface SegmentWriterOptions {
  readonly root: string;
  /** The megabytes that the journals of all processes may take together; read at each write, so that a reload counts. */
  readonly config: { readonly current: { readonly generalSettings: { readonly spendJournalMaxMb: number } } };
  /** Told when the journal stops to take records, and, without a reason, when it takes them again. */
  readonly onChange: (failure: unknown) => void;
  /** Tests replace it. */
  readonly write?: typeof writeSync;
}

/**
 * Appends records to this process's segments. A record is with the operating system when `append` returns, and so
 * survives whatever happens to this process; `sync` has it survive a power cut.
 */
export class SegmentWriter {
  readonly #options: SegmentWriterOptions;
  readonly #write: typeof writeSync;
  readonly #buffer = Buffer.allocUnsafeSlow(MAX_RECORD_BYTES);
  /** Records that the buffer holds. */
  #inBuffer = 0;
  #own: OwnFolder | undefined;
  #descriptor: number | undefined;
  #number = 0;
  /** Bytes of the current segment, of all journals, and appended in all. */
  #size = 0;
  #total = 0;
  #appended = 0;
  #synced = 0;
  #syncing: Promise<void> | undefined;
  /** Resolves when finished segments are on the disk, with what kept one from it. */
  #closing: Promise<unknown> = Promise.resolve();
  #failure: unknown;
  #retryAt = 0;

  constructor(options: SegmentWriterOptions) {
    this.#options = options;
    this.#write = options.write ?? writeSync;
  }

  /** This process's folder, once there is one. */
  get folder(): string | undefined {
    return this.#own?.path;
  }

  /** Why it takes no records at the moment. */
  get failure(): unknown {
    return this.#failure;
  }

  /** Bytes of the journals of all processes, as far as known. */
  get bytes(): number {
    return this.#total;
  }

  /** Bytes that this process has appended since its start. */
  get appended(): number {
    return this.#appended;
  }

  /** The journals of all processes had so many bytes when this process had appended so many. */
  measured(bytes: number, appended: number): void {
    this.#total = bytes + this.#appended - appended;
  }

  /** Makes the first segment, so that what stands in the way shows at the start. @returns whether it worked */
  open(): boolean {
    return this.#attempt(() => {
      this.#total = bytesIn(this.#options.root);
      this.#nextSegment();
    });
  }

  /**
   * Appends a record for each text, as many as fit the buffer in one write.
   * @returns how many of them, from the first on, are in the journal; not all while that is full or cannot be written
   */
  append(texts: readonly string[]): number {
    let taken = 0;
    while (taken < texts.length && this.#attempt(() => this.#appendSome(texts, taken)))
      taken += this.#inBuffer;
    return taken;
  }

  /** Resolves when everything appended so far survives a power cut; many callers share one wait for the disk. */
  async sync(): Promise<void> {
    const goal = this.#appended;
    while (this.#synced < goal) {
      this.#syncing ??= this.#sync().finally(() => {
        this.#syncing = undefined;
      });
      await this.#syncing;
    }
  }

  /** Ends the writing; the folder stays this process's until it is released. */
  async close(): Promise<void> {
    this.#finishSegment();
    await this.#closing;
  }

  /** Gives the folder up, and removes it where it is empty. */
  release(): void {
    const own = this.#own;
    this.#own = undefined;
    own?.lock.release();
    if (own !== undefined) removeFolder(own.path);
  }

  #attempt(step: () => void): boolean {
    if (this.#failure !== undefined && performance.now() < this.#retryAt) return false;
    try {
      step();
    } catch (error) {
      this.#retryAt = performance.now() + RETRY_AFTER;
      // What failed half-way is not gone on with.
      this.#finishSegment();
      if (this.#failure === undefined) this.#options.onChange(error);
      this.#failure = error;
      return false;
    }
    if (this.#failure !== undefined) {
      this.#failure = undefined;
      this.#options.onChange(undefined);
    }
    return true;
  }

  #appendSome(texts: readonly string[], from: number): void {
    const length = this.#fillBuffer(texts, from);
    const maxMb = this.#options.config.current.generalSettings.spendJournalMaxMb;
    if (this.#total + length > maxMb * 2 ** 20)
      throw new Error(`the journal has reached its limit of ${maxMb} MB (spend_journal_max_mb)`);
    if (this.#descriptor === undefined || this.#size >= SEGMENT_BYTES) this.#nextSegment();
    const written = this.#write(this.#descriptor!, this.#buffer, 0, length);
    if (written < length) this.#finishWrite(written, length);
    this.#size += length;
    this.#total += length;
    this.#appended += length;
  }

  /** @returns the bytes that the records take */
  #fillBuffer(texts: readonly string[], from: number): number {
    this.#inBuffer = 0;
    let length = 0;
    for (let at = from; at < texts.length; at += 1) {
      const end = writeRecord(texts[at]!, this.#buffer, length);
      if (end === undefined) break;
      length = end;
      this.#inBuffer += 1;
    }
    return length;
  }

  /** A disk that fills up takes a part of the records and refuses the rest; then it is to have none of them. */
  #finishWrite(written: number, length: number): void {
    try {
      for (let at = written; at < length; )
        at += this.#write(this.#descriptor!, this.#buffer, at, length - at);
    } catch (error) {
      ftruncateSync(this.#descriptor!, this.#size);
      throw error;
    }
  }

  #nextSegment(): void {
    this.#own ??= makeOwnFolder(this.#options.root);
    this.#number += 1;
    const descriptor = openSync(segmentPath(this.#own.path, this.#number), "ax", 0o600);
    this.#finishSegment();
    this.#descriptor = descriptor;
    this.#size = 0;
  }

  #finishSegment(): void {
    const descriptor = this.#descriptor;
    if (descriptor === undefined) return;
    this.#descriptor = undefined;
    this.#closing = syncAndClose(descriptor, this.#closing, this.#syncing);
  }

  async #sync(): Promise<void> {
    const upTo = this.#appended;
    const closing = this.#closing;
    if (this.#descriptor !== undefined) await syncData(this.#descriptor);
    const failure = await closing;
    if (failure !== undefined) throw failure;
    this.#synced = upTo;
  }
}

/** @returns the first failure so far */
async function syncAndClose(
  descriptor: number,
  before: Promise<unknown>,
  syncing: Promise<void> | undefined,
): Promise<unknown> {
  const failure = await before;
  await syncing?.catch(() => undefined);
  try {
    await syncData(descriptor);
    return failure;
  } catch (error) {
    return failure ?? error;
  } finally {
    closeSync(descriptor);
  }
}
