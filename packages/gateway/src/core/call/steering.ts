import type { IncomingHttpHeaders } from "node:http";
import { GatewayError, invalidRequest } from "../../contract/errors.ts";
import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import { tagLists } from "../../contract/naming-request.ts";
import type { WireFormat } from "../../contract/wire-format.ts";
import { affinityOf } from "../routing/affinity.ts";
import type { RouteRequest } from "../routing/route-call.ts";
import { tagsOf } from "../routing/tags.ts";
import type { PreparedCall } from "./prepare-call.ts";

/** What a caller may decide about one call, by headers or in the body. */
export interface Steering {
  /** Seconds for the whole call. */
  readonly timeout: number | undefined;
  /** Seconds until the first byte of a stream. */
  readonly streamTimeout: number | undefined;
  readonly numRetries: number | undefined;
  /** Models to try when all attempts have failed, in place of the configuration's. */
  readonly fallbacks: readonly string[] | undefined;
  /** The one region that the call may run in; a key's own comes before it. */
  readonly region: string | undefined;
}

const MAX_TIMEOUT = 6000;
const MAX_RETRIES = 10;

/** A number's two headers and its field of the body. */
type Names = readonly [header: string, litellm: string, field: string];

const timeoutNames = names("timeout");
const streamTimeoutNames = names("stream-timeout");
const retriesNames = names("num-retries");

function names(name: string): Names {
  return [`x-portico-${name}`, `x-litellm-${name}`, name.replaceAll("-", "_")];
}

/**
 * Reads `x-portico-timeout`, `-stream-timeout` and `-num-retries`, the same under `x-litellm-`, or `timeout`,
 * `stream_timeout` and `num_retries` of the body. Values that are not numbers are ignored, as those of other software
 * are; numbers are held within bounds. `fallbacks`, `disable_fallbacks` and `allowed_model_region` are the body's alone.
 * @throws GatewayError 400 for `fallbacks` that are no list of models, or a region that is none
 */
export function readSteering(headers: IncomingHttpHeaders, body: JsonObject, format: WireFormat): Steering {
  const retries = numberGiven(headers, body, retriesNames);
  return {
    timeout: seconds(numberGiven(headers, body, timeoutNames)),
    streamTimeout: seconds(numberGiven(headers, body, streamTimeoutNames)),
    numRetries: retries === undefined ? undefined : Math.min(MAX_RETRIES, Math.floor(retries)),
    fallbacks: body.disable_fallbacks === true ? [] : fallbacksOf(body, format),
    region: regionOf(body),
  };
}

function numberGiven(
  headers: IncomingHttpHeaders,
  body: JsonObject,
  [header, litellm, field]: Names,
): number | undefined {
  return numberOf(headers[header] ?? headers[litellm]) ?? numberOf(body[field]);
}

function numberOf(value: unknown): number | undefined {
  const isText = typeof value === "string" && value.trim() !== "";
  if (!isText && typeof value !== "number") return undefined;
  const number = Number(value);
  return Number.isFinite(number) && number >= 0 ? number : undefined;
}

/**
 * LiteLLM's list of names, of `{model}`, or of the configuration's own form, `{model: [models to try]}`; in messages also
 * Anthropic's `default`, which leaves it to the server, and so to this gateway's configuration. All of them name models of
 * the gateway, never a provider's.
 */
function fallbacksOf({ fallbacks, model }: JsonObject, format: WireFormat): readonly string[] | undefined {
  if (fallbacks === undefined || fallbacks === null) return undefined;
  if (fallbacks === "default" && format === "messages") return undefined;
  if (!Array.isArray(fallbacks)) throw noFallbacks();
  return fallbacks.flatMap((entry: unknown) => {
    if (typeof entry === "string") return entry;
    if (!isJsonObject(entry)) throw noFallbacks();
    return typeof entry.model === "string" ? modelOfFallback(entry.model, entry) : fallbacksFor(model, entry);
  });
}

/** What an entry in the configuration's form has for the request's model; `*` stands for every one. */
function fallbacksFor(model: unknown, entry: JsonObject): readonly string[] {
  const entries = Object.entries(entry);
  if (entries.length === 0) throw noFallbacks();
  return entries.flatMap(([name, listed]) => {
    const models = [listed].flat();
    if (!models.every((one) => typeof one === "string")) throw noFallbacks();
    return name === model || name === "*" ? models : [];
  });
}

/** @throws GatewayError 400 where it should be called with a request of its own */
function modelOfFallback(model: string, entry: JsonObject): string {
  const override = Object.keys(entry).find((name) => name !== "model" && entry[name] != null);
  if (override === undefined) return model;
  throw invalidRequest(
    `fallbacks: the gateway calls fallbacks with the request's own ${override.slice(0, 100)}; leave it out`,
    "fallbacks",
  );
}

function noFallbacks(): GatewayError {
  return invalidRequest("fallbacks must be a list of model names", "fallbacks");
}

function regionOf({ allowed_model_region: region }: JsonObject): string | undefined {
  if (region === undefined || region === null) return undefined;
  if (typeof region !== "string" || region === "")
    throw invalidRequest("allowed_model_region must be a region's name", "allowed_model_region");
  return region;
}

function seconds(value: number | undefined): number | undefined {
  return value === undefined || value === 0 ? undefined : Math.min(MAX_TIMEOUT, value);
}

/** What routing needs to know of a call. */
export function routeRequest(prepared: PreparedCall): RouteRequest {
  const { call, config, model, data, steering, signal } = prepared;
  return {
    config,
    model,
    format: call.format,
    principal: call.principal,
    region: call.principal.allowedModelRegion ?? steering.region,
    tags: tagsOfCall(prepared),
    preferredDeployment: call.adapter?.prefers,
    affinity: () =>
      config.routerSettings.promptCacheAffinity
        ? affinityOf(call.headers, data, call.raw?.length ?? 0)
        : undefined,
    retries: steering.numRetries,
    fallbacks: steering.fallbacks,
    mockedFailure: mockedFailure(data),
    isMocked: prepared.mockedText !== undefined,
    signal,
    record: call.record,
  };
}

/**
 * The tags by which a call's deployments are chosen: those of its key (`metadata.tags`), so that nobody can tag
 * themselves into another tier, else those that the request names.
 */
function tagsOfCall({ call, data, config }: PreparedCall): readonly string[] {
  if (!config.routerSettings.enableTagFiltering) return [];
  const ofKey = tagsOf(call.principal.metadata.tags);
  if (ofKey.length > 0) return ofKey;
  const named = tagLists({ headers: call.headers, body: data }).flatMap(tagsOf);
  return named.filter((tag) => tag !== "");
}

/** LiteLLM's fields by which a caller tries out its fallbacks: a failure that stands in for the requested model's. */
function mockedFailure(data: JsonObject): GatewayError | undefined {
  const text = (what: string): string =>
    `This is a mock failure: the model ${what}, as the request asked for.`;
  const refused = (what: string, providerCode: string): GatewayError =>
    new GatewayError(400, "invalid_request_error", text(what), { providerCode });
  if (data.mock_testing_fallbacks === true) return new GatewayError(500, "api_error", text("fails"));
  if (data.mock_testing_context_fallbacks === true)
    return refused("finds the request too long", "context_length_exceeded");
  if (data.mock_testing_content_policy_fallbacks === true)
    return refused("refuses the content", "content_policy_violation");
  return undefined;
}

/**
 * The text that the caller wants for an answer, so that nobody is called.
 * @throws GatewayError 400 for one that is no text, or for embeddings
 */
export function mockedAnswer({ mock_response: text }: JsonObject, isEmbedding: boolean): string | undefined {
  if (text === undefined || text === null) return undefined;
  if (typeof text !== "string") throw invalidRequest("mock_response must be a text", "mock_response");
  if (isEmbedding) throw invalidRequest("mock_response is for answers, not for embeddings", "mock_response");
  return text;
}
