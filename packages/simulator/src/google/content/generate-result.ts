import type { Answer } from "../../answers/answer.ts";
import type { JsonObject } from "../../util/json.ts";

/** Everything a `GenerateContentResponse` is written from, in either form. */
export interface GenerateResult {
  readonly id: string;
  readonly model: string;
  readonly answer: Answer;
  /** Ids of the function calls. */
  readonly callIds: readonly string[];
  /** The member of `usageMetadata` that names the tier. */
  readonly tier: JsonObject;
}
