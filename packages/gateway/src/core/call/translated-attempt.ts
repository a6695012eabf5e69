import {
  APICallError,
  type LanguageModelV3CallOptions,
  type LanguageModelV3ProviderTool,
  UnsupportedFunctionalityError,
} from "@ai-sdk/provider";
import type { CallRecord } from "../../contract/call-record.ts";
import type { AnswerContext, Dialect } from "../../contract/dialect.ts";
import { GatewayError, invalidRequest } from "../../contract/errors.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { Provider, UpstreamFetch } from "../../contract/provider.ts";
import { noUsage } from "../../contract/usage.ts";
import { begunByUser } from "../../formats/begun-by-user.ts";
import { embedAll, writeEmbeddings } from "../../formats/embeddings/embed-all.ts";
import { readEmbeddingRequest } from "../../formats/embeddings/read-request.ts";
import { inlineMedia } from "../../formats/inline-media.ts";
import { encodeNeutral } from "../../formats/neutral-stream.ts";
import { withProviderSettings } from "../../formats/provider-options.ts";
import { StreamProgress } from "../../formats/stream-outcome.ts";
import { withSafeToolNames } from "../../formats/tool-names.ts";
import { callerHeaders, withHeaders } from "../../formats/upstream-headers.ts";
import { fromNeutralUsage } from "../../formats/usage.ts";
import { MediaDownloads } from "../../platform/transport/download-media.ts";
import { headerValue, type ResponseHeaders } from "../../platform/transport/headers.ts";
import { upstreamFetch } from "../../platform/transport/upstream-fetch.ts";
import { toAbortSignal } from "../../util/light-signal.ts";
import { type Answer, commitToStream, isWhole, type WholeAnswer } from "./answer.ts";
import type { Attempt } from "./attempt.ts";
import type { ModelCall } from "./model-call.ts";
import type { PreparedCall } from "./prepare-call.ts";
import { requestChanges } from "./request-changes.ts";
import { streamed } from "./whole-as-stream.ts";

/**
 * Calls a provider that speaks another format than the caller, through the neutral model.
 * @throws GatewayError the provider's error, the transport's, or 400 for what the provider cannot do
 */
export async function sendTranslated(attempt: Attempt): Promise<Answer> {
  const { prepared, provider, target, record } = attempt;
  const { deps, call } = prepared;
  const signal = toAbortSignal(attempt.signal);
  let headers: ResponseHeaders = {};
  let readable = (text: string): string => text;
  const fetched = upstreamFetch(deps.upstream, {
    timeouts: attempt.timeouts,
    signal,
    isRepeatable: true,
    record,
    onResponse: (response, url) => {
      headers = response.headers;
      readable = (text) => response.body.readable(text);
      record.apiBase = target.deployment.apiBase ?? new URL(url).origin;
    },
  });
  const streaming: UpstreamFetch = async (...asked) => {
    const response = await fetched(...asked);
    return isWhole(headerValue(headers, "content-type")) ? streamed(response, asked) : response;
  };
  const fetch = prepared.stream ? streaming : fetched;
  const body = requestBody(attempt);
  try {
    if (call.format === "embeddings") {
      const embedded = await embedTranslated(attempt, body, fetch, signal);
      return { kind: "whole", contentType: "application/json", ...embedded, headers };
    }
    const dialect = deps.dialectOf(call.format);
    const model = provider.languageModel(target.deployment, target.model, fetch);
    const supported = await model.supportedUrls;
    const { strictTools: isStrict, modifyParams } = prepared.config.gatewaySettings;
    const asked = callOptions(attempt, dialect, body, signal);
    const given = modifyParams ? { ...asked, prompt: begunByUser(asked.prompt) } : asked;
    const named = withSafeToolNames(fitTools(given, provider, target.model, record, isStrict));
    const options = await inlineMedia(named.options, supported, () => downloadsOf(prepared));
    const context = { ...answerContext(attempt), readable: (text: string) => readable(text) };
    if (!prepared.stream) {
      const result = named.restoreResult(await model.doGenerate(options));
      const usage = fromNeutralUsage(result.usage);
      const body = dialect.fromResult(result, context);
      return { kind: "whole", body, contentType: "application/json", usage, headers };
    }
    const progress = new StreamProgress();
    const { stream: parts } = await model.doStream(options);
    let onOver = (): void => {};
    const opened = new Promise<void>((resolve) => {
      onOver = resolve;
    });
    const shown = call.view?.writer();
    const written = shown === undefined ? context : { ...context, shown };
    const encoded = encodeNeutral(named.restoreStream(parts), dialect, written, progress, opened);
    const stream = await commitToStream(encoded, progress, (data) => provider.toError(502, {}, data), {
      ...attempt.hold,
      onOver,
    });
    return { kind: "stream", stream, progress, headers };
  } catch (failure) {
    const { "retry-after": _, ...limits } = callerHeaders(headers, call.family);
    throw withHeaders(translatedError(failure, provider), limits);
  }
}

/** Texts that OpenAI takes in one request; more are refused before anything is paid for. */
const MAX_TEXTS = 2048;

/**
 * Embeds texts at a provider that has no `/embeddings` of OpenAI's kind.
 * @param body the request for this deployment
 * @returns the answer without upstream headers; its usage is counted here where the provider does not count
 * @throws GatewayError 400 when the provider has no embeddings or the request does not fit
 */
async function embedTranslated(
  attempt: Attempt,
  body: JsonObject,
  fetch: UpstreamFetch,
  signal: AbortSignal,
): Promise<Pick<WholeAnswer, "body" | "usage">> {
  const { provider, target, prepared } = attempt;
  const model = provider.embeddingModel?.(target.deployment, target.model, fetch);
  if (model === undefined)
    throw invalidRequest(`The provider ${provider.name} has no embeddings here.`, "model");
  const request = readEmbeddingRequest(body);
  if (request.values.length > MAX_TEXTS)
    throw invalidRequest(`input: expected at most ${MAX_TEXTS} texts`, "input");
  const { embeddings, tokens } = await embedAll(model, request, attempt.addExtraHeaders({}), signal);
  // The texts alone: what frames the messages of a conversation is not counted here.
  const texts = { model: target.model, system: request.values };
  const usage = { ...noUsage, input: tokens ?? (await prepared.deps.countTokens(texts)) };
  const answer = writeEmbeddings(embeddings, target.model, usage.input, request.encodingFormat);
  return { body: answer, usage };
}

function requestBody(attempt: Attempt): JsonObject {
  const changes = Object.fromEntries(requestChanges(attempt, false));
  return { ...attempt.prepared.data, ...changes, model: attempt.target.model };
}

const downloadsOfCalls = new WeakMap<ModelCall, MediaDownloads>();

/** The files of a call, which all its attempts share. */
function downloadsOf({ deps, call, config }: PreparedCall): MediaDownloads {
  const known = downloadsOfCalls.get(call);
  if (known !== undefined) return known;
  const limit = config.generalSettings.maxRequestSizeMb * 2 ** 20;
  const downloads = new MediaDownloads(deps.upstream, toAbortSignal(call.signal), limit);
  downloadsOfCalls.set(call, downloads);
  return downloads;
}

function callOptions(
  attempt: Attempt,
  dialect: Dialect,
  body: JsonObject,
  signal: AbortSignal,
): LanguageModelV3CallOptions {
  const headers = attempt.addExtraHeaders({});
  const options = { ...dialect.toCallOptions(body), abortSignal: signal, headers };
  return withProviderSettings(options, attempt.target.deployment.params, body);
}

function answerContext({ prepared, target }: Attempt): AnswerContext {
  const { call, data, model } = prepared;
  return {
    model: target.model === "" ? model : target.model,
    request: data,
    callId: call.callId,
    created: Math.floor(Date.now() / 1000),
  };
}

/** Whatever a provider's library throws as the gateway's error. */
export function translatedError(failure: unknown, provider: Provider): GatewayError {
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

/**
 * Tools that a provider runs on its own side. A model without them still answers; tools that the caller runs (a shell,
 * a computer) are not among them, since the caller would wait for calls in vain.
 */
const HOSTED_TOOLS =
  /^(?:openai\.(?:web_search|file_search|code_interpreter|image_generation|mcp|tool_search|programmatic_tool_calling)|anthropic\.(?:web_search|web_fetch|code_execution|tool_search_tool)|google\.(?:google_search|enterprise_web_search|code_execution|url_context|google_maps|file_search))(?:_|$)/;

/**
 * The call with hosted tools as its provider has them. One that it lacks is left out, and named to the caller in a
 * header, unless the configuration asks for a refusal.
 * @throws GatewayError 400 naming a tool that cannot be left out
 */
function fitTools(
  options: LanguageModelV3CallOptions,
  provider: Provider,
  model: string,
  record: CallRecord,
  isStrict: boolean,
): LanguageModelV3CallOptions {
  if (options.tools?.some(({ type }) => type === "provider") !== true) return options;
  const omitted: string[] = [];
  const tools = options.tools.flatMap((tool) => {
    if (tool.type === "function") return tool;
    const own = provider.hostedTool?.(tool, options, model);
    if (own !== undefined) return own;
    if (isStrict || !HOSTED_TOOLS.test(tool.id)) throw unavailable(tool, provider);
    omitted.push(tool.name);
    return [];
  });
  if (omitted.length > 0) record.omittedTools = omitted;
  const { tools: _, toolChoice, ...rest } = options;
  return {
    ...rest,
    ...(tools.length === 0 ? {} : { tools }),
    // Without tools nothing can be chosen.
    ...(toolChoice === undefined || tools.length === 0 ? {} : { toolChoice }),
  };
}

function unavailable({ id }: LanguageModelV3ProviderTool, { name }: Provider) {
  return invalidRequest(`tools: the tool ${id} is not available at the provider ${name}`, "tools");
}
