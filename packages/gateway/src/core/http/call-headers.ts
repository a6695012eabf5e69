import type { IncomingHttpHeaders } from "node:http";
import type { CallRecord } from "../../contract/call-record.ts";
import type { Deployment } from "../../contract/deployment.ts";
import type { Principal } from "../../contract/principal.ts";
import { orderedUuid } from "../../util/ordered-uuid.ts";
import { VERSION } from "../../util/version.ts";

/** Response headers as node's `writeHead` takes them without copying: name, value, name, value, ... */
export type FlatHeaders = string[];

/** A header by its name, and by those that it has beside it with `compat`. */
type Names = readonly [own: string, ...litellm: string[]];

/** @param differently what LiteLLM calls it where it has another name */
function names(name: string, ...differently: string[]): Names {
  return [`x-portico-${name}`, ...[name, ...differently].map((litellm) => `x-litellm-${litellm}`)];
}

const callIdNames = names("call-id");
const versionNames = names("version");
const modelIdNames = names("model-id");
const modelNameNames = names("model-name");
const retriesNames = names("attempted-retries");
const fallbacksNames = names("attempted-fallbacks");
const overheadNames = names("overhead-ms", "overhead-duration-ms");
const apiBaseNames = names("model-api-base");
const regionNames = names("model-region");
const costNames = names("response-cost");
const costStatusNames = names("response-cost-status");
const omittedToolsNames = names("omitted-tools");
const affinityNames = names("affinity");
const cacheKeyNames = names("cache-key");
const cacheHitNames = names("cache-hit");
const durationNames = names("duration-ms", "response-duration-ms");

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
  add(headers, callIdNames, callId, compat);
  add(headers, versionNames, VERSION, compat);
  if (deployment !== undefined) {
    const { id, name, group } = safeNames(deployment);
    add(headers, modelIdNames, id, compat);
    add(headers, modelNameNames, name, compat);
    if (compat) headers.push("x-litellm-model-group", group);
    add(headers, retriesNames, String(call.attemptedRetries), compat);
    add(headers, fallbacksNames, String(call.attemptedFallbacks), compat);
    const overhead = Math.max(0, duration - Math.round(call.upstreamMs));
    add(headers, overheadNames, String(overhead), compat);
  }
  if (call.apiBase !== undefined) add(headers, apiBaseNames, headerSafe(withoutQuery(call.apiBase)), compat);
  const region = principal.allowedModelRegion ?? deployment?.region;
  if (region !== undefined) add(headers, regionNames, headerSafe(region), compat);
  appendCost(headers, call, compat);
  if (call.cacheKey !== undefined) {
    add(headers, cacheKeyNames, headerSafe(call.cacheKey), compat);
    add(headers, cacheHitNames, String(call.isCacheHit), compat);
  }
  if (call.affinity !== undefined) add(headers, affinityNames, call.affinity, compat);
  if (call.omittedTools !== undefined)
    add(headers, omittedToolsNames, headerSafe(call.omittedTools.join(", ")), compat);
  add(headers, durationNames, String(duration), compat);
}

/** Types of calls whose answers always say what they cost (the specification's messages). */
const COSTED: ReadonlySet<string> = new Set([
  "acompletion",
  "aembedding",
  "anthropic_messages",
  "aresponses",
  "agenerate_content",
  "agenerate_content_stream",
]);

/** A stream's cost is known at its end only; a model without a price costs nothing that the gateway knows of. */
function appendCost(
  headers: FlatHeaders,
  { callType, cost, status, streamed }: CallRecord,
  compat: boolean,
): void {
  const isPending = streamed && status === "pending";
  if (cost === undefined && !(COSTED.has(callType) && (isPending || status === "success"))) return;
  add(headers, costNames, String(cost ?? 0), compat);
  if (COSTED.has(callType))
    add(headers, costStatusNames, isPending ? "pending" : cost === undefined ? "unpriced" : "final", compat);
}

function add(headers: FlatHeaders, all: Names, safe: string, compat: boolean): void {
  headers.push(all[0], safe);
  if (!compat) return;
  for (let other = 1; other < all.length; other += 1) headers.push(all[other]!, safe);
}

/** A deployment's id, its name at its provider, and the name that it shares with others. */
interface SafeNames {
  readonly id: string;
  readonly name: string;
  /** In the model list. */
  readonly group: string;
}

const known = new WeakMap<Deployment, SafeNames>();

/** Deployments are the same objects in all calls until the configuration changes. */
function safeNames(deployment: Deployment): SafeNames {
  let safe = known.get(deployment);
  if (safe === undefined) {
    safe = {
      id: headerSafe(deployment.id),
      name: headerSafe(`${deployment.provider}/${deployment.model}`),
      group: headerSafe(deployment.modelName),
    };
    known.set(deployment, safe);
  }
  return safe;
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

/** The caller's own id for the call when it sent a plain token (8 to 128 characters), else a new UUID. */
export function callIdOf(headers: IncomingHttpHeaders): string {
  const given = headers["x-portico-call-id"] ?? headers["x-litellm-call-id"];
  return typeof given === "string" && /^[\w.:-]{8,128}$/.test(given) ? given : orderedUuid();
}
