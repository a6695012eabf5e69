import { GatewayError } from "../../contract/errors.ts";
import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import type { Provider } from "../../contract/provider.ts";
import type { Usage } from "../../contract/usage.ts";
import type { Family, WireFormat } from "../../contract/wire-format.ts";
import { isUsageChunk } from "../../formats/chat/usage-chunk.ts";
import { readChatUsage } from "../../formats/shared/chat-usage.ts";
import { statusOfErrorType } from "../../formats/shared/error-statuses.ts";
import { parseJsonObject } from "../../formats/shared/parse-json.ts";
import { guardNative } from "../../formats/stream/guarded-stream.ts";
import { headerValue } from "../../platform/transport/headers.ts";
import type { UpstreamRequest } from "../../platform/transport/upstream.ts";
import type { UpstreamResponse } from "../../platform/transport/upstream-call.ts";
import { upstreamFetch } from "../../platform/transport/upstream-fetch.ts";
import { addressBase } from "../../util/address-base.ts";
import { memberNearEnd } from "../../util/json-span.ts";
import { hasObjectStructure } from "../../util/json-structure.ts";
import { type CallSignal, toAbortSignal } from "../../util/light-signal.ts";
import type { Target } from "../routing/resolve-model.ts";
import { type Answer, StreamEnd, type WholeAnswer } from "./answer.ts";
import { commitToStream } from "./commit-point.ts";
import type { CallDeps } from "./model-call.ts";
import { nativePaths, nativeRequest } from "./native-request.ts";
import type { PreparedCall } from "./prepared-call.ts";
import { callerHeaders, withHeaders } from "./upstream-headers.ts";

/** Bytes of an answer held in memory; embeddings of a full batch and pictures in base64 fit. */
const MAX_ANSWER_BYTES = 128 * 1024 * 1024;
const MAX_ERROR_BYTES = 65_536;
/** Bytes of an answer that is parsed whole, which takes no longer than to look for its usage; later it does. */
const MAX_PARSED_BYTES = 16_384;

const tierMember = Buffer.from('"service_tier"');

/**
 * Calls a provider that speaks the caller's format: bytes out, bytes back.
 * @throws GatewayError the provider's error, or the transport's
 */
export async function attemptNative(
  deps: CallDeps,
  prepared: PreparedCall,
  target: Target,
  provider: Provider,
  signal: CallSignal,
): Promise<Answer> {
  const { call } = prepared.call;
  const { request, address, hidesUsage } = nativeRequest(prepared, target, provider, signal);
  call.apiBase = addressBase(address.url, nativePaths[prepared.call.format]);
  const sent =
    provider.authorize === undefined ? request : await authorized(deps, request, target, provider, signal);
  const response = await deps.upstream.request(sent);
  if (response.status < 200 || response.status >= 300)
    throw await refusal(response, provider, prepared.call.family);
  const encoding = headerValue(response.headers, "content-encoding");
  if (encoding !== undefined && encoding !== "identity") {
    response.body.cancel();
    throw new GatewayError(502, "api_error", "The provider compressed its answer without being asked to.");
  }
  const { format } = prepared.call;
  if (!prepared.stream || format === "embeddings") {
    const body = await response.body.bytes(MAX_ANSWER_BYTES);
    return wholeAnswer(deps, format, response, body);
  }
  const end = new StreamEnd();
  const guarded = guardNative(response.body, deps.dialectOf(format), {
    onEnd: end.report,
    ...(hidesUsage ? { hides: isUsageChunk } : {}),
  });
  const stream = await commitToStream(guarded, format, end, (data) => eventError(data, provider));
  return { kind: "stream", stream, end, headers: response.headers };
}

/** The request with credentials that have to be fetched first. */
async function authorized(
  deps: CallDeps,
  request: UpstreamRequest,
  { deployment }: Target,
  provider: Provider,
  signal: CallSignal,
): Promise<UpstreamRequest> {
  const fetched = await provider.authorize?.(deployment, upstreamFetch(deps.upstream), toAbortSignal(signal));
  return { ...request, headers: { ...request.headers, ...fetched } };
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

function wholeAnswer(
  deps: CallDeps,
  format: WireFormat,
  response: UpstreamResponse,
  body: Buffer,
): WholeAnswer {
  return {
    kind: "whole",
    body,
    contentType: headerValue(response.headers, "content-type") ?? "application/json",
    usage: usageOf(deps, format, usagePart(body, format)),
    headers: response.headers,
  };
}

/**
 * The answer as far as its usage is concerned; nothing else is read from an answer that passes on as it is. Long ones
 * are not parsed: every format has its usage at the end, and what precedes it is only looked over.
 * @throws GatewayError 502 for an answer that is not a JSON object
 */
function usagePart(body: Buffer, format: WireFormat): JsonObject {
  // A byte for a character: others than ASCII's stand in strings only, which are not looked at.
  const text = body.toString("latin1");
  const isLong = text.length > MAX_PARSED_BYTES && hasObjectStructure(text);
  const json = (isLong ? usageNearEnd(body, format) : undefined) ?? parseJsonObject(text);
  if (json === undefined)
    throw new GatewayError(502, "api_error", "The provider's answer is not a JSON object.");
  return json;
}

function usageNearEnd(body: Buffer, format: WireFormat): JsonObject | undefined {
  const text = memberNearEnd(body, "usage");
  // Messages have the tier within the usage; OpenAI's formats have it beside it, if at all.
  const hasTier = format !== "messages" && body.includes(tierMember);
  const tier = hasTier ? memberNearEnd(body, "service_tier") : "null";
  const part =
    text === undefined || tier === undefined
      ? undefined
      : parseJsonObject(`{"usage":${text},"service_tier":${tier}}`);
  return isJsonObject(part?.usage) ? part : undefined;
}

function usageOf(deps: CallDeps, format: WireFormat, json: JsonObject): Usage | undefined {
  return format === "embeddings" ? readChatUsage(json.usage) : deps.dialectOf(format).usageOf(json);
}

function eventError(data: string, provider: Provider): GatewayError {
  const error = parseJsonObject(data)?.error;
  const status = isJsonObject(error) ? statusOfErrorType(error.type) : undefined;
  return provider.toError(status ?? 502, {}, data);
}
