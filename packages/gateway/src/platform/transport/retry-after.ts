type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Longer waits are taken for this one, so that a provider cannot park a deployment for good. */
const MAX_SECONDS = 3600;

/**
 * Seconds that an answer asks to wait before another try: `retry-after-ms`, or `retry-after` as seconds or as an HTTP
 * date (RFC 9110 §10.2.3).
 */
export function retryAfterSeconds(headers: Headers, now: number): number | undefined {
  const milliseconds = Number.parseFloat(single(headers["retry-after-ms"]) ?? "");
  if (Number.isFinite(milliseconds)) return bounded(milliseconds / 1000);
  const value = single(headers["retry-after"])?.trim();
  if (value === undefined || value === "") return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return bounded(Number(value));
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : bounded((date - now) / 1000);
}

function bounded(seconds: number): number {
  return Math.min(MAX_SECONDS, Math.max(0, seconds));
}

function single(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}
