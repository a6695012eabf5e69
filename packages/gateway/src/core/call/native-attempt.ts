import type { IncomingHttpHeaders } from "node:http";
import { GatewayError } from "../../contract/errors.ts";
import { isJsonObject, type JsonObject, objectOf, parseJsonObject } from "../../contract/json.ts";
import type { Provider, UpstreamAddress } from "../../contract/provider.ts";
import { type UpstreamPath, upstreamPath } from "../../contract/upstream-path.ts";
import type { Family, WireFormat } from "../../contract/wire-format.ts";
import { wantsUsageChunk } from "../../formats/chat/usage-chunk.ts";
import { statusOfErrorType } from "../../formats/error-statuses.ts";
import { PACKED_PREFIX, withoutPackedSignatures } from "../../formats/gemini/thought-signature.ts";
import { guardNative } from "../../formats/guarded-stream.ts";
import { readNativeAnswer, usageOfNativeAnswer } from "../../formats/native-usage.ts";
import { StreamProgress } from "../../formats/stream-outcome.ts";
import { callerHeaders, protocolHeaders, withHeaders } from "../../formats/upstream-headers.ts";
import { headerValue } from "../../platform/transport/headers.ts";
import type { UpstreamResponse } from "../../platform/transport/upstream-call.ts";
import { upstreamFetch } from "../../platform/transport/upstream-fetch.ts";
import { addressBase } from "../../util/address-base.ts";
import { editMembers } from "../../util/json-span.ts";
import { toAbortSignal } from "../../util/light-signal.ts";
import { type Answer, commitToStream, isWhole } from "./answer.ts";
import type { Attempt } from "./attempt.ts";
import { requestChanges } from "./request-changes.ts";
import { streamOf } from "./whole-as-stream.ts";

/** Bytes of an answer held in memory; embeddings of a full batch and pictures in base64 fit. */
const MAX_ANSWER_BYTES = 128 * 1024 * 1024;
const MAX_ERROR_BYTES = 65_536;

/** Paths of the formats below a provider's base address; Google's has the model in it. */
const PATHS: Readonly<Record<Exclude<WireFormat, "gemini">, UpstreamPath>> = {
  chat: upstreamPath`/chat/completions`,
  messages: upstreamPath`/messages`,
  responses: upstreamPath`/responses`,
  embeddings: upstreamPath`/embeddings`,
};

/**
 * Calls a provider that speaks the caller's format: bytes out, bytes back. The request has the caller's bytes but for
 * the model's name and the changes that the deployment needs.
 * @throws GatewayError the provider's error, or the transport's
 */
export async function sendNative(attempt: Attempt): Promise<Answer> {
  const { prepared, provider, target, record } = attempt;
  const { deps, call, stream } = prepared;
  const { format, family } = call;
  const path = call.path ?? (format === "gemini" ? geminiPath(target.model, stream) : PATHS[format]);
  const address = provider.address(target.deployment, { method: "POST", path, model: target.model });
  record.apiBase = addressBase(address.url, path);
  const mayAsk = format === "chat" && stream && provider.refusesStreamOptions !== true;
  const asksForUsage = mayAsk && !wantsUsageChunk(prepared.data);
  const headers = nativeHeaders(attempt, address, call.headers);
  const body = nativeBody(attempt, asksForUsage);
  const response = await deps.upstream.request({
    url: format === "gemini" && stream ? withEvents(address.url) : address.url,
    method: "POST",
    headers: provider.authorize === undefined ? headers : { ...headers, ...(await fetchedHeaders(attempt)) },
    body,
    timeouts: attempt.timeouts,
    signal: attempt.signal,
    isRepeatable: changesNothing(prepared.data),
    record,
  });
  if (response.status < 200 || response.status >= 300) throw await refusal(response, provider, family);
  const encoding = headerValue(response.headers, "content-encoding");
  if (encoding !== undefined && encoding !== "identity") {
    response.body.cancel();
    throw new GatewayError(502, "api_error", "The provider compressed its answer without being asked to.");
  }
  if (!stream || format === "embeddings") {
    const whole = await response.body.bytes(MAX_ANSWER_BYTES);
    const contentType = headerValue(response.headers, "content-type") ?? "application/json";
    const answer = { kind: "whole", body: whole, contentType, headers: response.headers } as const;
    if (format !== "responses") return { ...answer, usage: usageOfNativeAnswer(whole, format) };
    const read = readNativeAnswer(whole);
    return { ...answer, read, usage: deps.dialectOf(format).usageOf(read.body) };
  }
  const progress = new StreamProgress();
  const { onContent, onEnd } = progress;
  const options = asksForUsage ? { onContent, onEnd, hidesUsage: true } : progress;
  const asked = asksForUsage
    ? { ...prepared.data, stream_options: usageAsked(prepared.data) }
    : prepared.data;
  const source = isWhole(headerValue(response.headers, "content-type"))
    ? streamOf(response.body.bytes(MAX_ANSWER_BYTES), format, asked)
    : response.body;
  const guarded = guardNative(source, deps.dialectOf(format), options);
  const committed = await commitToStream(
    guarded,
    progress,
    (data) => eventError(response.body.readable(data), provider),
    attempt.hold,
  );
  return { kind: "stream", stream: committed, progress, headers: response.headers };
}

/**
 * Whether a model's answer is all that the request leads to, so that it may be asked for twice: what adds to a conversation
 * or goes on by itself may not.
 */
function changesNothing({ conversation, background }: JsonObject): boolean {
  return (conversation === undefined || conversation === null) && background !== true;
}

/** Google names the model and the operation in the path. */
function geminiPath(model: string, stream: boolean): UpstreamPath {
  return stream
    ? upstreamPath`/models/${model}:streamGenerateContent`
    : upstreamPath`/models/${model}:generateContent`;
}

/** Asks Google for events: without, its streams are one JSON array. */
function withEvents(url: string): string {
  return `${url}${url.includes("?") ? "&" : "?"}alt=sse`;
}

/** Credentials that have to be fetched first. */
function fetchedHeaders({ prepared, provider, target, signal }: Attempt) {
  const fetch = upstreamFetch(prepared.deps.upstream);
  return provider.authorize!(target.deployment, fetch, toAbortSignal(signal));
}

async function refusal(
  response: UpstreamResponse,
  provider: Provider,
  family: Family,
): Promise<GatewayError> {
  const text = await response.body.startOfText(MAX_ERROR_BYTES);
  const error = provider.toError(response.status, response.headers, text);
  const { "retry-after": _, ...headers } = callerHeaders(response.headers, family);
  return withHeaders(error, headers);
}

function eventError(data: string, provider: Provider): GatewayError {
  const error = objectOf(parseJsonObject(data)?.error);
  const status = typeof error.code === "number" ? error.code : statusOfErrorType(error.type);
  return provider.toError(status ?? 502, {}, data);
}

function nativeHeaders(
  attempt: Attempt,
  address: UpstreamAddress,
  caller: IncomingHttpHeaders,
): Record<string, string> {
  const headers: Record<string, string> = {
    "content-type": "application/json",
    accept: attempt.prepared.stream ? "text/event-stream" : "application/json",
    ...address.headers,
    ...protocolHeaders(caller),
  };
  return attempt.addExtraHeaders(headers);
}

/** The stream's options with the chunk that tells the usage. */
function usageAsked({ stream_options: options }: JsonObject): JsonObject {
  return { ...(isJsonObject(options) ? options : {}), include_usage: true };
}

function nativeBody(attempt: Attempt, asksForUsage: boolean): Buffer {
  const { prepared, target } = attempt;
  const { data, call } = prepared;
  const raw = attempt.isRewritten ? undefined : prepared.raw;
  const changes = requestChanges(attempt, true);
  if (asksForUsage) changes.set("stream_options", usageAsked(data));
  const current = raw === undefined ? data.model : call.body.model;
  if (call.format === "gemini") addGeminiChanges(changes, data, raw);
  else if (current !== target.model) changes.set("model", target.model);
  if (raw === undefined)
    return Buffer.from(JSON.stringify(Object.assign({ ...data }, Object.fromEntries(changes))));
  if (changes.size === 0) return raw;
  const texts = new Map<string, string | undefined>();
  for (const [name, value] of changes)
    texts.set(name, value === undefined ? undefined : JSON.stringify(value));
  return editMembers(raw, texts, call.body);
}

/** Model and stream stand in Google's path; signatures of other makers mean nothing to Google. */
function addGeminiChanges(changes: Map<string, unknown>, data: JsonObject, raw: Buffer | undefined): void {
  for (const name of ["model", "stream"]) changes.set(name, undefined);
  if (raw !== undefined && !raw.includes(PACKED_PREFIX)) return;
  const contents = withoutPackedSignatures(data.contents);
  if (contents !== data.contents) changes.set("contents", contents);
}

const MISSING_STATUSES: ReadonlySet<number> = new Set([404, 405, 501]);
const MISSING_OBJECT_CODES: ReadonlySet<string | undefined> = new Set([
  "model_not_found",
  "previous_response_not_found",
]);
/** How hosts say that they have no such path, as against no such model or object. */
const MISSING_PATH_WORDS =
  /invalid url|^not found\.?$|method not allowed|not implemented|(unknown|no|no such|unsupported) (url|path|route|endpoint|resource)|page not found|answered with status/i;

/** Whether a host says that it does not have the operation at all. */
export function isMissingOperation(error: unknown): boolean {
  if (!(error instanceof GatewayError) || !MISSING_STATUSES.has(error.status)) return false;
  return !MISSING_OBJECT_CODES.has(error.providerCode) && MISSING_PATH_WORDS.test(error.message);
}
