import type { Dialect, StreamGrammar } from "../../contract/dialect.ts";
import type { GatewayError } from "../../contract/errors.ts";
import type { Usage } from "../../contract/usage.ts";
import { isWhole } from "./sse-decoder.ts";
import { parseSseFrame, type SseEvent } from "./sse-event.ts";
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
  /** Events to keep from the caller, such as a usage chunk that only the gateway asked for. */
  readonly hides?: (event: SseEvent) => boolean;
  readonly maxEventBytes?: number;
}

/** Bytes after the last event that are read so that the connection can serve another call. */
const MAX_TRAILING_BYTES = 64 * 1024;

/**
 * Passes a provider's own stream on, byte for byte, as long as it keeps to its format. An event goes out when it is
 * whole and right; whatever else happens, the caller gets the dialect's error event and never a normal end.
 * One chunk is read for each that the reader takes; a reader that leaves cancels the upstream.
 */
export async function* guardNative(
  upstream: AsyncIterable<Uint8Array>,
  dialect: Dialect,
  options: GuardOptions = {},
): AsyncGenerator<Uint8Array> {
  const guard = new Guard(dialect.grammar(), options);
  let status: StreamOutcome["status"] = "cancelled";
  try {
    try {
      let trailing = 0;
      for await (const chunk of upstream) {
        if (guard.grammar.isComplete) {
          trailing += chunk.length;
          if (trailing > MAX_TRAILING_BYTES) break;
          continue;
        }
        const passed = guard.pass(chunk);
        if (passed.length > 0) yield passed;
        if (guard.broken !== undefined || guard.grammar.failed) break;
      }
      const last = guard.finish();
      if (last.length > 0) yield last;
    } catch (failure) {
      if (!guard.grammar.isComplete) guard.broken ??= streamError(failure);
    }
    status = guard.error() === undefined ? "complete" : "failed";
    if (guard.broken !== undefined) {
      yield Buffer.from(dialect.errorEvent(guard.broken, guard.grammar.nextSequenceNumber));
    }
  } finally {
    const error = guard.error();
    options.onEnd?.(
      guard.outcome(guard.grammar.isComplete && error === undefined ? "complete" : status, error),
    );
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

  constructor(grammar: StreamGrammar, options: GuardOptions) {
    this.grammar = grammar;
    this.#options = options;
    this.#splitter = new SseSplitter(options.maxEventBytes);
  }

  /** The part of the stream that may go out after this chunk; the chunk itself where nothing holds it back. */
  pass(chunk: Uint8Array): Uint8Array {
    const text = this.#splitter.takeWhole(chunk);
    if (text !== undefined) return this.#check(text) === "pass" ? chunk : Buffer.alloc(0);
    const held = this.#splitter.holdsBytes;
    const frames = this.#splitter.push(chunk);
    const good: Buffer[] = [];
    let dropped = false;
    for (const frame of frames) {
      const verdict = this.#check(frame.toString("utf8"));
      if (verdict === "break") break;
      if (verdict === "hide") dropped = true;
      else good.push(frame);
      if (this.grammar.isComplete || this.grammar.failed) break;
    }
    const whole = !held && !dropped && !this.#splitter.holdsBytes && good.length === frames.length;
    return whole ? chunk : Buffer.concat(good);
  }

  /** The last event of a host that forgot the blank line after it, completed; empty when there is none. */
  finish(): Uint8Array {
    if (this.broken !== undefined || this.grammar.isComplete || this.grammar.failed) return Buffer.alloc(0);
    const rest = this.#splitter.rest().toString("utf8");
    const event = parseSseFrame(rest);
    if (event !== undefined && isWhole(event.data) && this.#check(rest) === "pass") {
      if (this.grammar.isComplete || this.grammar.failed) return Buffer.from(`${rest.trimEnd()}\n\n`);
    }
    this.broken ??= truncatedStream();
    return Buffer.alloc(0);
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
    return this.#options.hides?.(event) === true ? "hide" : "pass";
  }

  #tellUsage(): void {
    if (this.#usageTold || this.#options.onUsage === undefined) return;
    const usage = this.grammar.usage();
    if (usage === undefined) return;
    this.#usageTold = true;
    this.#options.onUsage(usage);
  }
}
