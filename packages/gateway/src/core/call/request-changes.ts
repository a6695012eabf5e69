import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import type { WireFormat } from "../../contract/wire-format.ts";
import type { Target } from "../routing/resolve-model.ts";
import { defaultsOf } from "./call-defaults.ts";
import { gatewayFieldsOf } from "./gateway-fields.ts";
import { unknownFields } from "./known-fields.ts";
import type { PreparedCall } from "./prepared-call.ts";
import { changesMetadata, providerMetadata } from "./provider-metadata.ts";

/**
 * What the gateway changes in a request for one deployment, the model's name apart: fields by name, `undefined` where
 * one is left out. The command line's overrides win over the caller, the caller over the deployment's defaults.
 * @param isNative the request goes out in the caller's format; a translation leaves out by itself what the provider
 *   does not know, and reads fields that the caller's format does not have, such as `thinking` in chat completions
 */
export function requestChanges(
  prepared: PreparedCall,
  target: Target,
  isNative: boolean,
): Map<string, unknown> {
  const { call, config, data } = prepared;
  const changes = new Map<string, unknown>(prepared.tailored);
  const { params } = target.deployment;
  for (const name of gatewayFieldsOf(data)) changes.set(name, undefined);
  for (const [name, value] of defaultsOf(params, data, call.format, isNative)) changes.set(name, value);
  if (changesMetadata(data, call.format)) changes.set("metadata", providerMetadata(data, call.format));
  if (isJsonObject(params.extra_body)) {
    for (const [name, value] of Object.entries(params.extra_body)) changes.set(name, value);
  }
  const drops = params.drop_params === true || config.gatewaySettings.dropParams || data.drop_params === true;
  if (isNative && drops) {
    for (const name of unknownFields(data, call.format)) changes.set(name, undefined);
  }
  for (const names of [params.additional_drop_params, data.additional_drop_params]) {
    if (!Array.isArray(names)) continue;
    for (const name of names) changes.set(String(name), undefined);
  }
  if (call.format !== "embeddings") {
    const { temperature, maxTokens } = config.commandLine;
    if (temperature !== undefined) changes.set("temperature", temperature);
    if (maxTokens !== undefined) changes.set(maxTokensField(call.format, data), maxTokens);
  }
  return changes;
}

/** The request's limit on output tokens; absent when it sets none. */
export function maxTokensOf(format: WireFormat, data: JsonObject): number | undefined {
  const value = data[maxTokensField(format, data)];
  return typeof value === "number" && value >= 0 ? value : undefined;
}

function maxTokensField(format: WireFormat, data: JsonObject): string {
  if (format === "responses") return "max_output_tokens";
  return format === "chat" && data.max_completion_tokens !== undefined
    ? "max_completion_tokens"
    : "max_tokens";
}
