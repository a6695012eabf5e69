import type { Dialect, StreamGrammar } from "../contract/dialect.ts";
import type { GatewayError } from "../contract/errors.ts";
import type { Usage } from "../contract/usage.ts";
import { isWhole, parseSseFrame } from "./sse-event.ts";
import { SseSplitter } from "./sse-splitter.ts";
import {
  brokenGrammar,
  type StreamListener,
  type StreamOutcome,
  streamError,
  truncatedStream,
} from "./stream-outcome.ts";

/** What the guard needs beside the stream. */
export interface GuardOptions extends StreamListener {
  /** Called when usage first became known, before the stream's end where the provider sends it early. */
  readonly onUsage?: (usage: Usage) => void;
  /** Keeps the chunk with the usage from a caller who has not asked for it. */
  readonly hidesUsage?: boolean;
  readonly maxEventBytes?: number;
}

const CARRIAGE_RETURN = 13;
/** What stands in a text for bytes that are no UTF-8; without it the text gives all its bytes back. */
const NO_UTF8 = "\ufffd";

/** Bytes after the last event that are read so that the connection can serve another call, and milliseconds for them. */
const MAX_TRAILING_BYTES = 64 * 1024;
const MAX_TRAILING_MS = 1000;

/**
 * Passes a provider's own stream on, byte for byte, as long as it keeps to its format. An event goes out when it is
 * whole and right; whatever else happens, the caller gets the dialect's error event and never a normal end. The last one
 * goes out when the listener has heard of the end.
 * One chunk is read for each that the reader takes; a reader that leaves cancels the upstream.
 */
export async function* guardNative(
  upstream: AsyncIterable<Uint8Array>,
  dialect: Dialect,
  options: GuardOptions = {},
): AsyncGenerator<Uint8Array> {
  const guard = new Guard(dialect.grammar(), options);
  let told = false;
  const tell = (otherwise: StreamOutcome["status"]): Promise<void> | undefined => {
    if (told) return undefined;
    told = true;
    const error = guard.error();
    const status = error !== undefined ? "failed" : guard.grammar.isComplete ? "complete" : otherwise;
    return options.onEnd?.(guard.outcome(status, error));
  };
  const source = upstream[Symbol.asyncIterator]();
  try {
    try {
      for (;;) {
        let read: IteratorResult<Uint8Array> | undefined = await source.next();
        if (read.done === true) break;
        let passed: Uint8Array | undefined = guard.pass(read.value);
        if (guard.hasEnded) await tell("complete");
        if (passed.length > 0) yield passed;
        // A function that waits keeps its variables, and a chunk the 64 KiB that it was cut from.
        read = undefined;
        passed = undefined;
        if (guard.isOver) await readTrailing(source);
        if (guard.hasEnded) break;
      }
      const last = guard.finish();
      await tell("complete");
      if (last.length > 0) yield last;
    } catch (failure) {
      if (!guard.grammar.isComplete) guard.broken ??= streamError(failure);
    }
    await tell("complete");
    if (guard.broken !== undefined) {
      const event = dialect.errorEvent(guard.broken, guard.grammar.nextSequenceNumber);
      yield Buffer.from(guard.unfinishedLineEnd + event);
    }
  } finally {
    await source.return?.();
    await tell("cancelled");
  }
}

/** What follows the last event, as far as it comes soon. */
async function readTrailing(source: AsyncIterator<Uint8Array>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, MAX_TRAILING_MS, undefined);
  });
  try {
    for (let size = 0; size <= MAX_TRAILING_BYTES; ) {
      const read = await Promise.race([source.next(), late]);
      if (read === undefined || read.done === true) return;
      size += read.value.length;
    }
  } finally {
    clearTimeout(timer);
  }
}

class Guard {
  readonly grammar: StreamGrammar;
  broken: GatewayError | undefined;
  readonly #options: GuardOptions;
  readonly #splitter: SseSplitter;
  #usageTold = false;
  #contentTold = false;
  #failedAt: string | undefined;
  #lineEnd = "\n";
  #endsInReturn = false;

  constructor(grammar: StreamGrammar, options: GuardOptions) {
    this.grammar = grammar;
    this.#options = options;
    this.#splitter = new SseSplitter(options.maxEventBytes);
  }

  /** Nothing more goes out but for the dialect's error event. */
  get hasEnded(): boolean {
    return this.broken !== undefined || this.grammar.failed || this.isOver;
  }

  /** The part of the stream that may go out after this chunk; the chunk itself where nothing holds it back. */
  pass(chunk: Uint8Array): Uint8Array {
    const texts = this.#splitter.takeWhole(chunk);
    if (texts !== undefined) {
      this.#endsInReturn = false;
      this.#lineEnd = "\n";
      const passes = this.#passing(texts);
      if (passes.length === texts.length && !passes.includes(false)) return chunk;
      const good = texts.filter((_, at) => passes[at] === true).join("");
      if (!good.includes(NO_UTF8)) return Buffer.from(good);
      return Buffer.concat(this.#splitter.push(chunk).filter((_, at) => passes[at] === true));
    }
    const held = this.#splitter.holdsBytes;
    const frames = this.#splitter.push(chunk);
    const passes = this.#passing(frames);
    const last = frames[passes.length - 1];
    if (last !== undefined) {
      // The line feed of a last CR LF counts to what follows.
      this.#endsInReturn = last.at(-1) === CARRIAGE_RETURN;
      this.#lineEnd = this.#endsInReturn || last.at(-2) === CARRIAGE_RETURN ? "\r\n" : "\n";
    }
    const good = frames.filter((_, at) => passes[at] === true);
    const whole = !held && !this.#splitter.holdsBytes && good.length === frames.length;
    return whole ? chunk : Buffer.concat(good);
  }

  /** Of each frame whether it goes out, up to the one that ends the stream. */
  #passing(frames: readonly (string | Buffer)[]): boolean[] {
    const passes: boolean[] = [];
    for (const frame of frames) {
      const verdict = this.#check(typeof frame === "string" ? frame : frame.toString("utf8"));
      passes.push(verdict === "pass");
      if (verdict === "break" || this.isOver || this.grammar.failed) break;
    }
    return passes;
  }

  /** The last event of a host that forgot the blank line after it, completed; empty when there is none. */
  finish(): Uint8Array {
    if (this.hasEnded) return Buffer.alloc(0);
    const rest = this.#splitter.rest().toString("utf8");
    const event = parseSseFrame(rest);
    if (event !== undefined && isWhole(event.data) && this.#check(rest) === "pass") {
      if (this.grammar.isComplete || this.grammar.failed)
        return Buffer.from(rest.trimEnd() + this.#lineEnd + this.#lineEnd);
    }
    if (!this.grammar.isComplete) this.broken ??= truncatedStream();
    else if (event === undefined) return Buffer.from(rest || this.unfinishedLineEnd);
    return Buffer.alloc(0);
  }

  /** The answer is complete and nothing may follow. */
  get isOver(): boolean {
    return this.grammar.isComplete && this.grammar.endsWithSource !== true;
  }

  /** What the last event that went out still needs before another one. */
  get unfinishedLineEnd(): string {
    return this.#endsInReturn ? "\n" : "";
  }

  error(): GatewayError | undefined {
    if (this.broken !== undefined) return this.broken;
    return this.grammar.failed ? streamError(new Error("the provider sent an error event")) : undefined;
  }

  outcome(status: StreamOutcome["status"], error: GatewayError | undefined): StreamOutcome {
    const { outputCharacters, serviceTier } = this.grammar;
    return {
      status,
      error,
      usage: this.grammar.usage(),
      outputCharacters,
      serviceTier,
      failedAt: this.#failedAt,
    };
  }

  #check(frame: string): "pass" | "hide" | "break" {
    const event = parseSseFrame(frame);
    if (event === undefined) return "pass";
    const wrong = this.grammar.accept(event.event, event.data);
    if (wrong !== undefined) {
      this.broken = brokenGrammar(wrong);
      this.#failedAt = event.data;
      return "break";
    }
    if (this.grammar.failed) this.#failedAt = event.data;
    if (!this.#contentTold && this.grammar.hasContent) {
      this.#contentTold = true;
      this.#options.onContent?.();
    }
    this.#tellUsage();
    return this.#options.hidesUsage === true && this.grammar.isUsageOnly === true ? "hide" : "pass";
  }

  #tellUsage(): void {
    if (this.#usageTold || this.#options.onUsage === undefined) return;
    const usage = this.grammar.usage();
    if (usage === undefined) return;
    this.#usageTold = true;
    this.#options.onUsage(usage);
  }
}
