import { toGatewayError } from "../../contract/errors.ts";
import type { DialectFormat } from "../../formats/registry.ts";
import { SseSplitter } from "../../formats/sse-splitter.ts";
import type { CallHooks } from "../hooks/hook-runner.ts";
import type { StreamAnswer } from "./answer.ts";
import type { PreparedCall } from "./prepare-call.ts";
import type { Settlement } from "./settlement.ts";

/**
 * A stream as the hooks leave it. They get one whole event at a time, so that it makes no difference to them how a provider
 * sends its events. A hook that fails in the middle ends the stream as a broken one, in the dialect's error event. What may
 * be the stream's end is held until the hook has let all of it pass.
 */
export async function* hookedStream(
  { deps, call, hookContext }: PreparedCall,
  answer: StreamAnswer,
  settlement: Settlement,
  postCallStream: NonNullable<CallHooks["postCallStream"]>,
): AsyncGenerator<Uint8Array> {
  const { stream, progress } = answer;
  const isTold = (): boolean => progress.outcome !== undefined;
  const events = new EventByEvent(call.view?.stream(stream) ?? stream, isTold);
  const mayBeLast = (): boolean => isTold() && !events.hasMore;
  let held: Uint8Array | undefined;
  let lastNumber = -1;
  const passed = (chunk: Uint8Array): Uint8Array => {
    if (call.format === "responses") lastNumber = lastSequenceNumber(chunk) ?? lastNumber;
    return chunk;
  };
  try {
    for await (const chunk of postCallStream(hookContext, events)) {
      if (held !== undefined) yield passed(held);
      held = undefined;
      if (mayBeLast()) held = chunk;
      else yield passed(chunk);
    }
    await settlement.streamPassed();
    if (held !== undefined) yield held;
  } catch (thrown) {
    const error = toGatewayError(thrown);
    settlement.streamRefused(error);
    call.record.refusal ??= error;
    await settlement.streamPassed();
    yield Buffer.from(deps.dialectOf(call.format as DialectFormat).errorEvent(error, lastNumber + 1));
  } finally {
    // Whoever takes back what no one gets has to know what it is.
    if (call.view !== undefined) await events.begin();
    await events.close();
    // A view from which nothing was read does not pass it on.
    await stream.return?.();
    await settlement.streamPassed();
  }
}

/** The events of a stream one by one. A hook that leaves its loop first does not end what they are read from. */
class EventByEvent implements AsyncIterable<Uint8Array>, AsyncIterator<Uint8Array> {
  readonly #source: AsyncIterator<Uint8Array>;
  readonly #isTold: () => boolean;
  readonly #splitter = new SseSplitter();
  #events: Uint8Array[] = [];
  #isOver = false;
  #hasBegun = false;

  /** @param isTold whether the provider's end is known: then the rest is there, and one event is read ahead */
  constructor(source: AsyncIterable<Uint8Array>, isTold: () => boolean) {
    this.#source = source[Symbol.asyncIterator]();
    this.#isTold = isTold;
  }

  /** Whether an event is there that nobody has asked for yet. */
  get hasMore(): boolean {
    return this.#events.length > 0;
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return this;
  }

  async next(): Promise<IteratorResult<Uint8Array>> {
    await this.#fill();
    const value = this.#events.shift();
    if (value === undefined) return { done: true, value };
    if (this.#isTold()) await this.#fill();
    return { done: false, value };
  }

  /** Reads the first event, where nobody has. */
  async begin(): Promise<void> {
    if (!this.#hasBegun) await this.#fill().catch(() => undefined);
  }

  async #fill(): Promise<void> {
    this.#hasBegun = true;
    while (this.#events.length === 0 && !this.#isOver) {
      const { done, value } = await this.#source.next().catch((broken: unknown) => {
        throw toGatewayError(broken);
      });
      this.#isOver = done === true;
      const rest = this.#isOver ? this.#splitter.rest() : undefined;
      this.#events = rest === undefined ? this.#splitter.push(value) : rest.length > 0 ? [rest] : [];
    }
  }

  /** The stream must not be taken for one that its caller left. */
  async return(): Promise<IteratorResult<Uint8Array>> {
    return { done: true, value: undefined };
  }

  async close(): Promise<void> {
    await this.#source.return?.();
  }
}

/** The number of the last event in a chunk of a format that numbers them; inside of texts quotes are escaped. */
function lastSequenceNumber(chunk: Uint8Array): number | undefined {
  const found = [
    ...Buffer.from(chunk)
      .toString("latin1")
      .matchAll(/"sequence_number":\s*(\d+)/g),
  ].at(-1)?.[1];
  return found === undefined ? undefined : Number(found);
}
