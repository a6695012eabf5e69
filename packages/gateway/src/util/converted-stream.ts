/**
 * What becomes of each chunk of a stream; a chunk of which nothing becomes is passed over. A generator that loops over the chunks
 * would keep the last one while it waits for the next, and with it the 64 KiB of memory that Node cuts chunks from; this does not.
 */
export class ConvertedStream<T> implements AsyncIterableIterator<T> {
  readonly #source: AsyncIterator<Uint8Array>;
  readonly #convert: (chunk: Uint8Array) => T | undefined;

  /** @param convert where it throws, the source is left and the reader gets what it threw */
  constructor(source: AsyncIterable<Uint8Array>, convert: (chunk: Uint8Array) => T | undefined) {
    this.#source = source[Symbol.asyncIterator]();
    this.#convert = convert;
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<T> {
    return this;
  }

  async next(): Promise<IteratorResult<T>> {
    for (;;) {
      const read = await this.#source.next();
      if (read.done === true) return { done: true, value: undefined };
      let value: T | undefined;
      try {
        value = this.#convert(read.value);
      } catch (error) {
        await this.#source.return?.();
        throw error;
      }
      if (value !== undefined) return { done: false, value };
    }
  }

  async return(): Promise<IteratorResult<T>> {
    await this.#source.return?.();
    return { done: true, value: undefined };
  }
}
