import { isJsonObject, type JsonObject } from "../../../contract/json.ts";

/** Members that hold a caller's own data, whose names are not the protocol's. */
const opaque: ReadonlySet<string> = new Set(["metadata", "data"]);

/**
 * Parameters of version 1.0 with the names that its JSON has. Version 1.0 is defined by protocol buffers, whose JSON
 * readers take a field's original name as well: `task_id` for `taskId` (ProtoJSON format: field names).
 */
export function fromProtoNames(params: JsonObject): JsonObject {
  const renamed: JsonObject = {};
  for (const [name, value] of Object.entries(params)) {
    const camel = name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
    if (camel !== name && Object.hasOwn(params, camel)) continue;
    renamed[camel] = opaque.has(camel) ? value : inside(value);
  }
  return renamed;
}

function inside(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inside);
  return isJsonObject(value) ? fromProtoNames(value) : value;
}
