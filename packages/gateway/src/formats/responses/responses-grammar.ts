import type { StreamGrammar } from "../../contract/dialect.ts";
import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import type { Usage } from "../../contract/usage.ts";
import { SimilarJson } from "../similar-json.ts";
import { readResponsesUsage } from "../usage.ts";

const BEGINNINGS: ReadonlySet<unknown> = new Set([
  "response.created",
  "response.queued",
  "response.in_progress",
]);
const endings: ReadonlySet<unknown> = new Set(["response.completed", "response.incomplete"]);
const failures: ReadonlySet<unknown> = new Set(["response.failed", "response.cancelled", "error"]);

/**
 * The order of a Responses stream: numbers that rise by one, `response.created` first (a stream that is taken up again
 * starts later), items added in order and open while events speak of them, one id, one terminal event.
 */
export class ResponsesGrammar implements StreamGrammar {
  isComplete = false;
  failed = false;
  hasContent = false;
  outputCharacters = 0;
  serviceTier: unknown;
  readonly #json = new SimilarJson();
  readonly #openItems = new Set<unknown>();
  #sequence: number | undefined;
  #nextItem = 0;
  #resumed = false;
  #id: unknown;
  #usage: Usage | undefined;

  usage(): Usage | undefined {
    return this.#usage;
  }

  get nextSequenceNumber(): number {
    return this.#sequence ?? 0;
  }

  accept(event: string | undefined, data: string): string | undefined {
    if (this.isComplete || this.failed) return "an event came after the end";
    const body = this.#json.parse(data);
    return body === undefined ? "an event's data is not a JSON object" : this.check(event, body);
  }

  check(event: string | undefined, body: JsonObject): string | undefined {
    if (this.isComplete || this.failed) return "an event came after the end";
    if (event !== undefined && event !== body.type) return "an event's name and its data's type differ";
    const wrong = this.#checkNumber(body) ?? this.#checkResponse(body) ?? this.#checkItem(body);
    if (wrong !== undefined) return wrong;
    if (typeof body.delta === "string") this.outputCharacters += body.delta.length;
    if (typeof body.type === "string" && body.type.startsWith("response.") && !BEGINNINGS.has(body.type))
      this.hasContent = true;
    if (endings.has(body.type)) {
      if (this.#openItems.size > 0) return "the response ended while an item was open";
      if (!endsSo(body)) return "the response that ended has another status than its event";
      this.isComplete = true;
    }
    if (failures.has(body.type)) this.failed = true;
    return undefined;
  }

  #checkNumber(body: JsonObject): string | undefined {
    const number = body.sequence_number;
    // An error may come from before the stream's numbers begin.
    if (body.type === "error" && typeof number !== "number") return undefined;
    if (typeof number !== "number") return "an event has no sequence_number";
    if (this.#sequence === undefined) {
      this.#resumed = number > 0;
      if (!this.#resumed && body.type !== "response.created" && body.type !== "error") {
        return "the stream does not begin with response.created";
      }
    } else if (number !== this.#sequence) {
      return `expected sequence_number ${this.#sequence}`;
    }
    this.#sequence = number + 1;
    return undefined;
  }

  #checkResponse(body: JsonObject): string | undefined {
    if (!isJsonObject(body.response)) return undefined;
    const { id, usage, service_tier: tier } = body.response;
    this.#id ??= id;
    if (this.#id !== id) return "the response's id changed within the stream";
    this.serviceTier = tier ?? this.serviceTier;
    if (isJsonObject(usage)) this.#usage = readResponsesUsage(usage, this.serviceTier);
    return undefined;
  }

  #checkItem(body: JsonObject): string | undefined {
    const index = body.output_index;
    if (typeof index !== "number") return undefined;
    if (body.type === "response.output_item.added") {
      if (index !== this.#nextItem && !this.#resumed) return `expected output item ${this.#nextItem}`;
      this.#nextItem = index + 1;
      this.#openItems.add(index);
      return undefined;
    }
    if (!this.#openItems.has(index) && !this.#resumed) return "an event came for an item that is not open";
    if (body.type === "response.output_item.done") this.#openItems.delete(index);
    return undefined;
  }
}

/** Whether the last event's response says the same as the event; clients look at either. Some hosts leave the status out. */
function endsSo({ type, response }: JsonObject): boolean {
  if (!isJsonObject(response)) return false;
  return response.status === undefined || type === `response.${response.status}`;
}
