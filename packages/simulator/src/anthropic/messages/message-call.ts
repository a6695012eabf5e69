import { answerTo } from "../../answers/answer.ts";
import { servedTier } from "../../answers/service-tier.ts";
import type { ModelCall } from "../../http/model-call.ts";
import type { SimulatorState } from "../../state/simulator-state.ts";
import type { JsonObject } from "../../util/json.ts";
import { invalidRequest } from "../failures.ts";
import { checkedMessages } from "./check-messages.ts";
import { contentBlocks } from "./content-blocks.ts";
import { messageEvents } from "./message-events.ts";
import { messageObject } from "./message-object.ts";
import type { MessageResult } from "./message-result.ts";
import { inputTokensOf, type PromptCache } from "./prompt-cache.ts";
import { readMessages } from "./read-messages.ts";

/** What a message call needs beside its body. */
export interface MessageOptions {
  /** Text of the request, which ids follow from. */
  readonly seed: string;
  readonly tokens?: number | undefined;
  readonly cache: PromptCache;
  /** Told of the answer when it is given. */
  keep?(id: string, content: readonly JsonObject[]): void;
  /** The tier that was asked for. */
  readonly tier?: string | undefined;
}

/** Checks a Messages request and prepares its answer. */
export function messageCall(state: SimulatorState, body: JsonObject, options: MessageOptions): ModelCall {
  const messages = checkedMessages(body, false);
  const inputTokens = inputTokensOf(body, messages);
  const conversation = readMessages(body, messages, inputTokens);
  const { flags } = conversation.directives;
  if (flags.has("context-window")) {
    throw invalidRequest(`prompt is too long: ${inputTokens + 200_000} tokens > 200000 maximum`);
  }
  if (flags.has("content-policy")) throw invalidRequest("Output blocked by content filtering policy");
  const result = (): MessageResult => {
    const answer = answerTo(conversation, options.tokens);
    state.counters.countTokens(conversation.model, answer.inputTokens, answer.outputTokens);
    const content = contentBlocks(answer, (prefix) => state.ids.next(prefix, options.seed, 22));
    const input = options.cache.use(body, messages);
    const id = state.ids.next("msg_01", options.seed, 22);
    options.keep?.(id, content);
    return {
      id,
      model: conversation.model,
      answer,
      content,
      input,
      serviceTier: servedTier(options.tier, conversation.directives, "standard"),
    };
  };
  return {
    directives: conversation.directives,
    stream: body.stream === true,
    json: () => messageObject(result()),
    events: () => messageEvents(result()),
  };
}
