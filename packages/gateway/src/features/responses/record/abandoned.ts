import type { JsonObject } from "../../../contract/json.ts";
import { namedEvent } from "../../../formats/sse-event.ts";
import type { ResponseState } from "../response-deps.ts";
import { answerText, endStates, hasEnded, responseOfRow } from "./stored-row.ts";
import type { ResponseRow } from "./table.ts";

/**
 * The row of a response whose writer may have died: one that nobody works on any more has failed.
 * @returns the row as it stands now; undefined when it was deleted
 */
export async function settleAbandoned(state: ResponseState, id: string): Promise<ResponseRow | undefined> {
  const row = await state.responses.find(id);
  if (row === undefined || hasEnded(row.status)) return row;
  const isWaiting = row.job !== null || row.alive_until === null;
  if (isWaiting || row.alive_until! > Date.now()) return row;
  const message = "The gateway stopped before the answer was complete.";
  const response: JsonObject = {
    ...(JSON.parse(row.answer) as JsonObject),
    status: "failed",
    error: { code: "server_error", message },
  };
  const failed = { ...row, status: "failed", answer: answerText(response) };
  await state.responses.finish(failed, { input: [], output: [] }, endStates);
  return state.responses.find(id);
}

/** Writes the last event of a response that has ended where its stream lacks one. @returns whether it has ended */
export async function completeJournal(state: ResponseState, id: string): Promise<boolean> {
  const row = await settleAbandoned(state, id);
  if (row === undefined) return true;
  if (!hasEnded(row.status)) return false;
  const before = await state.journal.lastEntry(id);
  if (before?.last === true) return true;
  const sequence = (before?.sequence ?? -1) + 1;
  const response = responseOfRow(row, await state.responses.items(id, "output"));
  // The field has no event for a cancelled response; its status tells.
  const type = `response.${row.status === "cancelled" ? "failed" : row.status}`;
  const data = namedEvent(type, { type, sequence_number: sequence, response });
  await state.journal.append(id, [{ sequence, data, last: true }]);
  return true;
}
