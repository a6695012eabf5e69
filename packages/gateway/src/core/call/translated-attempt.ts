import {
  APICallError,
  type LanguageModelV3CallOptions,
  UnsupportedFunctionalityError,
} from "@ai-sdk/provider";
import type { AnswerContext, Dialect } from "../../contract/dialect.ts";
import { GatewayError, invalidRequest } from "../../contract/errors.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { Provider } from "../../contract/provider.ts";
import { fromNeutralUsage } from "../../formats/shared/neutral-usage.ts";
import { withProviderSettings } from "../../formats/shared/provider-settings.ts";
import { encodeNeutral } from "../../formats/stream/neutral-stream.ts";
import type { ResponseHeaders } from "../../platform/transport/headers.ts";
import { upstreamFetch } from "../../platform/transport/upstream-fetch.ts";
import { type CallSignal, toAbortSignal } from "../../util/light-signal.ts";
import type { Target } from "../routing/resolve-model.ts";
import { type Answer, StreamEnd } from "./answer.ts";
import { callTimeouts } from "./call-timeouts.ts";
import { commitToStream } from "./commit-point.ts";
import { MediaDownloads } from "./download-media.ts";
import { inlineMedia } from "./inline-media.ts";
import type { CallDeps, ModelCall } from "./model-call.ts";
import { addExtraHeaders } from "./native-request.ts";
import type { PreparedCall } from "./prepared-call.ts";
import { requestChanges } from "./request-changes.ts";
import { embedTranslated } from "./translated-embeddings.ts";
import { callerHeaders, withHeaders } from "./upstream-headers.ts";

/**
 * Calls a provider that speaks another format than the caller, through the neutral model.
 * @throws GatewayError the provider's error, the transport's, or 400 for what the provider cannot do
 */
export async function attemptTranslated(
  deps: CallDeps,
  prepared: PreparedCall,
  target: Target,
  provider: Provider,
  callSignal: CallSignal,
): Promise<Answer> {
  const signal = toAbortSignal(callSignal);
  const { format, family, call } = prepared.call;
  let headers: ResponseHeaders = {};
  const fetch = upstreamFetch(deps.upstream, {
    timeouts: callTimeouts(prepared, target.deployment),
    signal,
    onResponse: (_status, received, url) => {
      headers = Object.fromEntries(received);
      call.apiBase = target.deployment.apiBase ?? new URL(url).origin;
    },
  });
  const body = requestBody(prepared, target);
  try {
    if (format === "embeddings") {
      const embedded = await embedTranslated(deps, provider, target, body, fetch, signal);
      return { kind: "whole", contentType: "application/json", ...embedded, headers };
    }
    const dialect = deps.dialectOf(format);
    const model = provider.languageModel(target.deployment, target.model, fetch);
    const supported = await model.supportedUrls;
    const given = callOptions(dialect, body, target, signal);
    const options = await inlineMedia(given, supported, downloadsOf(deps, prepared));
    const context = answerContext(prepared, target);
    if (!prepared.stream) {
      const result = await model.doGenerate(options);
      const usage = fromNeutralUsage(result.usage);
      const body = dialect.fromResult(result, context);
      return { kind: "whole", body, contentType: "application/json", usage, headers };
    }
    const end = new StreamEnd();
    const { stream: parts } = await model.doStream(options);
    const encoded = encodeNeutral(parts, dialect, context, end.report);
    const stream = await commitToStream(encoded, format, end, (data) => provider.toError(502, {}, data));
    return { kind: "stream", stream, end, headers };
  } catch (failure) {
    const { "retry-after": _, ...limits } = callerHeaders(headers, family);
    throw withHeaders(translatedError(failure, provider), limits);
  }
}

function requestBody(prepared: PreparedCall, target: Target): JsonObject {
  const changes = Object.fromEntries(requestChanges(prepared, target, false));
  return { ...prepared.data, ...changes, model: target.model };
}

const downloadsOfCalls = new WeakMap<ModelCall, MediaDownloads>();

/** The files of a call, which all its attempts share. */
function downloadsOf(deps: CallDeps, { call, config }: PreparedCall): MediaDownloads {
  const known = downloadsOfCalls.get(call);
  if (known !== undefined) return known;
  const limit = config.generalSettings.maxRequestSizeMb * 2 ** 20;
  const downloads = new MediaDownloads(deps.upstream, toAbortSignal(call.signal), limit);
  downloadsOfCalls.set(call, downloads);
  return downloads;
}

function callOptions(
  dialect: Dialect,
  body: JsonObject,
  target: Target,
  signal: AbortSignal,
): LanguageModelV3CallOptions {
  const headers = addExtraHeaders({}, target.deployment.params.extra_headers);
  const options = { ...dialect.toCallOptions(body), abortSignal: signal, headers };
  return withProviderSettings(options, target.deployment.params, body);
}

function answerContext({ call, data, model }: PreparedCall, target: Target): AnswerContext {
  return {
    model: target.model === "" ? model : target.model,
    request: data,
    callId: call.callId,
    created: Math.floor(Date.now() / 1000),
  };
}

/** Whatever a provider's library throws as the gateway's error. */
function translatedError(failure: unknown, provider: Provider): GatewayError {
  if (failure instanceof GatewayError) return failure;
  if (APICallError.isInstance(failure)) {
    if (failure.cause instanceof GatewayError) return failure.cause;
    if (failure.statusCode !== undefined && failure.statusCode >= 300)
      return provider.toError(failure.statusCode, failure.responseHeaders ?? {}, failure.responseBody ?? "");
  }
  if (UnsupportedFunctionalityError.isInstance(failure))
    return invalidRequest(`The provider ${provider.name} does not support ${failure.functionality}.`);
  return new GatewayError(502, "api_error", "The provider's answer could not be read.", { cause: failure });
}
