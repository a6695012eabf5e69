import type { Deployment } from "../../contract/deployment.ts";
import { isJsonObject, type JsonObject, objectOf } from "../../contract/json.ts";
import type { Provider } from "../../contract/provider.ts";
import type { WireFormat } from "../../contract/wire-format.ts";
import { cachePoints, withCacheMarks } from "../../formats/cache-marks.ts";
import {
  geminiMaxTokens,
  generationSettings,
  withGenerationSettings,
} from "../../formats/gemini/generation-defaults.ts";
import { knowsField, unknownFields } from "../../formats/known-fields.ts";
import { withoutTags } from "../../formats/metadata.ts";
import { callDefaults } from "../../platform/config/options/deployment-options.ts";
import type { Attempt } from "./attempt.ts";
import { litellmFieldsOf } from "./litellm-fields.ts";

/** A request on its way to a deployment; what it is `adapted` to, and who the `provider` is, is known once a try is made. */
type ChangedRequest = Pick<Attempt, "target"> & {
  readonly prepared: RequestData;
} & Partial<Pick<Attempt, "adapted" | "provider">>;

/** What of a call its changes depend on. */
interface RequestData extends Pick<Attempt["prepared"], "config" | "data"> {
  readonly call: { readonly format: WireFormat };
}

/**
 * What the gateway changes in a request for one deployment, the model's name apart: fields by name, `undefined` where
 * one is left out. The command line's overrides win over the caller, the caller over the deployment's defaults.
 * @param isNative the request goes out in the caller's format; a translation leaves out by itself what the provider
 *   does not know, and reads fields that the caller's format does not have, such as `thinking` in chat completions
 */
export function requestChanges(
  { prepared, target, adapted, provider }: ChangedRequest,
  isNative: boolean,
): Map<string, unknown> {
  const { call, config, data } = prepared;
  const changes = new Map<string, unknown>(adapted);
  const { params } = target.deployment;
  for (const name of litellmFieldsOf(data)) changes.set(name, undefined);
  const { temperature, maxTokens } = config.commandLine;
  if (call.format === "gemini") {
    const overrides = generationSettings({ temperature, max_tokens: maxTokens });
    const generationConfig = withGenerationSettings(data, generationSettings(params), overrides);
    if (generationConfig !== undefined) changes.set("generationConfig", generationConfig);
  } else
    for (const [name, value] of defaultsOf(params, data, call.format, isNative)) changes.set(name, value);
  const marks = data.cache_control_injection_points ?? params.cache_control_injection_points;
  if (marks !== undefined && takesCacheMarks(call.format, isNative))
    for (const [name, value] of withCacheMarks(data, cachePoints(marks), call.format === "chat"))
      changes.set(name, value);
  if (changesMetadata(data, call.format)) changes.set("metadata", providerMetadata(data, call.format));
  for (const name of leftOutByCaller(data, adapted)) changes.set(name, undefined);
  if (isJsonObject(params.extra_body)) {
    for (const [name, value] of Object.entries(params.extra_body)) changes.set(name, value);
  }
  const drops = params.drop_params === true || config.gatewaySettings.dropParams || data.drop_params === true;
  if (isNative && drops && provider !== undefined) {
    for (const name of droppedFields(prepared, target.deployment, provider)) changes.set(name, undefined);
  }
  for (const name of textsIn(params.additional_drop_params)) changes.set(name, undefined);
  if (call.format !== "embeddings" && call.format !== "gemini") {
    if (temperature !== undefined) changes.set("temperature", temperature);
    if (maxTokens !== undefined)
      for (const name of maxTokensFields(call.format, data)) changes.set(name, maxTokens);
  }
  return changes;
}

/** What decides which model works, and whether and how its work comes to be known; without it nothing could be counted. */
const KEPT: ReadonlySet<string> = new Set(["model", "stream", "stream_options", "background"]);

/**
 * What the caller's `additional_drop_params` leaves out: fields of its own, never what the gateway or its operator puts
 * there.
 */
function leftOutByCaller(data: JsonObject, adapted: Attempt["adapted"]): string[] {
  return textsIn(data.additional_drop_params).filter(
    (name) => Object.hasOwn(data, name) && !KEPT.has(name) && adapted?.has(name) !== true,
  );
}

function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}

/**
 * What `drop_params` leaves out: fields that the provider refuses, or that its format does not know where it has none of
 * its own; never those that `allowed_openai_params` names.
 */
function droppedFields({ call, data }: RequestData, deployment: Deployment, provider: Provider): string[] {
  const allowed = new Set([data.allowed_openai_params, deployment.params.allowed_openai_params].flat());
  const unknown = provider.hasOwnFields?.(deployment) === true ? [] : unknownFields(data, call.format);
  const refused = Object.keys(data).filter((name) => provider.refusedFields?.has(name) === true);
  return [...unknown, ...refused].filter((name) => !allowed.has(name));
}

/** The one limit on output tokens that a request has, by its names in the formats. */
const LIMIT_NAMES = ["max_tokens", "max_completion_tokens", "max_output_tokens"] as const;
const OTHER_DEFAULTS = callDefaults.filter((name) => !(LIMIT_NAMES as readonly string[]).includes(name));

/**
 * The fields that a deployment's parameters set where a request leaves them out, in the words of the request's format.
 * Chat completions have dialects of their own at many hosts and get what the administrator wrote; the other formats
 * refuse fields that they do not know.
 */
function defaultsOf(
  params: JsonObject,
  data: JsonObject,
  format: WireFormat,
  isNative: boolean,
): [string, unknown][] {
  const defaults: [string, unknown][] = [];
  if (Object.keys(params).length === 0) return defaults;
  const limit = LIMIT_NAMES.find((name) => params[name] !== undefined);
  if (limit !== undefined && format !== "embeddings" && LIMIT_NAMES.every((name) => data[name] === undefined))
    defaults.push([limitIn(format, limit), params[limit]]);
  const takes = (name: string): boolean => !isNative || format === "chat" || knowsField(format, name);
  for (const name of OTHER_DEFAULTS) {
    if (params[name] !== undefined && data[name] === undefined && takes(name))
      defaults.push([name, params[name]]);
  }
  const { reasoning_effort: effort } = params;
  if (format === "responses" && effort !== undefined && !("reasoning" in { ...params, ...data }))
    defaults.push(["reasoning", { effort }]);
  return defaults;
}

function limitIn(format: WireFormat, name: (typeof LIMIT_NAMES)[number]): string {
  if (format === "responses") return "max_output_tokens";
  return format === "chat" && name === "max_completion_tokens" ? name : "max_tokens";
}

/**
 * The request's limit on output tokens, the larger one where it names two: which of them a provider reads is its own
 * affair. Absent when it sets none, or one that is no number.
 */
export function maxTokensOf(format: WireFormat, data: JsonObject): number | undefined {
  if (format === "gemini") return geminiMaxTokens(data);
  const values = maxTokensFields(format, data).map((name) => data[name]);
  const limits = values.filter((value) => typeof value === "number" && value >= 0);
  return limits.length < values.length ? undefined : Math.max(...(limits as number[]));
}

/** The names under which a request limits its output; the usual one where it does not. */
function maxTokensFields(format: WireFormat, data: JsonObject): readonly string[] {
  if (format === "responses") return ["max_output_tokens"];
  if (format !== "chat") return ["max_tokens"];
  const given = ["max_completion_tokens", "max_tokens"].filter(
    (name) => (data[name] ?? undefined) !== undefined,
  );
  return given.length > 0 ? given : ["max_tokens"];
}

/** Whether marks of the prompt cache, which are Anthropic's, mean something or are left out where the request goes. */
function takesCacheMarks(format: WireFormat, isNative: boolean): boolean {
  return format === "messages" || (format === "chat" && !isNative);
}

/** Whether a provider gets another `metadata` than the request has. */
function changesMetadata({ metadata, store }: JsonObject, format: WireFormat): boolean {
  if (metadata === undefined || metadata === null) return false;
  return (
    format === "gemini" || (format === "chat" && store !== true) || Array.isArray(objectOf(metadata).tags)
  );
}

/**
 * `metadata` as the provider gets it. Tags are the gateway's, and providers refuse lists there. LiteLLM's callers put
 * what is meant for the log there, and OpenAI's chat completions refuse it unless the answer is stored. Google has no
 * such field.
 */
function providerMetadata({ metadata, store }: JsonObject, format: WireFormat): JsonObject | undefined {
  if (format === "gemini" || (format === "chat" && store !== true)) return undefined;
  const rest = withoutTags(objectOf(metadata));
  return Object.keys(rest).length === 0 ? undefined : rest;
}
