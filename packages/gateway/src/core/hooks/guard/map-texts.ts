import { isJsonObject } from "../../../contract/json.ts";

/** Members whose texts are data, addresses or names, which must stay as they are. */
const notText: ReadonlySet<string> = new Set([
  "data",
  "url",
  "file_data",
  "image_url",
  "signature",
  "id",
  "tool_call_id",
  "tool_use_id",
  "type",
  "role",
  "media_type",
  "encrypted_content",
]);

/** The value with every text in it mapped; the very same value where nothing changed. */
export function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === "string") return map(value);
  if (Array.isArray(value)) {
    const items = value.map((item) => mapTexts(item, map));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (!isJsonObject(value)) return value;
  let changed: Record<string, unknown> | undefined;
  for (const [key, member] of Object.entries(value)) {
    if (notText.has(key) && typeof member === "string") continue;
    const mapped = mapTexts(member, map);
    if (mapped !== member) {
      changed ??= { ...value };
      changed[key] = mapped;
    }
  }
  return changed ?? value;
}
