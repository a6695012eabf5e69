import type { Answer } from "../../answers/answer.ts";
import type { JsonObject } from "../../util/json.ts";

/** Everything a chat completion is written from, in either form. */
export interface ChatResult {
  readonly id: string;
  readonly created: number;
  readonly model: string;
  readonly choices: readonly ChatChoice[];
  readonly serviceTier: string;
  readonly logprobs: boolean;
  readonly includeUsage: boolean;
  /** Compatible hosts show their thoughts as `reasoning_content`; OpenAI never does. */
  readonly showReasoning: boolean;
  /** Azure reports what its filters found, in a stream as an event of its own before the first choice. */
  readonly promptFilters: JsonObject[] | undefined;
}

/** One choice: an answer and ids for its tool calls. */
export interface ChatChoice {
  readonly answer: Answer;
  readonly callIds: readonly string[];
}
