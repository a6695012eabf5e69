import { GatewayError } from "../../contract/errors.ts";
import { type JsonObject, parseJsonObject } from "../../contract/json.ts";
import type { ReadBody } from "../../contract/json-body.ts";
import type { Usage } from "../../contract/usage.ts";
import type { StreamProgress } from "../../formats/stream-outcome.ts";
import type { ResponseHeaders } from "../../platform/transport/headers.ts";

/** A whole answer: the provider's own bytes, or an object that was translated. */
export interface WholeAnswer {
  readonly kind: "whole";
  readonly body: Buffer | JsonObject;
  readonly contentType: string;
  readonly usage: Usage | undefined;
  /** What the body says, where whoever made the call has to know it. */
  readonly read?: ReadBody | undefined;
  /** The upstream's headers. */
  readonly headers: ResponseHeaders;
}

/** A streamed answer in the caller's format, which has begun to arrive. */
export interface StreamAnswer {
  readonly kind: "stream";
  readonly stream: AsyncIterableIterator<Uint8Array>;
  readonly progress: StreamProgress;
  readonly headers: ResponseHeaders;
}

export type Answer = WholeAnswer | StreamAnswer;

/**
 * Whether a host answers whole where a stream was asked for, as some do for some of their models; it is paid for as well.
 */
export function isWhole(contentType: string | undefined): boolean {
  return /^application\/json\b/i.test(contentType ?? "");
}

/** Events before the first content are held up to this size; then the stream is taken as begun. */
const MAX_HELD_BYTES = 65_536;

/** How long a stream is held before its caller gets the head. */
export interface StreamHold {
  /** Another deployment could take over: then the stream is held up to its first content, else up to its first event. */
  readonly failsOver: boolean;
  /** Milliseconds after which the caller gets what there is in any case. */
  readonly ms: number;
  /** Told when these are over and nothing has come. */
  readonly onOver?: () => void;
}

/** Milliseconds for an error that follows a stream's first event at once, which is then told as a plain HTTP error. */
const ERROR_GRACE_MS = 20;

/** Signs of life that providers send while a model thinks: a `ping` of Messages, a comment of server-sent events. */
const PING = Buffer.from('"ping"');
const COMMENT = 0x3a;

/**
 * Reads a stream up to the model's first content, so that until then another deployment can take over; not past a
 * ping, and not longer than the hold.
 * @param progress listens to the same stream
 * @param readError reads the data of a provider's own error event
 * @returns the same stream from its first byte on
 * @throws GatewayError when the stream fails or ends before
 */
export async function commitToStream(
  source: AsyncIterator<Uint8Array>,
  progress: StreamProgress,
  readError: (data: string) => GatewayError,
  hold: StreamHold,
): Promise<AsyncIterableIterator<Uint8Array>> {
  const head: Uint8Array[] = [];
  let size = 0;
  let timer: NodeJS.Timeout | undefined;
  const over = (ms: number) =>
    new Promise<undefined>((resolve) => {
      clearTimeout(timer);
      timer = setTimeout(resolve, ms, undefined);
    });
  let isOver = over(hold.ms);
  try {
    for (;;) {
      const reading = source.next();
      const read = await Promise.race([reading, isOver]);
      if (read === undefined) {
        hold.onOver?.();
        return new ResumedStream(head, source, reading);
      }
      if (read.done) throw failureOf(progress, readError);
      head.push(read.value);
      size += read.value.length;
      if (progress.hasContent || size > MAX_HELD_BYTES || isPing(read.value))
        return new ResumedStream(head, source);
      if (!hold.failsOver && head.length === 1) isOver = over(Math.min(hold.ms, ERROR_GRACE_MS));
    }
  } finally {
    clearTimeout(timer);
  }
}

function isPing(chunk: Uint8Array): boolean {
  return chunk[0] === COMMENT || Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length).includes(PING);
}

/** The provider's own error where its event came through, else what the guard found. */
function failureOf({ outcome }: StreamProgress, readError: (data: string) => GatewayError): GatewayError {
  const { failedAt = "", error } = outcome ?? {};
  if (parseJsonObject(failedAt)?.error !== undefined) return readError(failedAt);
  return error ?? new GatewayError(502, "api_error", "The provider's stream ended before the answer began.");
}

/** Chunks that were read ahead, then the rest. */
class ResumedStream implements AsyncIterableIterator<Uint8Array> {
  readonly #head: Uint8Array[];
  readonly #rest: AsyncIterator<Uint8Array>;
  #reading: Promise<IteratorResult<Uint8Array>> | undefined;

  /** @param reading the next chunk, which was asked for already */
  constructor(
    head: Uint8Array[],
    rest: AsyncIterator<Uint8Array>,
    reading?: Promise<IteratorResult<Uint8Array>>,
  ) {
    this.#head = head;
    this.#rest = rest;
    this.#reading = reading;
    // Whoever leaves without reading on does not hear of it.
    reading?.catch(() => undefined);
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<Uint8Array> {
    return this;
  }

  next(): Promise<IteratorResult<Uint8Array>> {
    const value = this.#head.shift();
    if (value !== undefined) return Promise.resolve({ done: false, value });
    const reading = this.#reading ?? this.#rest.next();
    this.#reading = undefined;
    return reading;
  }

  async return(): Promise<IteratorResult<Uint8Array>> {
    this.#head.length = 0;
    await this.#rest.return?.();
    return { done: true, value: undefined };
  }
}
