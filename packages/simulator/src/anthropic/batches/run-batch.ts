import { ApiFailure } from "../../http/api-failure.ts";
import { throwStatusFault } from "../../http/status-fault.ts";
import type { SimulatorState } from "../../state/simulator-state.ts";
import type { JsonObject } from "../../util/json.ts";
import { pause } from "../../util/pause.ts";
import { errorEnvelope } from "../error-envelope.ts";
import { messageCall } from "../messages/message-call.ts";
import type { PromptCache } from "../messages/prompt-cache.ts";
import type { BatchRequest, BatchResult, MessageBatch } from "./batch-record.ts";

const ROWS_PER_TURN = 100;

/** Runs a batch to its end. Ends early, without a trace, when the signal aborts. */
export async function runBatch(
  state: SimulatorState,
  cache: PromptCache,
  batch: MessageBatch,
  signal: AbortSignal,
): Promise<void> {
  const { batchValidatingMs, batchRunningMs, batchFinalizingMs } = state.settings;
  await pause(batchValidatingMs + batchRunningMs, signal);
  for (const [index, request] of batch.requests.entries()) {
    // Other requests get their turn while a long batch runs.
    if (index % ROWS_PER_TURN === 0) await pause(0, signal);
    batch.results.push(await answerRequest(state, cache, batch, request, signal));
  }
  await pause(batchFinalizingMs, signal);
  batch.status = "ended";
  batch.ended = state.clock();
}

async function answerRequest(
  state: SimulatorState,
  cache: PromptCache,
  batch: MessageBatch,
  { customId, params }: BatchRequest,
  signal: AbortSignal,
): Promise<BatchResult> {
  if (batch.cancelInitiated !== undefined) return { custom_id: customId, result: { type: "canceled" } };
  if (state.clock() >= batch.expires) return { custom_id: customId, result: { type: "expired" } };
  try {
    const seed = JSON.stringify(params);
    const call = messageCall(state, { ...params, stream: false }, { seed, cache, tier: "batch" });
    const behaviour = call.directives?.behaviour ?? {};
    if (behaviour.latencyMs !== undefined) await pause(behaviour.latencyMs, signal);
    throwStatusFault(behaviour);
    return { custom_id: customId, result: { type: "succeeded", message: call.json() } };
  } catch (error) {
    if (!(error instanceof ApiFailure)) throw error;
    const envelope: JsonObject = { ...errorEnvelope(error, state.ids.next("req_01")) };
    return { custom_id: customId, result: { type: "errored", error: envelope } };
  }
}
