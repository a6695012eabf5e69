import type { JsonObject } from "../contract/json.ts";
import { readString } from "./fields.ts";

/** The text of content parts, refusals included. */
export function textOfParts(parts: readonly (readonly [JsonObject, string])[]): string {
  return parts
    .map(([part, at]) =>
      part.type === "refusal"
        ? readString(part.refusal, `${at}.refusal`)
        : readString(part.text, `${at}.text`),
    )
    .join("");
}
