import type { LanguageModelV3StreamPart } from "@ai-sdk/provider";
import type {
  AnswerContext,
  Dialect,
  EventCheck,
  StreamEncoder,
  StreamGrammar,
} from "../contract/dialect.ts";
import type { GatewayError } from "../contract/errors.ts";
import {
  brokenGrammar,
  type StreamListener,
  type StreamOutcome,
  streamError,
  truncatedStream,
} from "./stream-outcome.ts";

/**
 * Neutral stream parts as the dialect's bytes, those together that come together. What the encoder writes passes the same
 * grammar as native streams; a part that reports an error, a source that breaks and an end without `finish` all end in
 * the dialect's error event. One batch of parts is read at a time; a reader that leaves cancels the source.
 * @param opened resolves when the caller is to hear that the answer has begun, though nothing of it has come
 */
export async function* encodeNeutral(
  stream: ReadableStream<LanguageModelV3StreamPart>,
  dialect: Dialect,
  context: AnswerContext,
  listener: StreamListener = {},
  opened?: Promise<unknown>,
): AsyncGenerator<Uint8Array> {
  const check = new EncodedCheck(dialect.grammar(), listener);
  const encoder = dialect.encoder(context, check.accept);
  const batches = batchesOf(stream);
  let error: GatewayError | undefined;
  let told = false;
  const tell = (status: StreamOutcome["status"]): Promise<void> | undefined => {
    if (told) return undefined;
    told = true;
    const { outputCharacters } = check.grammar;
    return listener.onEnd?.({ status, error, usage: encoder.usage(), outputCharacters });
  };
  const next = async (): Promise<string | undefined> => {
    try {
      const { value, done } = await batches.next();
      if (done === true) return undefined;
      const { text, failure } = encodeBatch(value, encoder, check.grammar, context);
      error = failure;
      return text;
    } catch (failure) {
      error = streamError(failure, context.readable);
      return undefined;
    }
  };
  try {
    for (let opening = opened?.then(() => OPENED); error === undefined; ) {
      const reading = next();
      if (opening !== undefined && (await Promise.race([reading, opening])) === OPENED) {
        opening = undefined;
        const begun = encoder.begin();
        if (begun !== "") yield Buffer.from(begun);
      }
      let text = await reading;
      if (text === undefined) break;
      if (check.grammar.isComplete) await tell("complete");
      if (text !== "") {
        opening = undefined;
        yield Buffer.from(text);
        // A function that waits keeps its variables; the first text of a response has its instructions and tools in it, twice.
        text = undefined;
      }
      if (check.grammar.isComplete) break;
    }
    if (!check.grammar.isComplete) {
      error ??= truncatedStream();
      const last = encoder.fail(error);
      await tell("failed");
      yield Buffer.from(last);
    }
  } finally {
    await batches.return?.().catch(() => undefined);
    await tell("cancelled");
  }
}

/** Stands for no text. */
const OPENED = Symbol("opened");

/** Wire text of parts, possibly empty, up to the answer's end or to what was wrong. */
function encodeBatch(
  parts: PartBatch,
  encoder: StreamEncoder,
  grammar: StreamGrammar,
  { readable }: AnswerContext,
): { readonly text: string; readonly failure?: GatewayError } {
  let text = "";
  try {
    for (const part of parts) {
      if (part.type === "error") throw part.error;
      text += encoder.push(part);
      if (grammar.isComplete) break;
    }
  } catch (failure) {
    return { text, failure: streamError(failure, readable) };
  }
  return { text };
}

/** Holds what the encoder writes against the grammar. It is checked as it is before it is text, which need not be parsed then. */
class EncodedCheck {
  readonly grammar: StreamGrammar;
  readonly #listener: StreamListener;
  #contentTold = false;

  constructor(grammar: StreamGrammar, listener: StreamListener) {
    this.grammar = grammar;
    this.#listener = listener;
  }

  readonly accept: EventCheck = (event, data) => {
    const { grammar } = this;
    const wrong = typeof data === "string" ? grammar.accept(event, data) : grammar.check(event, data);
    if (wrong !== undefined) throw brokenGrammar(wrong);
    if (this.#contentTold || !grammar.hasContent) return;
    this.#contentTold = true;
    this.#listener.onContent?.();
  };
}

/** Parts that are there at the same time, as many as a chunk of the provider's stream makes. */
export type PartBatch = readonly LanguageModelV3StreamPart[];

/** The batches of the streams that `partStream` made. */
const batchesIn = new WeakMap<ReadableStream<LanguageModelV3StreamPart>, AsyncIterator<PartBatch>>();

/**
 * Parts as the neutral model's stream. A batch is made when the reader asks for it; a reader that cancels ends the
 * generator and so the upstream call. `encodeNeutral` takes the batches themselves: a promise for each of them and not
 * several for each part.
 */
export function partStream(batches: AsyncGenerator<PartBatch>): ReadableStream<LanguageModelV3StreamPart> {
  const stream = new ReadableStream<LanguageModelV3StreamPart>(
    {
      async pull(controller) {
        for (;;) {
          const { value, done } = await batches.next();
          if (done) {
            controller.close();
            return;
          }
          for (const part of value) controller.enqueue(part);
          if (value.length > 0) return;
        }
      },
      async cancel() {
        await batches.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
  batchesIn.set(stream, batches);
  return stream;
}

/** A stream's parts as they come; of a library's stream one by one. Leaving them cancels the stream. */
function batchesOf(stream: ReadableStream<LanguageModelV3StreamPart>): AsyncIterator<PartBatch> {
  const batches = batchesIn.get(stream);
  if (batches !== undefined) return batches;
  const reader = stream.getReader();
  return {
    async next() {
      const { value, done } = await reader.read();
      return done ? { done, value } : { done, value: [value] };
    },
    async return() {
      await reader.cancel();
      return { done: true, value: undefined };
    },
  };
}

/** Parts that a provider's reader makes one by one. */
export async function* singly(parts: AsyncIterable<LanguageModelV3StreamPart>): AsyncGenerator<PartBatch> {
  for await (const part of parts) yield [part];
}

/**
 * Reads what came together. Parts before a failure count: it is thrown when they have gone out.
 * @param read adds an item's parts; false when nothing follows
 */
export function readBatch<T>(
  items: readonly T[],
  read: (item: T, parts: LanguageModelV3StreamPart[]) => boolean,
): { readonly parts: PartBatch; readonly isLast: boolean; readonly failure?: unknown } {
  const parts: LanguageModelV3StreamPart[] = [];
  try {
    for (const item of items) if (!read(item, parts)) return { parts, isLast: true };
  } catch (failure) {
    return { parts, isLast: true, failure };
  }
  return { parts, isLast: false };
}
