import type { JsonObject } from "../../util/json.ts";
import { itemEvents } from "./item-events.ts";
import { responseObject } from "./response-object.ts";
import { finalStatus, type ResponseRecord, type ResponseStatus } from "./response-record.ts";

/** One event with the status a response must have reached before it is sent. */
export interface ResponseEvent {
  readonly phase: "queued" | "in_progress" | "ended";
  readonly data: JsonObject & { readonly type: string; readonly sequence_number: number };
}

/** All events of a response in order, numbered from 0; the same each time they are asked for. */
export function* responseEvents(record: ResponseRecord): Generator<ResponseEvent> {
  let sequence = 0;
  const event = (phase: ResponseEvent["phase"], type: string, members: JsonObject): ResponseEvent => {
    const data = { type, ...members, sequence_number: sequence };
    sequence += 1;
    return { phase, data };
  };
  const whole = (status: ResponseStatus): JsonObject => ({ response: responseObject(record, status) });
  const queues = record.request.background === true;
  yield event("queued", "response.created", whole(queues ? "queued" : "in_progress"));
  if (queues) yield event("queued", "response.queued", whole("queued"));
  yield event("in_progress", "response.in_progress", whole("in_progress"));
  if (!record.fails) {
    for (const [index, item] of record.output.entries()) {
      for (const { type, ...members } of itemEvents(item, index)) yield event("in_progress", type, members);
    }
  }
  const status = finalStatus(record);
  yield event("ended", `response.${status}`, whole(status));
}
