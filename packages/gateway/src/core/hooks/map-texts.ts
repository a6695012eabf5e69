import { PASSED_REQUEST } from "../../contract/hook.ts";
import { isJsonObject, type JsonObject } from "../../contract/json.ts";

/**
 * Members whose strings are names and values of the protocol: a model, a role, an id. Everything else that callers can
 * write is text, whatever the field is called.
 */
const STRUCTURAL: ReadonlySet<string> = new Set([
  "batch_id",
  "cachedContent",
  "call_id",
  "container",
  "container_id",
  "conversation",
  "custom_llm_provider",
  "detail",
  "encoding",
  "encoding_format",
  "encrypted_content",
  "endpoint",
  "file_id",
  "id",
  "input_file_id",
  "media_type",
  "mimeType",
  "mime_type",
  "model",
  "object",
  "previous_response_id",
  "purpose",
  "responseMimeType",
  "response_id",
  "role",
  "signature",
  "status",
  "thoughtSignature",
  "tool_call_id",
  "tool_choice",
  "tool_use_id",
  "type",
  "video_id",
]);

/** Members whose whole value is the caller's own: names in it are no names of the protocol. */
const FREE: ReadonlySet<string> = new Set([
  "args",
  "arguments",
  "input",
  "labels",
  "metadata",
  "parameters",
  "parametersJsonSchema",
  "query_params",
  "response",
  "responseJsonSchema",
  "responseSchema",
  "input_schema",
  "schema",
  "variables",
]);

/** Members that hold pictures and files as base64, which is not text. */
const BINARY: ReadonlySet<string> = new Set(["b64_json", "data", "file_data", "image_url", "url"]);
const DATA_URL = /^data:[^,]{0,200};base64,[A-Za-z0-9+/_=-]*$/;
const BASE64 = /^[A-Za-z0-9+/_=\r\n-]*$/;
/** Types of objects whose data is base64. */
const BINARY_TYPES: ReadonlySet<unknown> = new Set(["audio", "base64", "image", "input_audio"]);
/** Characters from which on a string of base64's alphabet is taken for base64 where nothing says what it is. */
const MIN_BASE64 = 256;

/** What protocols call their members. Other names are somebody's words, addresses, numbers. */
const PROTOCOL_NAME = /^[$_]?[A-Za-z][A-Za-z0-9_]{0,63}$/;

/** Names by which hooks see a request of an unknown format: they are the gateway's own. */
const OURS: ReadonlySet<string> = new Set([
  PASSED_REQUEST,
  "route",
  "query",
  "form",
  "name",
  "filename",
  "text",
]);

type MapText = (text: string) => string;

/**
 * Whose the names in an object are: those of a protocol that the gateway knows, or the caller's own. In an unknown format
 * they may be either, so all of them are texts, and all values but those that are base64.
 */
type Names = "known" | "free" | "unknown";

/**
 * A request with every text in it mapped, names of members included where callers choose them; the very same object
 * where nothing changed.
 */
export function mapTexts(request: JsonObject, map: MapText): JsonObject {
  return mapObject(request, map, Object.hasOwn(request, PASSED_REQUEST) ? "unknown" : "known");
}

function mapValue(value: unknown, map: MapText, names: Names): unknown {
  if (typeof value === "string") return map(value);
  if (Array.isArray(value)) {
    const items = value.map((item) => mapValue(item, map, names));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  return isJsonObject(value) ? mapObject(value, map, names) : value;
}

function mapObject(object: JsonObject, map: MapText, names: Names): JsonObject {
  const entries = Object.entries(object);
  const mapped = entries.map(([name, member]): [string, unknown] => {
    const below = names === "known" && opens(name, member) ? "free" : names;
    return [
      isText(name, names) ? map(name) : name,
      isOpaque(name, member, object, names) ? member : mapValue(member, map, below),
    ];
  });
  const isSame = mapped.every(([name, member], at) => name === entries[at]![0] && member === entries[at]![1]);
  return isSame ? object : Object.fromEntries(mapped);
}

function isText(name: string, names: Names): boolean {
  return names === "free" || !PROTOCOL_NAME.test(name) || (names === "unknown" && !OURS.has(name));
}

/** Names and values of the protocol are without white space; with it, a text is one that somebody wrote. */
function hasWords(text: string): boolean {
  return /\s/.test(text);
}

/** What a list holds under such a name are the protocol's own objects, such as a response's input items. */
function opens(name: string, member: unknown): boolean {
  return FREE.has(name) && isJsonObject(member);
}

/** Whether a member says nothing that people or tools wrote. */
function isOpaque(name: string, member: unknown, { type, mimeType }: JsonObject, names: Names): boolean {
  if (names === "free") return false;
  const isKnown = names === "known";
  if (typeof member !== "string")
    return (
      isKnown &&
      name === "file_ids" &&
      Array.isArray(member) &&
      !member.some((id) => typeof id !== "string" || hasWords(id))
    );
  if (isKnown && STRUCTURAL.has(name)) return !hasWords(member);
  if (!BINARY.has(name) || type === "text") return false;
  return (
    DATA_URL.test(member) ||
    ((BINARY_TYPES.has(type) || typeof mimeType === "string" || member.length >= MIN_BASE64) &&
      BASE64.test(member))
  );
}
