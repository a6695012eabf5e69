import type { Answer } from "../../answers/answer.ts";
import type { JsonObject } from "../../util/json.ts";
import type { CachedInput } from "./prompt-cache.ts";

/** Everything a message is written from, in either form. */
export interface MessageResult {
  readonly id: string;
  readonly model: string;
  readonly answer: Answer;
  /** Content blocks as the whole message has them. */
  readonly content: readonly JsonObject[];
  readonly input: CachedInput;
  readonly serviceTier: string;
}
