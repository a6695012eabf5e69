import type { CallRecord } from "../../../contract/call-record.ts";
import { GatewayError } from "../../../contract/errors.ts";
import { asText, isJsonObject, type JsonObject } from "../../../contract/json.ts";
import { namedEvent } from "../../../formats/sse-event.ts";
import type { JournalEntry } from "../../../platform/journal/journal-store.ts";
import type { JournalWriter } from "../../../platform/journal/journal-writer.ts";
import type { ResponseState } from "../response-deps.ts";
import { completeJournal } from "./abandoned.ts";
import { type ShownIds, withShownIds } from "./issued-ids.ts";
import { type ResponseEvent, responseEvents, responseOf } from "./response-events.ts";
import { ALIVE_MS, answerText, endEvents, endStates, outputOf } from "./stored-row.ts";
import type { ResponseRow } from "./table.ts";

/** Why a recording was stopped whose caller did not come back; its response is incomplete then. */
export const CALLER_LEFT = new DOMException("The caller left", "AbortError");

/** What a recording belongs to. */
export interface Recording {
  readonly row: ResponseRow;
  readonly shown: ShownIds;
  /** The input that the response is made from. */
  readonly input: () => readonly JsonObject[];
}

/** An item of the output that is being written. */
interface OpenItem {
  readonly item: JsonObject;
  readonly index: unknown;
  text: string;
}

/** How a recorder learns whose stream it is. */
export interface RecorderOptions {
  readonly state: ResponseState;
  readonly call: CallRecord;
  /** Gives the response its id and its row, from its first event. */
  readonly begin: (response: JsonObject) => Promise<Recording>;
  /** Events that are in the journal already and are left out here. */
  readonly announced?: { readonly skip: string; readonly shift: number };
  /** Nobody wants the rest: what is recorded stays, without an end. */
  readonly stop: AbortController;
  /** The call's own, where it may be aborted otherwise: by a gateway that stops. */
  readonly signal?: AbortSignal;
  /** Ran after the response was kept whole. */
  readonly onKept: () => Promise<void>;
  /** Ran after a hook has refused what the response's provider keeps. */
  readonly onRefused?: (row: ResponseRow) => Promise<void>;
}

/**
 * Writes a response's stream into the journal, with our ids in it, and the finished response into the store. Its last
 * event goes out only when the response is kept.
 */
export class StreamRecorder {
  readonly #options: RecorderOptions;
  readonly #output = new Map<unknown, JsonObject>();
  readonly #open = new Map<unknown, OpenItem>();
  readonly #begun = Promise.withResolvers<string>();
  #recording: Recording | undefined;
  #writer: JournalWriter | undefined;
  #heartbeat: NodeJS.Timeout | undefined;
  #sequence = -1;

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.#begun.promise.catch(() => undefined);
  }

  /** The response's id, once its first event is there. */
  get begun(): Promise<string> {
    return this.#begun.promise;
  }

  /**
   * Reads the stream to its end.
   * @returns whether the response has ended; not, when it was stopped
   */
  async run(stream: AsyncIterable<Uint8Array>): Promise<boolean> {
    let failure: unknown;
    try {
      for await (const event of responseEvents(stream)) {
        if (this.#options.stop.signal.aborted) break;
        if (await this.#take(event)) return true;
      }
      return (await this.#leave()) || (await this.#breakOff());
    } catch (error) {
      if (await this.#leave()) return true;
      failure = error;
      throw error;
    } finally {
      clearInterval(this.#heartbeat);
      this.#begun.reject(
        failure ?? new GatewayError(500, "api_error", "The stream ended before its first event."),
      );
      await this.#writer?.close(failure);
    }
  }

  /** @returns whether the response has ended, because nobody waits for it any more */
  async #leave(): Promise<boolean> {
    if (this.#recording === undefined || this.#options.stop.signal.reason !== CALLER_LEFT) return false;
    const { row, shown } = this.#recording;
    for (const item of this.#open.values()) await this.#close(item);
    const type = "response.incomplete";
    const response = {
      ...withShownIds(JSON.parse(row.answer) as JsonObject, shown),
      status: "incomplete",
      incomplete_details: { reason: "caller_left" },
      output: [...this.#output.values()],
    };
    const sequence = this.#sequence + 1;
    const data = namedEvent(type, { type, sequence_number: sequence, response });
    await this.#finish({ type, body: { type }, frame: data }, response, {
      sequence,
      data,
      last: true,
    });
    return true;
  }

  /** A hook has ended the stream without its last event. @returns whether the response has ended by that */
  async #breakOff(): Promise<boolean> {
    const { call, stop, signal = stop.signal } = this.#options;
    if (this.#recording === undefined || signal.aborted) return false;
    const type = "error";
    const sequence = this.#sequence + 1;
    const message = "The stream was broken off.";
    const body = { type, code: "server_error", message, param: null, sequence_number: sequence };
    const data = namedEvent(type, body);
    call.refusal ??= new GatewayError(500, "api_error", message);
    await this.#finish({ type, body, frame: data }, undefined, { sequence, data, last: true });
    return true;
  }

  /** What there is of an item that nobody waits for. */
  async #close({ item, index, text }: OpenItem): Promise<void> {
    const type = "response.output_item.done";
    const content = item.type === "message" ? [{ type: "output_text", text, annotations: [] }] : item.content;
    const closed = { ...item, status: "incomplete", ...(content === undefined ? {} : { content }) };
    this.#output.set(index, closed);
    this.#sequence += 1;
    const body = { type, sequence_number: this.#sequence, output_index: index, item: closed };
    await this.#writer!.write({ sequence: this.#sequence, data: namedEvent(type, body), last: false });
  }

  #follow({ type, body }: ResponseEvent): void {
    const { output_index: index, item, delta } = body;
    if (type === "response.output_item.added" && isJsonObject(item))
      this.#open.set(index, { item, index, text: "" });
    else if (type === "response.output_item.done") this.#open.delete(index);
    else if (type === "response.output_text.delta" && typeof delta === "string") {
      const open = this.#open.get(index);
      if (open !== undefined) open.text += delta;
    }
  }

  async #take(event: ResponseEvent): Promise<boolean> {
    const response = responseOf(event);
    await this.#begin(event, response);
    const { announced } = this.#options;
    if (announced?.skip === event.type) return false;
    this.#follow(event);
    if (event.type === "response.output_item.done" && isJsonObject(event.body.item))
      this.#output.set(event.body.output_index, event.body.item);
    const sequence = this.#next(event.body, announced?.shift ?? 0);
    const { shown } = this.#recording!;
    // A hook that adds events leaves their numbers to the gateway.
    const isNumbered = event.body.sequence_number === sequence;
    const changed = response !== undefined || announced !== undefined || !isNumbered;
    const data = changed
      ? namedEvent(event.type, {
          ...event.body,
          sequence_number: sequence,
          ...(response === undefined ? {} : { response: withShownIds(response, shown) }),
        })
      : event.frame;
    const last = endEvents.has(event.type);
    const entry = { sequence, data, last };
    if (last) await this.#finish(event, response, entry);
    else await this.#writer!.write(entry);
    return last;
  }

  /** The event's number; an error from before the provider's numbers gets the next one. */
  #next(body: JsonObject, shift: number): number {
    const given = typeof body.sequence_number === "number" ? body.sequence_number + shift : -1;
    this.#sequence = Math.max(given, this.#sequence + 1);
    return this.#sequence;
  }

  async #begin(event: ResponseEvent, response: JsonObject | undefined): Promise<void> {
    if (this.#recording !== undefined) return;
    const { state, call, begin, stop } = this.#options;
    if (response === undefined)
      throw (
        call.refusal ?? new GatewayError(502, "api_error", `The provider's stream began with ${event.type}.`)
      );
    this.#recording = await begin(response);
    const { id } = this.#recording.row;
    this.#writer = state.journal.open(id);
    const renew = async (): Promise<void> => {
      const change = { alive_until: Date.now() + ALIVE_MS };
      if (!(await state.responses.update(id, change, endStates))) stop.abort();
    };
    this.#heartbeat = setInterval(() => void renew().catch(() => undefined), ALIVE_MS / 3);
    this.#begun.resolve(id);
  }

  /** One that was cancelled or deleted meanwhile has ended already. */
  async #finish(event: ResponseEvent, response: JsonObject | undefined, entry: JournalEntry): Promise<void> {
    await this.#writer!.flushed();
    const { row, shown, input } = this.#recording!;
    const ended = withShownIds(response ?? failedBy(event, row), shown);
    const { state, call, onKept, onRefused } = this.#options;
    const listed = outputOf(ended);
    // What a hook has refused nobody reads or continues, here or at its provider.
    const output = call.refusal !== undefined ? [] : listed.length > 0 ? listed : [...this.#output.values()];
    const isRefused = call.refusal !== undefined && row.provider_id !== null;
    const changed = {
      ...row,
      status: asText(ended.status),
      answer: answerText(ended),
      ...(isRefused ? { provider_id: null } : {}),
    };
    const items = { input: input(), output };
    if (!(await state.responses.finish(changed, items, endStates, entry))) return;
    this.#writer!.announce(entry);
    if (isRefused) await onRefused?.(row);
    await onKept();
  }
}

/** The response after an `error` event, which carries none. */
function failedBy({ body }: ResponseEvent, row: ResponseRow): JsonObject {
  const error = { code: body.code ?? "server_error", message: body.message ?? "The response failed." };
  return { ...(JSON.parse(row.answer) as JsonObject), status: "failed", error };
}

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
