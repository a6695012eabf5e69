import { write, writeSync } from "node:fs";

/** Bytes collected before a write, and milliseconds after which they are written anyway. */
const PAGE_BYTES = 65_536;
const FLUSH_EVERY = 250;

/** Bytes kept while nobody reads; beyond them lines are lost rather than memory. */
const MAX_KEPT = 16 * 2 ** 20;

/** Bytes that a character may need in UTF-8, by its UTF-16 units. */
const MAX_PER_UNIT = 3;

/** Milliseconds before another try when the reader of a pipe is behind. */
const RETRY_AFTER = 20;

/**
 * Writes lines to a file descriptor in large pieces and in order, without waiting for the reader: a system call for
 * each line would cost more than the line itself. Lines wait as bytes, which the garbage collector need not follow.
 */
export class LineWriter {
  readonly #descriptor: number;
  readonly #pageBytes: number;
  readonly #timer: NodeJS.Timeout;
  #page: Buffer;
  #used = 0;
  /** Full pages, and what they hold together. */
  #full: Buffer[] = [];
  #kept = 0;
  #rest: Buffer = Buffer.alloc(0);
  #writing = false;
  #lost = 0;

  /** @param pageBytes less where other processes write there too: longer lines may then come out torn */
  constructor(descriptor: number, pageBytes = PAGE_BYTES) {
    this.#descriptor = descriptor;
    this.#pageBytes = pageBytes;
    this.#page = Buffer.allocUnsafeSlow(pageBytes);
    this.#timer = setInterval(() => this.#writeOn(), FLUSH_EVERY);
    this.#timer.unref();
  }

  /** @param lines each with its line feed */
  write(lines: string): void {
    if (this.#kept > MAX_KEPT) {
      this.#lost += 1;
      return;
    }
    this.#add(lines);
    if (this.#full.length > 0) this.#writeOn();
  }

  /**
   * Writes everything at once, waiting for it; for the end of the process. A piece that is just on its way is written
   * again, because nobody would wait for it: better twice than not at all.
   */
  flushSync(): void {
    for (let piece = this.#next(); piece.length > 0; piece = this.#next()) {
      this.#rest = piece.subarray(writeSync(this.#descriptor, piece));
    }
  }

  #add(lines: string): void {
    const most = lines.length * MAX_PER_UNIT;
    if (this.#used + most > this.#pageBytes) this.#turnPage();
    if (most > this.#pageBytes) this.#keep(Buffer.from(lines));
    else this.#used += this.#page.write(lines, this.#used);
  }

  #turnPage(): void {
    if (this.#used === 0) return;
    this.#keep(this.#page.subarray(0, this.#used));
    this.#page = Buffer.allocUnsafeSlow(this.#pageBytes);
    this.#used = 0;
  }

  #keep(piece: Buffer): void {
    this.#full.push(piece);
    this.#kept += piece.length;
  }

  #next(): Buffer {
    if (this.#rest.length > 0) return this.#rest;
    if (this.#full.length === 0) this.#turnPage();
    const piece = this.#full.shift() ?? Buffer.alloc(0);
    this.#kept -= piece.length;
    return piece;
  }

  #writeOn(): void {
    if (this.#writing) return;
    if (this.#lost > 0 && this.#kept < MAX_KEPT) this.#reportLoss();
    const piece = this.#next();
    if (piece.length === 0) return;
    this.#writing = true;
    this.#rest = piece;
    write(this.#descriptor, piece, (error, count) => {
      this.#writing = false;
      // Meanwhile `flushSync` may have taken over.
      if (this.#rest !== piece) return;
      if (error === null) {
        this.#rest = piece.subarray(count);
        if (this.#rest.length > 0 || this.#full.length > 0) this.#writeOn();
      } else if (error.code === "EAGAIN") setTimeout(() => this.#writeOn(), RETRY_AFTER).unref();
      else this.#rest = Buffer.alloc(0);
    });
  }

  #reportLoss(): void {
    const time = new Date().toISOString();
    const msg = "log lines were lost because nobody read them";
    this.#add(`${JSON.stringify({ level: 40, time, lines: this.#lost, msg })}\n`);
    this.#lost = 0;
  }
}
