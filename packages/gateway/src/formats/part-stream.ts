import type { LanguageModelV3StreamPart } from "@ai-sdk/provider";

/** Parts that are there at the same time, as many as a chunk of the provider's stream makes. */
export type PartBatch = readonly LanguageModelV3StreamPart[];

/**
 * Parts as the neutral model's stream. A batch is made when the reader asks for it; a reader that cancels ends the
 * generator and so the upstream call. Whoever knows the class takes the batches themselves: a promise for each of them
 * and not several for each part.
 */
export class PartStream extends ReadableStream<LanguageModelV3StreamPart> {
  readonly batches: AsyncIterator<PartBatch>;

  constructor(batches: AsyncGenerator<PartBatch>) {
    super(
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
    this.batches = batches;
  }
}

/** A stream's parts as they come; of a library's stream one by one. Leaving them cancels the stream. */
export function batchesOf(stream: ReadableStream<LanguageModelV3StreamPart>): AsyncIterator<PartBatch> {
  if (stream instanceof PartStream) return stream.batches;
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
