import { asText, type JsonObject } from "../../../contract/json.ts";
import type { AnswerView } from "../../../core/call/model-call.ts";
import { type IssuedId, type ShownIds, withShownIds } from "./issued-ids.ts";
import { withResponse, withResponses } from "./response-events.ts";

/** The ids of one response. */
export interface AnswerIds {
  readonly issued: IssuedId;
  readonly shown: ShownIds;
}

/**
 * Gives an answer the ids that its caller knows. They are issued once, by the first who sees the answer: where a stream is
 * written here, as it is written, and for each attempt anew.
 */
export class AnswerNames implements AnswerView {
  readonly #issue: (answerId: string) => AnswerIds;
  #ids: AnswerIds | undefined;
  #last: JsonObject | undefined;
  /** Whether the ids were issued to a stream that is written here. */
  #isWritten = false;

  /** @param issue called with the id in the answer */
  constructor(issue: (answerId: string) => AnswerIds) {
    this.#issue = issue;
  }

  /** The id at its provider, where that keeps the answer, and the last that was seen of it. */
  get atProvider(): { readonly id: string; readonly last: JsonObject } | undefined {
    const id = this.#ids?.issued.providerId;
    return id === undefined || this.#last === undefined ? undefined : { id, last: this.#last };
  }

  idsOf(response: JsonObject): AnswerIds {
    this.#last = response;
    this.#ids ??= this.#issue(asText(response.id));
    return this.#ids;
  }

  answer(response: JsonObject): JsonObject {
    return withShownIds(response, this.idsOf(response).shown);
  }

  /** Whether the answer is a stream that has the ids already. */
  get areWritten(): boolean {
    return this.#isWritten;
  }

  begin(): void {
    this.#isWritten = false;
    this.#ids = undefined;
  }

  writer(): (response: JsonObject) => JsonObject {
    this.#isWritten = true;
    return (response) => this.answer(response);
  }

  stream(stream: AsyncIterable<Uint8Array>): AsyncIterableIterator<Uint8Array> {
    return withResponses(stream, (event, response) => withResponse(event, this.answer(response)));
  }
}
