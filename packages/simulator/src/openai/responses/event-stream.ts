import { namedEvent } from "../../http/sse.ts";
import type { Clock } from "../../util/clock.ts";
import { responseEvents } from "./response-events.ts";
import type { ResponseRecord } from "./response-record.ts";

const POLL_MS = 10;

/**
 * A response's events as text. A background response's come as it gets on; it ends early when cancelled.
 * @param after sends only events with a greater sequence number
 */
export function responseStream(
  record: ResponseRecord,
  clock: Clock,
  after = -1,
): Iterable<string> | AsyncIterable<string> {
  return record.queuedMs + record.runningMs === 0 ? immediate(record, after) : timed(record, clock, after);
}

function* immediate(record: ResponseRecord, after: number): Generator<string> {
  for (const { data } of responseEvents(record)) if (data.sequence_number > after) yield namedEvent(data);
}

async function* timed(record: ResponseRecord, clock: Clock, after: number): AsyncGenerator<string> {
  const running = record.createdMs + record.queuedMs;
  const due = { queued: record.createdMs, in_progress: running, ended: running + record.runningMs };
  for (const { phase, data } of responseEvents(record)) {
    while (clock() < due[phase] && record.cancelledMs === undefined) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    if (record.cancelledMs !== undefined && due[phase] > record.cancelledMs) return;
    if (data.sequence_number > after) yield namedEvent(data);
  }
}
