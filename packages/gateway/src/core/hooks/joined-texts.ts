import { isJsonObject } from "../../contract/json.ts";

/**
 * The texts that a model reads as one though they stand apart in a request: those of a content's parts, and of messages of
 * one role that follow each other, which providers put together (Anthropic's Messages API).
 */
export function* joinedTexts(value: unknown): Generator<string> {
  if (Array.isArray(value)) {
    yield* joinedIn(value);
    for (const item of value) yield* joinedTexts(item);
  } else if (isJsonObject(value)) for (const member of Object.values(value)) yield* joinedTexts(member);
}

/** One text for each row of items of one role; what says nothing, such as a picture, ends no row. */
function* joinedIn(items: readonly unknown[]): Generator<string> {
  let row: string[] = [];
  let role: unknown;
  for (const item of items) {
    if (!isJsonObject(item)) continue;
    if (item.role !== role) {
      if (row.length > 1) yield row.join("");
      row = [];
      role = item.role;
    }
    const text = textOf(item);
    if (text !== "") row.push(text);
  }
  if (row.length > 1) yield row.join("");
}

/** What a part, or a message, says. */
function textOf({ text, content, parts }: { readonly [name: string]: unknown }): string {
  for (const said of [text, content]) if (typeof said === "string") return said;
  const list: unknown = content ?? parts;
  if (!Array.isArray(list)) return "";
  return list
    .map((part: unknown) => (isJsonObject(part) && typeof part.text === "string" ? part.text : ""))
    .join("");
}
