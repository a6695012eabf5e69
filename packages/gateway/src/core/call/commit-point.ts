import { GatewayError } from "../../contract/errors.ts";
import type { DialectFormat } from "../../formats/registry.ts";
import { parseJsonObject } from "../../formats/shared/parse-json.ts";
import { parseSseFrame } from "../../formats/stream/sse-event.ts";
import type { StreamEnd } from "./answer.ts";

/** What shows in a stream's text that the model has begun to answer, or has ended. */
const contentSigns: Readonly<Record<DialectFormat, RegExp>> = {
  chat: /"(?:content|reasoning_content|reasoning|refusal|arguments|text)"\s*:\s*"[^"]|"tool_calls"\s*:\s*\[|"finish_reason"\s*:\s*"|\[DONE\]/,
  messages: /"(?:content_block_delta|message_delta|message_stop|tool_use|server_tool_use)"/,
  responses: /"response\.(?!created"|queued"|in_progress")[a-z_.]+"/,
};

/** Events before the first content are held up to this size; then the stream is taken as begun. */
const MAX_HELD_BYTES = 65_536;

/** Reads the data of a provider's own error event. */
export type ReadErrorEvent = (data: string) => GatewayError;

/**
 * Reads a stream up to the model's first content, so that until then another deployment can take over.
 * @returns the same stream from its first byte on
 * @throws GatewayError when the stream fails or ends before
 */
export async function commitToStream(
  source: AsyncIterator<Uint8Array>,
  format: DialectFormat,
  end: StreamEnd,
  readError: ReadErrorEvent,
): Promise<AsyncIterableIterator<Uint8Array>> {
  const head: Uint8Array[] = [];
  let size = 0;
  let text = "";
  const decoder = new TextDecoder();
  for (;;) {
    const { done, value } = await source.next();
    if (done) throw failureOf(text, end, readError);
    text += decoder.decode(value, { stream: true });
    head.push(value);
    size += value.length;
    if (contentSigns[format].test(text) || size > MAX_HELD_BYTES) return new ResumedStream(head, source);
  }
}

/** The provider's own error where its event came through, else what the guard found. */
function failureOf(text: string, end: StreamEnd, readError: ReadErrorEvent): GatewayError {
  const error = end.outcome?.error;
  if (error === undefined || error.cause === undefined || error.status !== 502) return error ?? emptyStream();
  const data = text
    .split(/\r?\n\r?\n/)
    .map((frame) => parseSseFrame(frame)?.data ?? "")
    .find((candidate) => parseJsonObject(candidate)?.error !== undefined);
  return data === undefined ? error : readError(data);
}

function emptyStream(): GatewayError {
  return new GatewayError(502, "api_error", "The provider's stream ended before the answer began.");
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
