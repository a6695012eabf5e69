import type { IncomingHttpHeaders } from "node:http";

/** What a caller may decide about one call by headers. */
export interface Steering {
  /** Seconds for the whole call. */
  readonly timeout: number | undefined;
  /** Seconds until the first byte of a stream. */
  readonly streamTimeout: number | undefined;
  readonly numRetries: number | undefined;
}

const longestTimeout = 6000;
const mostRetries = 10;

/**
 * Reads `x-portico-timeout`, `-stream-timeout` and `-num-retries`, or the same under `x-litellm-`. Values that are not
 * numbers are ignored, as headers of other software are; numbers are held within bounds.
 */
export function readSteering(headers: IncomingHttpHeaders): Steering {
  const retries = numberOf(headers, "num-retries");
  return {
    timeout: seconds(numberOf(headers, "timeout")),
    streamTimeout: seconds(numberOf(headers, "stream-timeout")),
    numRetries: retries === undefined ? undefined : Math.min(mostRetries, Math.floor(retries)),
  };
}

function numberOf(headers: IncomingHttpHeaders, name: string): number | undefined {
  const value = headers[`x-portico-${name}`] ?? headers[`x-litellm-${name}`];
  if (typeof value !== "string" || value.trim() === "") return undefined;
  const number = Number(value);
  return Number.isFinite(number) && number >= 0 ? number : undefined;
}

function seconds(value: number | undefined): number | undefined {
  return value === undefined || value === 0 ? undefined : Math.min(longestTimeout, value);
}
