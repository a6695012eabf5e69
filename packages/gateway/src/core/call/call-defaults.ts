import type { JsonObject } from "../../contract/json.ts";
import type { WireFormat } from "../../contract/wire-format.ts";
import { callDefaults } from "../../platform/config/options/deployment-options.ts";
import { knowsField } from "./known-fields.ts";

/** The one limit on output tokens that a request has, by its names in the formats. */
const limitNames = ["max_tokens", "max_completion_tokens", "max_output_tokens"] as const;
const isLimit = (name: string): boolean => (limitNames as readonly string[]).includes(name);
const otherDefaults = callDefaults.filter((name) => !isLimit(name));

/**
 * The fields that a deployment's parameters set where a request leaves them out, in the words of the request's format.
 * @param isNative the provider reads the request itself; chat completions have dialects of their own at many hosts and
 *   get what the administrator wrote, the other formats refuse fields that they do not know
 */
export function defaultsOf(
  params: JsonObject,
  data: JsonObject,
  format: WireFormat,
  isNative: boolean,
): [string, unknown][] {
  const defaults: [string, unknown][] = [];
  if (Object.keys(params).length === 0) return defaults;
  const limit = limitNames.find((name) => params[name] !== undefined);
  if (limit !== undefined && format !== "embeddings" && limitNames.every((name) => data[name] === undefined))
    defaults.push([limitIn(format, limit), params[limit]]);
  const takes = (name: string): boolean => !isNative || format === "chat" || knowsField(format, name);
  for (const name of otherDefaults) {
    if (params[name] !== undefined && data[name] === undefined && takes(name))
      defaults.push([name, params[name]]);
  }
  const { reasoning_effort: effort } = params;
  if (format === "responses" && effort !== undefined && !("reasoning" in { ...params, ...data }))
    defaults.push(["reasoning", { effort }]);
  return defaults;
}

function limitIn(format: WireFormat, name: (typeof limitNames)[number]): string {
  if (format === "responses") return "max_output_tokens";
  return format === "chat" && name === "max_completion_tokens" ? name : "max_tokens";
}
