import { answerTo } from "../../answers/answer.ts";
import type { ModelCall } from "../../http/model-call.ts";
import type { SimulatorState } from "../../state/simulator-state.ts";
import type { JsonObject } from "../../util/json.ts";
import { invalidArgument, modelNotFound } from "../failures.ts";
import { checkedContents } from "./check-contents.ts";
import type { GenerateResult } from "./generate-result.ts";
import { blockedPrompt, generated, generatedChunks } from "./generated.ts";
import { readContents } from "./read-contents.ts";

/** What a generate call needs beside its body. */
export interface GenerateOptions {
  readonly seed: string;
  readonly stream: boolean;
  readonly tokens?: number | undefined;
  /** Writes one chunk of a stream: an event, or an element of a JSON array. */
  readonly frame: (chunk: JsonObject, index: number) => string;
  /** What follows the last chunk. */
  readonly ending: string;
}

/** Checks a generateContent request and prepares its answer. */
export function generateCall(
  state: SimulatorState,
  model: string,
  body: JsonObject,
  options: GenerateOptions,
): ModelCall {
  if (model.startsWith("unknown")) throw modelNotFound(model, "generateContent");
  const conversation = readContents(model, body, checkedContents(model, body));
  const { flags } = conversation.directives;
  if (flags.has("context-window")) {
    const count = conversation.inputTokens + 1_048_576;
    throw invalidArgument(
      `The input token count (${count}) exceeds the maximum number of tokens allowed (1048576).`,
    );
  }
  const blocked = flags.has("content-policy");
  const result = (): GenerateResult => {
    const answer = answerTo(conversation, options.tokens);
    const id = state.ids.next("", options.seed, 22);
    return { id, model, answer, callIds: answer.calls.map(() => state.ids.next("call_", options.seed, 12)) };
  };
  return {
    directives: conversation.directives,
    stream: options.stream,
    json: () => (blocked ? blockedPrompt(result()) : generated(result())),
    events: function* () {
      const chunks = blocked ? [blockedPrompt(result())] : generatedChunks(result());
      let index = 0;
      for (const chunk of chunks) {
        yield options.frame(chunk, index);
        index += 1;
      }
      yield options.ending;
    },
  };
}
