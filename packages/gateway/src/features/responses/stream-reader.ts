import { completeJournal } from "./abandoned.ts";
import type { ResponseState } from "./response-deps.ts";

/** Sends the journal of a response, from any event on, while it is written or afterwards, on any replica. */
export class StreamReader {
  readonly #state: ResponseState;

  constructor(state: ResponseState) {
    this.#state = state;
  }

  /** Whether there is a journal. */
  async has(id: string): Promise<boolean> {
    return (await this.#state.journal.lastEntry(id)) !== undefined;
  }

  /** @param after number of the last event that the caller has; -1 for none */
  async *follow(id: string, after: number, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    const isOver = (): Promise<boolean> => completeJournal(this.#state, id);
    for await (const data of this.#state.journal.follow(id, { after, signal, isOver }))
      yield Buffer.from(data);
  }
}
