import { setTimeout as sleep } from "node:timers/promises";
import { checkQuery } from "../../contract/check.ts";
import type { Exchange } from "../../contract/exchange.ts";
import type { JsonObject } from "../../contract/json.ts";
import { waitQuery } from "./schema.ts";

/** Reads a batch anew, and waits until that may be worth it. */
export interface FollowedBatch {
  read(): Promise<JsonObject>;
  /** Resolves at a change, or after at most so many milliseconds. */
  changed(ms: number): Promise<void>;
}

const over: ReadonlySet<unknown> = new Set(["completed", "failed", "expired", "cancelled"]);
const LOOK_EVERY = 500;
const HEARTBEAT = 15_000;

/**
 * Seconds that a caller wants to wait for a batch's end.
 * @throws GatewayError 400
 */
export function waitSeconds({ query }: Exchange): number {
  return checkQuery(waitQuery, query).wait ?? 0;
}

/** Whether the caller wants progress as server-sent events. */
export function wantsEvents({ headers }: Exchange): boolean {
  return headers.accept?.includes("text/event-stream") ?? false;
}

/** The batch as soon as it is over, else as it is when the time is up. */
export async function untilOver(
  batch: FollowedBatch,
  seconds: number,
  signal: AbortSignal,
): Promise<JsonObject> {
  const deadline = performance.now() + seconds * 1000;
  for (;;) {
    const current = await batch.read();
    const left = deadline - performance.now();
    if (over.has(current.status) || left <= 0 || signal.aborted) return current;
    await batch.changed(Math.min(LOOK_EVERY, left));
  }
}

/** An event for each change, named by the status, until the batch is over. */
export async function* progressEvents(
  batch: FollowedBatch,
  first: JsonObject,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let shown = "";
  let saidAt = performance.now();
  for (let current = first; ; current = await batch.read()) {
    const text = JSON.stringify(current);
    if (text !== shown) {
      shown = text;
      saidAt = performance.now();
      yield Buffer.from(`event: batch.${current.status}\ndata: ${text}\n\n`);
    } else if (performance.now() - saidAt > HEARTBEAT) {
      saidAt = performance.now();
      yield Buffer.from(": still there\n\n");
    }
    if (over.has(current.status) || signal.aborted) return;
    await batch.changed(LOOK_EVERY);
  }
}

/** For batches at a provider, which can only be asked. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}
