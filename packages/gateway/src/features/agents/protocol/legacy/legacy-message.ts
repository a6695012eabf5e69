import { isJsonObject, type JsonObject } from "../../../../contract/json.ts";
import { invalidParams } from "../a2a-error.ts";
import type { Message, Part } from "../a2a-types.ts";

/** Marks data that is no object, which version 0.3 cannot carry bare; the official SDKs read and write it. */
const WRAPPED_DATA = "data_part_compat";

/** A message of version 0.3 in the shape of 1.0; what it holds is checked afterwards like any other. */
export function fromLegacyMessage(value: unknown, path: string): JsonObject {
  if (!isJsonObject(value)) throw invalidParams(path, "an object");
  const { kind: _, role, parts, ...rest } = value;
  if (role !== "user" && role !== "agent") throw invalidParams(`${path}.role`, "user or agent");
  if (!Array.isArray(parts)) throw invalidParams(`${path}.parts`, "an array");
  return {
    ...rest,
    role: role === "user" ? "ROLE_USER" : "ROLE_AGENT",
    parts: parts.map((part, index) => fromLegacyPart(part, `${path}.parts[${index}]`)),
  };
}

/** A part of version 0.3 in the shape of 1.0. */
export function fromLegacyPart(value: unknown, path: string): Part {
  if (!isJsonObject(value)) throw invalidParams(path, "an object");
  const metadata = isJsonObject(value.metadata) ? { metadata: value.metadata } : {};
  if (value.kind === "text") return { text: value.text as string, ...metadata };
  if (value.kind === "data") return fromLegacyData(value.data, value.metadata);
  if (value.kind !== "file") throw invalidParams(`${path}.kind`, "text, file or data");
  const { file } = value;
  if (!isJsonObject(file)) throw invalidParams(`${path}.file`, "an object");
  const about = {
    ...(typeof file.name === "string" ? { filename: file.name } : {}),
    ...(typeof file.mimeType === "string" ? { mediaType: file.mimeType } : {}),
    ...metadata,
  };
  if (typeof file.bytes === "string") return { raw: file.bytes, ...about };
  if (typeof file.uri === "string") return { url: file.uri, ...about };
  throw invalidParams(`${path}.file`, "a file with bytes or uri");
}

function fromLegacyData(data: unknown, metadata: unknown): Part {
  if (!isJsonObject(metadata)) return { data };
  if (metadata[WRAPPED_DATA] !== true || !isJsonObject(data)) return { data, metadata };
  const { [WRAPPED_DATA]: _, ...others } = metadata;
  return { data: data.value, ...(Object.keys(others).length === 0 ? {} : { metadata: others }) };
}

/** A message as version 0.3 has it. */
export function toLegacyMessage(message: Message): JsonObject {
  const { role, parts, ...rest } = message;
  return {
    kind: "message",
    ...rest,
    role: role === "ROLE_USER" ? "user" : "agent",
    parts: parts.map(toLegacyPart),
  };
}

/** A part as version 0.3 has it. */
export function toLegacyPart(part: Part): JsonObject {
  const metadata = part.metadata === undefined ? {} : { metadata: part.metadata };
  if (part.text !== undefined) return { kind: "text", text: part.text, ...metadata };
  if (part.raw !== undefined || part.url !== undefined) {
    const file = {
      ...(part.raw === undefined ? { uri: part.url } : { bytes: part.raw }),
      ...(part.mediaType === undefined ? {} : { mimeType: part.mediaType }),
      ...(part.filename === undefined ? {} : { name: part.filename }),
    };
    return { kind: "file", file, ...metadata };
  }
  if (isJsonObject(part.data)) return { kind: "data", data: part.data, ...metadata };
  return { kind: "data", data: { value: part.data }, metadata: { ...part.metadata, [WRAPPED_DATA]: true } };
}
