import { GatewayError } from "../../contract/errors.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { Usage } from "../../contract/usage.ts";
import { parseJsonObject } from "../../formats/shared/parse-json.ts";
import type { StreamProgress } from "../../formats/stream/stream-progress.ts";
import type { ResponseHeaders } from "../../platform/transport/headers.ts";

/** A whole answer: the provider's own bytes, or an object that was translated. */
export interface WholeAnswer {
  readonly kind: "whole";
  readonly body: Buffer | JsonObject;
  readonly contentType: string;
  readonly usage: Usage | undefined;
  /** The upstream's headers. */
  readonly headers: ResponseHeaders;
}

/** A streamed answer in the caller's format, of which the first content has arrived. */
export interface StreamAnswer {
  readonly kind: "stream";
  readonly stream: AsyncIterableIterator<Uint8Array>;
  readonly progress: StreamProgress;
  readonly headers: ResponseHeaders;
}

export type Answer = WholeAnswer | StreamAnswer;

/** Events before the first content are held up to this size; then the stream is taken as begun. */
const MAX_HELD_BYTES = 65_536;

/**
 * Reads a stream up to the model's first content, so that until then another deployment can take over.
 * @param progress listens to the same stream
 * @param readError reads the data of a provider's own error event
 * @returns the same stream from its first byte on
 * @throws GatewayError when the stream fails or ends before
 */
export async function commitToStream(
  source: AsyncIterator<Uint8Array>,
  progress: StreamProgress,
  readError: (data: string) => GatewayError,
): Promise<AsyncIterableIterator<Uint8Array>> {
  const head: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await source.next();
    if (done) throw failureOf(progress, readError);
    head.push(value);
    size += value.length;
    if (progress.hasContent || size > MAX_HELD_BYTES) return new ResumedStream(head, source);
  }
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

  constructor(head: Uint8Array[], rest: AsyncIterator<Uint8Array>) {
    this.#head = head;
    this.#rest = rest;
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<Uint8Array> {
    return this;
  }

  next(): Promise<IteratorResult<Uint8Array>> {
    const value = this.#head.shift();
    return value === undefined ? this.#rest.next() : Promise.resolve({ done: false, value });
  }

  async return(): Promise<IteratorResult<Uint8Array>> {
    this.#head.length = 0;
    await this.#rest.return?.();
    return { done: true, value: undefined };
  }
}
