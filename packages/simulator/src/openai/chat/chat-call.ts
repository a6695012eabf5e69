import { answerTo } from "../../answers/answer.ts";
import { servedTier } from "../../answers/service-tier.ts";
import type { ModelCall } from "../../http/model-call.ts";
import type { SimulatorState } from "../../state/simulator-state.ts";
import { seconds } from "../../util/clock.ts";
import { type JsonObject, numberOf, objectOf } from "../../util/json.ts";
import type { CallOptions } from "../call-options.ts";
import { contentPolicyViolation, contextLengthExceeded } from "../failures.ts";
import { chatChunks } from "./chat-chunks.ts";
import { chatCompletion } from "./chat-completion.ts";
import type { ChatResult } from "./chat-result.ts";
import { readChat } from "./read-chat.ts";

const MAX_CHOICES = 128;

/** Checks a chat completion request and prepares its answer. */
export function chatCall(state: SimulatorState, body: JsonObject, options: CallOptions): ModelCall {
  const conversation = readChat(body, options.flavour);
  const { flags } = conversation.directives;
  if (flags.has("context-window")) throw contextLengthExceeded(conversation.inputTokens, "messages");
  if (flags.has("content-policy")) throw contentPolicyViolation(options.flavour === "azure");
  const result = (): ChatResult => {
    const count = Math.min(Math.max(1, numberOf(body.n) ?? 1), MAX_CHOICES);
    const choices = Array.from({ length: count }, () => {
      const answer = answerTo(conversation, options.tokens);
      return { answer, callIds: answer.calls.map(() => state.ids.next("call_", options.seed)) };
    });
    const output = choices.reduce((sum, { answer }) => sum + answer.outputTokens, 0);
    state.counters.countTokens(conversation.model, conversation.inputTokens, output);
    return {
      id: state.ids.next("chatcmpl-", options.seed, 29),
      created: seconds(state.clock),
      model: conversation.model,
      choices,
      serviceTier: servedTier(body.service_tier, conversation.directives, "default"),
      logprobs: body.logprobs === true,
      includeUsage: objectOf(body.stream_options).include_usage === true,
      showReasoning: options.flavour === "compat",
      promptFilters: options.flavour === "azure" ? passedFilters() : undefined,
    };
  };
  return {
    directives: conversation.directives,
    stream: body.stream === true,
    json: () => chatCompletion(result()),
    events: () => chatChunks(result()),
  };
}

function passedFilters(): JsonObject[] {
  const passed = { filtered: false, severity: "safe" };
  const results = { hate: passed, self_harm: passed, sexual: passed, violence: passed };
  return [{ prompt_index: 0, content_filter_results: results }];
}
