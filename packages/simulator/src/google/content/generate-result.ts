import type { Answer } from "../../answers/answer.ts";

/** Everything a `GenerateContentResponse` is written from, in either form. */
export interface GenerateResult {
  readonly id: string;
  readonly model: string;
  readonly answer: Answer;
  /** Ids of the function calls. */
  readonly callIds: readonly string[];
}
