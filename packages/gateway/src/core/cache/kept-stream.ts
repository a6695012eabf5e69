import type { Dialect, StreamGrammar } from "../../contract/dialect.ts";
import type { Usage } from "../../contract/usage.ts";
import { eventsIn } from "../../formats/replay.ts";
import type { StreamAnswer } from "../call/answer.ts";
import { MAX_ENTRY_CHARACTERS } from "./entry.ts";

/** Told of a stream that has ended as its format wants it. */
type OnComplete = (text: string, usage: Usage | undefined) => void;

/** How a stream of Responses ends that has an answer; others end in the same way with a failure. */
const COMPLETED = '"response.completed"';

/** Passes a stream on and remembers it; only what came to its proper end is told. */
export class KeptStream implements AsyncIterableIterator<Uint8Array> {
  readonly #answer: StreamAnswer;
  readonly #dialect: Dialect;
  readonly #onComplete: OnComplete;
  #chunks: Uint8Array[] | undefined = [];
  #size = 0;

  constructor(answer: StreamAnswer, dialect: Dialect, onComplete: OnComplete) {
    this.#answer = answer;
    this.#dialect = dialect;
    this.#onComplete = onComplete;
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<Uint8Array> {
    return this;
  }

  async next(): Promise<IteratorResult<Uint8Array>> {
    const read = await this.#answer.stream.next();
    if (read.done === true) this.#end();
    else if (this.#chunks !== undefined) {
      this.#size += read.value.length;
      if (this.#size > MAX_ENTRY_CHARACTERS) this.#chunks = undefined;
      // The reader may use the chunk's memory again.
      else this.#chunks.push(Uint8Array.from(read.value));
    }
    return read;
  }

  async return(): Promise<IteratorResult<Uint8Array>> {
    // Some readers know the last event, and leave with it.
    this.#end();
    await this.#answer.stream.return?.();
    return { done: true, value: undefined };
  }

  #end(): void {
    const chunks = this.#chunks;
    this.#chunks = undefined;
    const { outcome } = this.#answer.progress;
    if (chunks === undefined || outcome?.status !== "complete") return;
    const text = Buffer.concat(chunks).toString("utf8");
    if (this.#dialect.format === "responses" && !text.includes(COMPLETED)) return;
    if (isWholeStream(text, this.#dialect.grammar())) this.#onComplete(text, outcome.usage);
  }
}

/** A reader may leave between the news of the end and the last event. */
function isWholeStream(text: string, grammar: StreamGrammar): boolean {
  const isValid = eventsIn(text).every(({ event, data }) => grammar.accept(event, data) === undefined);
  return isValid && grammar.isComplete && !grammar.failed;
}
