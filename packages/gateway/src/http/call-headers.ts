import type { CallRecord } from "../contract/call-record.ts";
import type { Principal } from "../contract/principal.ts";
import { version } from "../util/version.ts";

/** Response headers as node's `writeHead` takes them without copying: name, value, name, value, ... */
export type FlatHeaders = string[];

/**
 * Appends what the gateway tells about a call: `x-portico-*`, and with `compat` the same values as `x-litellm-*`.
 * What is not known is left out.
 */
export function appendCallHeaders(
  headers: FlatHeaders,
  callId: string,
  call: CallRecord,
  principal: Principal,
  compat: boolean,
): void {
  const duration = Date.now() - call.startedAt;
  const { deployment } = call;
  const add = (name: string, value: string): void => {
    const safe = headerSafe(value);
    headers.push(`x-portico-${name}`, safe);
    if (compat) headers.push(`x-litellm-${name}`, safe);
  };
  add("call-id", callId);
  add("version", version);
  if (deployment !== undefined) {
    add("model-id", deployment.id);
    add("model-name", `${deployment.provider}/${deployment.model}`);
    add("attempted-retries", String(call.attemptedRetries));
    add("attempted-fallbacks", String(call.attemptedFallbacks));
    add("overhead-ms", String(Math.max(0, duration - Math.round(call.upstreamMs))));
  }
  if (call.apiBase !== undefined) add("model-api-base", withoutQuery(call.apiBase));
  const region = principal.allowedModelRegion ?? deployment?.region;
  if (region !== undefined) add("model-region", region);
  if (call.cost !== undefined) add("response-cost", String(call.cost));
  add("duration-ms", String(duration));
}

/** A query may hold credentials. */
function withoutQuery(address: string): string {
  const question = address.indexOf("?");
  return question === -1 ? address : address.slice(0, question);
}

/** Text that cannot break out of its header: everything but visible ASCII and blanks is percent-encoded. */
export function headerSafe(value: string): string {
  return /[^\x20-\x7e]/.test(value) ? encodeURI(value.toWellFormed()) : value;
}
