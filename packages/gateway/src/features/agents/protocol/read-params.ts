import { isJsonObject, type JsonObject } from "../../../contract/json.ts";
import { invalidParams } from "./a2a-error.ts";
import type { Message, Part, PushConfig, SendConfiguration, SendParams } from "./a2a-types.ts";

/** Parts and bytes of text that one message may have; the body's limit holds besides. */
const MAX_PARTS = 1000;

/**
 * Reads the parameters of `SendMessage` in version 1.0.
 * @throws A2AError -32602 that names the field
 */
export function readSendParams(params: JsonObject): SendParams {
  const { configuration, metadata } = params;
  return {
    message: readMessage(params.message, "message"),
    ...(configuration === undefined || configuration === null
      ? {}
      : { configuration: readConfiguration(configuration) }),
    ...(isJsonObject(metadata) ? { metadata } : {}),
  };
}

function readMessage(value: unknown, path: string): Message {
  if (!isJsonObject(value)) throw invalidParams(path, "an object");
  const { role, parts } = value;
  if (typeof value.messageId !== "string" || value.messageId === "")
    throw invalidParams(`${path}.messageId`, "a string that is not empty");
  if (role !== "ROLE_USER" && role !== "ROLE_AGENT")
    throw invalidParams(`${path}.role`, "ROLE_USER or ROLE_AGENT");
  if (!Array.isArray(parts) || parts.length === 0 || parts.length > MAX_PARTS)
    throw invalidParams(`${path}.parts`, `an array of 1 to ${MAX_PARTS} parts`);
  for (const [index, part] of parts.entries()) checkPart(part, `${path}.parts[${index}]`);
  for (const name of ["contextId", "taskId"]) optionalText(value, name, path);
  return {
    messageId: value.messageId,
    role,
    parts: parts as Part[],
    ...textMember(value, "contextId"),
    ...textMember(value, "taskId"),
    ...(isJsonObject(value.metadata) ? { metadata: value.metadata } : {}),
    ...(isTexts(value.extensions) ? { extensions: value.extensions } : {}),
    ...(isTexts(value.referenceTaskIds) ? { referenceTaskIds: value.referenceTaskIds } : {}),
  };
}

function checkPart(part: unknown, path: string): void {
  if (!isJsonObject(part)) throw invalidParams(path, "an object");
  const kinds = ["text", "raw", "url", "data"].filter((kind) => part[kind] !== undefined);
  if (kinds.length !== 1) throw invalidParams(path, "a part with exactly one of text, raw, url and data");
  const [kind] = kinds;
  if (kind !== "data" && typeof part[kind!] !== "string") throw invalidParams(`${path}.${kind}`, "a string");
  for (const name of ["filename", "mediaType"]) optionalText(part, name, path);
}

function readConfiguration(value: unknown): SendConfiguration {
  if (!isJsonObject(value)) throw invalidParams("configuration", "an object");
  const { historyLength, returnImmediately, acceptedOutputModes, taskPushNotificationConfig: push } = value;
  if (returnImmediately !== undefined && typeof returnImmediately !== "boolean")
    throw invalidParams("configuration.returnImmediately", "true or false");
  return {
    ...readHistoryLength(historyLength, "configuration.historyLength"),
    ...(returnImmediately === undefined ? {} : { returnImmediately }),
    ...(isTexts(acceptedOutputModes) ? { acceptedOutputModes } : {}),
    ...(push === undefined || push === null
      ? {}
      : { taskPushNotificationConfig: readPushTarget(push, "configuration.taskPushNotificationConfig") }),
  };
}

/** Reads where notifications go. */
export function readPushTarget(
  value: unknown,
  path: string,
): Omit<PushConfig, "taskId" | "id"> & { id?: string } {
  if (!isJsonObject(value)) throw invalidParams(path, "an object");
  if (typeof value.url !== "string" || !URL.canParse(value.url))
    throw invalidParams(`${path}.url`, "an absolute URL");
  for (const name of ["token", "id"]) optionalText(value, name, path);
  const { authentication } = value;
  if (authentication !== undefined && authentication !== null) {
    if (!isJsonObject(authentication)) throw invalidParams(`${path}.authentication`, "an object");
    for (const name of ["scheme", "credentials"])
      optionalText(authentication, name, `${path}.authentication`);
  }
  return {
    url: value.url,
    ...textMember(value, "id"),
    ...textMember(value, "token"),
    ...(isJsonObject(authentication) &&
    typeof authentication.scheme === "string" &&
    authentication.scheme !== ""
      ? { authentication: { scheme: authentication.scheme, ...textMember(authentication, "credentials") } }
      : {}),
  };
}

/** A length of history: absent means all of it. */
export function readHistoryLength(value: unknown, path: string): { historyLength?: number } {
  if (value === undefined || value === null) return {};
  if (!Number.isInteger(value) || (value as number) < 0) throw invalidParams(path, "a whole number from 0");
  return { historyLength: value as number };
}

/** A member that must be a string that is not empty. */
export function requiredText(params: JsonObject, name: string): string {
  const value = params[name];
  if (typeof value !== "string" || value === "") throw invalidParams(name, "a string that is not empty");
  return value;
}

function optionalText(value: JsonObject, name: string, path: string): void {
  const member = value[name];
  if (member !== undefined && member !== null && typeof member !== "string")
    throw invalidParams(`${path}.${name}`, "a string");
}

/** The member unless it is absent or empty: in the JSON of protocol buffers both mean the same. */
function textMember<Name extends string>(value: JsonObject, name: Name): { [key in Name]?: string } {
  const member = value[name];
  return (typeof member === "string" && member !== "" ? { [name]: member } : {}) as {
    [key in Name]?: string;
  };
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === "string");
}
