import { TOKENS_PER_IMAGE } from "../answers/tokens.ts";
import { isObject, type JsonValue, listOf, stringOf } from "../util/json.ts";

/** Text of a message's content: a string, or the texts of its parts one after the other. */
export function textOfContent(content: JsonValue | undefined): string {
  if (typeof content === "string") return content;
  return listOf(content)
    .map((part) => (isObject(part) ? (stringOf(part.text) ?? stringOf(part.refusal) ?? "") : ""))
    .join("");
}

/** Tokens of the parts that are not text: images, files, audio. */
export function mediaTokens(content: JsonValue | undefined): number {
  const media = listOf(content).filter(
    (part) => isObject(part) && part.text === undefined && part.refusal === undefined,
  );
  return media.length * TOKENS_PER_IMAGE;
}
