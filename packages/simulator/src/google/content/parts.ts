import { countTokens, TOKENS_PER_IMAGE } from "../../answers/tokens.ts";
import { type JsonObject, type JsonValue, objectOf, objectsIn, stringOf } from "../../util/json.ts";
import { member } from "../members.ts";

/** The parts of a content. */
export function partsOf(content: JsonValue | undefined): JsonObject[] {
  return objectsIn(objectOf(content).parts);
}

/** The texts of a content's parts one after the other, thoughts left out. */
export function textOfParts(content: JsonValue | undefined): string {
  return partsOf(content)
    .filter((part) => part.thought !== true)
    .map((part) => stringOf(part.text) ?? "")
    .join("");
}

/** Tokens of a content. */
export function tokensOfContent(content: JsonValue | undefined): number {
  return partsOf(content).reduce((sum, part) => sum + tokensOfPart(part), 0);
}

function tokensOfPart(part: JsonObject): number {
  const text = stringOf(part.text);
  if (text !== undefined) return countTokens(text);
  if (member(part, "inlineData") !== undefined || member(part, "fileData") !== undefined)
    return TOKENS_PER_IMAGE;
  return countTokens(JSON.stringify(member(part, "functionCall") ?? member(part, "functionResponse") ?? {}));
}
