import { countTokens, TOKENS_PER_IMAGE } from "../../answers/tokens.ts";
import { type JsonObject, type JsonValue, objectOf, objectsIn, stringOf } from "../../util/json.ts";

/** Content as a list of blocks; a string is one text block. */
export function blocksOf(content: JsonValue | undefined): JsonObject[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : objectsIn(content);
}

/** The texts of a content's text blocks one after the other. */
export function textOfBlocks(content: JsonValue | undefined): string {
  return blocksOf(content)
    .filter((block) => block.type === "text")
    .map((block) => stringOf(block.text) ?? "")
    .join("");
}

/** Tokens of one content block. */
export function tokensOfBlock(block: JsonObject): number {
  switch (block.type) {
    case "text":
      return countTokens(stringOf(block.text) ?? "");
    case "image":
      return TOKENS_PER_IMAGE;
    case "document":
      return documentTokens(objectOf(block.source));
    case "tool_use":
      return countTokens(stringOf(block.name) ?? "") + countTokens(JSON.stringify(block.input ?? {}));
    case "tool_result":
      return blocksOf(block.content).reduce((sum, inner) => sum + tokensOfBlock(inner), 0);
    case "thinking":
      return countTokens(stringOf(block.thinking) ?? "");
    default:
      return countTokens(JSON.stringify(block));
  }
}

function documentTokens(source: JsonObject): number {
  return source.type === "text" ? countTokens(stringOf(source.data) ?? "") : TOKENS_PER_IMAGE;
}
