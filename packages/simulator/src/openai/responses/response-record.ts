import type { Answer } from "../../answers/answer.ts";
import type { JsonObject } from "../../util/json.ts";

/** A response as it was asked for and will be answered; everything shown of it follows from this. */
export interface ResponseRecord {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly createdMs: number;
  readonly request: JsonObject;
  readonly model: string;
  readonly serviceTier: string;
  readonly answer: Answer;
  /** The items this request added, with ids. */
  readonly input: readonly JsonObject[];
  /** The finished output items. */
  readonly output: readonly JsonObject[];
  /** The response this one continues. */
  readonly previous: ResponseRecord | undefined;
  readonly conversationId: string | undefined;
  /** A directive asked for a response that fails. */
  readonly fails: boolean;
  /** Milliseconds that a background response is queued, then in progress; zero in the foreground. */
  readonly queuedMs: number;
  readonly runningMs: number;
  /** Time of cancellation in milliseconds. */
  cancelledMs: number | undefined;
}

/** Status of a response. */
export type ResponseStatus = "queued" | "in_progress" | "completed" | "incomplete" | "failed" | "cancelled";

/** The status a response ends in when nobody cancels it. */
export function finalStatus(record: ResponseRecord): ResponseStatus {
  if (record.fails) return "failed";
  return record.answer.end === "length" ? "incomplete" : "completed";
}

/** The status at a time in milliseconds. */
export function statusAt(record: ResponseRecord, now: number): ResponseStatus {
  if (record.cancelledMs !== undefined) return "cancelled";
  const age = now - record.createdMs;
  if (age < record.queuedMs) return "queued";
  return age < record.queuedMs + record.runningMs ? "in_progress" : finalStatus(record);
}

/** All items a response was made from and made, the responses before it included, oldest first. */
export function itemsThrough(record: ResponseRecord | undefined): JsonObject[] {
  const items: JsonObject[][] = [];
  for (let at = record; at !== undefined; at = at.previous) items.push([...at.input, ...at.output]);
  return items.toReversed().flat();
}
