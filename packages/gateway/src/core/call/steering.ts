import type { IncomingHttpHeaders } from "node:http";
import { invalidRequest } from "../../contract/errors.ts";
import type { JsonObject } from "../../contract/json.ts";

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
 * @throws GatewayError 400 for `fallbacks` that are no list of names, or a region that is none
 */
export function readSteering(headers: IncomingHttpHeaders, body: JsonObject): Steering {
  const retries = numberGiven(headers, body, retriesNames);
  return {
    timeout: seconds(numberGiven(headers, body, timeoutNames)),
    streamTimeout: seconds(numberGiven(headers, body, streamTimeoutNames)),
    numRetries: retries === undefined ? undefined : Math.min(MAX_RETRIES, Math.floor(retries)),
    fallbacks: body.disable_fallbacks === true ? [] : fallbacksOf(body),
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

function fallbacksOf({ fallbacks }: JsonObject): readonly string[] | undefined {
  if (fallbacks === undefined || fallbacks === null) return undefined;
  if (!Array.isArray(fallbacks) || !fallbacks.every((name): name is string => typeof name === "string"))
    throw invalidRequest("fallbacks must be a list of model names", "fallbacks");
  return fallbacks;
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
