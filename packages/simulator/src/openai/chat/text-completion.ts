import { answerTo } from "../../answers/answer.ts";
import type { Conversation } from "../../answers/conversation.ts";
import { readDirectives } from "../../answers/directives.ts";
import { countTokens, tokenPieces } from "../../answers/tokens.ts";
import type { ModelCall } from "../../http/model-call.ts";
import type { SimulatorState } from "../../state/simulator-state.ts";
import { seconds } from "../../util/clock.ts";
import { type JsonObject, numberOf, objectOf, stringsIn } from "../../util/json.ts";
import type { CallOptions } from "../call-options.ts";
import { contextLengthExceeded, missingParameter } from "../failures.ts";
import { modelName } from "../model-name.ts";

/** Checks a request of the legacy completions and prepares its answer: one choice for each prompt. */
export function textCompletionCall(state: SimulatorState, body: JsonObject, options: CallOptions): ModelCall {
  const model = modelName(body);
  if (body.prompt === undefined) throw missingParameter("prompt");
  const prompts = typeof body.prompt === "string" ? [body.prompt] : stringsIn(body.prompt);
  const conversations = (prompts.length === 0 ? [""] : prompts).map(
    (prompt): Conversation => ({
      model,
      directives: readDirectives(prompt),
      toolResults: [],
      tools: [],
      toolChoice: "none",
      parallelTools: false,
      inputTokens: countTokens(prompt),
      maxTokens: numberOf(body.max_tokens),
      stop: stringsIn(body.stop),
      shape: undefined,
      thinking: false,
      reasoningTokens: 0,
    }),
  );
  const directives = conversations.at(-1)?.directives;
  const input = conversations.reduce((sum, { inputTokens }) => sum + inputTokens, 0);
  if (directives?.flags.has("context-window")) throw contextLengthExceeded(input, "messages");
  const answers = conversations.map((conversation) => answerTo(conversation, options.tokens));
  const output = answers.reduce((sum, { outputTokens }) => sum + outputTokens, 0);
  state.counters.countTokens(model, input, output);
  const usage = { prompt_tokens: input, completion_tokens: output, total_tokens: input + output };
  const shared = {
    id: state.ids.next("cmpl-", options.seed, 29),
    object: "text_completion",
    created: seconds(state.clock),
    model,
  };
  const choice = (index: number, text: string, end: string | null) => ({
    text,
    index,
    logprobs: null,
    finish_reason: end,
  });
  const reason = (end: string): string => (end === "length" ? "length" : "stop");
  return {
    directives,
    stream: body.stream === true,
    json: () => ({
      ...shared,
      choices: answers.map(({ text, end }, index) => choice(index, text, reason(end))),
      usage,
    }),
    *events() {
      const event = (data: unknown): string => `data: ${JSON.stringify(data)}\n\n`;
      for (const [index, { text, end }] of answers.entries()) {
        for (const piece of tokenPieces(text))
          yield event({ ...shared, choices: [choice(index, piece, null)] });
        yield event({ ...shared, choices: [choice(index, "", reason(end))] });
      }
      if (objectOf(body.stream_options).include_usage === true)
        yield event({ ...shared, choices: [], usage });
      yield "data: [DONE]\n\n";
    },
  };
}
