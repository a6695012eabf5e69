import { isJsonObject, type JsonObject } from "../../../contract/json.ts";
import { isPackedContent } from "../../../formats/responses/encrypted-content.ts";

/** Items that OpenAI's own tools left behind; elsewhere nobody knows what they refer to. */
const hosted = /^(?!function_call|custom_tool_call).*_call(_output)?$|^mcp_/;

/**
 * Items of any model's turns as input for a provider that keeps responses itself but has not seen these: without the
 * ids of other places, and without reasoning that it cannot read.
 */
export function portableItems(items: readonly JsonObject[]): JsonObject[] {
  return items.flatMap((item): JsonObject[] => {
    const type = typeof item.type === "string" ? item.type : "message";
    if (type === "reasoning") return isReadable(item) ? [item] : [];
    if (type === "compaction") return [item];
    if (hosted.test(type)) return [];
    const { id, status, extra_content, ...rest } = item;
    if (type === "message" && item.role === "assistant") return [{ ...rest, content: spoken(item.content) }];
    return [rest];
  });
}

/** Whether an input holds something that only this gateway can read. */
export function needsCleaning(items: readonly unknown[]): boolean {
  return items.some(
    (item) =>
      isJsonObject(item) &&
      (item.extra_content !== undefined || (item.type === "reasoning" && isForeign(item))),
  );
}

/** A caller's own input without what only this gateway can read. */
export function cleaned(items: readonly unknown[]): unknown[] {
  return items.flatMap((item) => {
    if (!isJsonObject(item)) return [item];
    if (item.type === "reasoning" && isForeign(item)) return [];
    const { extra_content, ...rest } = item;
    return [rest];
  });
}

function isReadable(item: JsonObject): boolean {
  return typeof item.encrypted_content === "string" && item.encrypted_content !== "" && !isForeign(item);
}

function isForeign({ encrypted_content }: JsonObject): boolean {
  return typeof encrypted_content === "string" && isPackedContent(encrypted_content);
}

function spoken(content: unknown): unknown {
  if (!Array.isArray(content)) return content;
  return content.map((part: unknown) => {
    if (!isJsonObject(part) || part.type !== "output_text") return part;
    return { type: "output_text", text: part.text, annotations: [] };
  });
}
