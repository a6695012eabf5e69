interface Read {
  readonly generation: number;
  readonly answer: Promise<unknown>;
}

/**
 * Reads that are on their way. After each change everything is read anew, by all calls that come at that moment: what a
 * hundred of them want is asked once, or a database that is slow had work for minutes.
 */
export class JoinedReads {
  readonly #running = new Map<unknown, Read>();

  /**
   * @param generation what began before a change is nobody's answer after it
   * @param name of what is read
   */
  async join<T>(generation: number, name: unknown, read: () => Promise<T>): Promise<T> {
    const running = this.#running.get(name);
    if (running?.generation === generation) return running.answer as Promise<T>;
    const answer = read();
    const mine = { generation, answer };
    this.#running.set(name, mine);
    try {
      return await answer;
    } finally {
      if (this.#running.get(name) === mine) this.#running.delete(name);
    }
  }
}
