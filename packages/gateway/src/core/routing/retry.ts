import type { GatewayError } from "../../contract/errors.ts";

/** Seconds; waits grow from the first to the last. */
const FIRST_WAIT = 0.5;
const MAX_WAIT = 8;
/** A provider that asks for more patience than this is not waited for. */
const MAX_RETRY_AFTER = 60;

/**
 * Seconds to wait before the next try at a deployment that has just failed: what the provider asked for, else
 * exponentially more with each try and a quarter of jitter.
 * @param tries how many have failed so far, from 1
 * @returns `undefined` when waiting that long makes no sense
 */
export function retryWait(
  error: GatewayError,
  tries: number,
  leastSeconds: number,
  random: () => number,
): number | undefined {
  if (error.retryAfter !== undefined && error.retryAfter > MAX_RETRY_AFTER) return undefined;
  const backoff = Math.min(MAX_WAIT, FIRST_WAIT * 2 ** (tries - 1)) * (1 - 0.25 * random());
  return Math.max(error.retryAfter ?? backoff, leastSeconds);
}
