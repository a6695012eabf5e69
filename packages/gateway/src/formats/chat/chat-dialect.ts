import type { Dialect } from "../../contract/dialect.ts";
import { readChatUsage } from "../usage.ts";
import { ChatGrammar } from "./chat-grammar.ts";
import { ChatEncoder, chatErrorEvent } from "./encoder.ts";
import { chatFromResult } from "./from-result.ts";
import { chatToCallOptions } from "./to-call-options.ts";

/** OpenAI's chat completions. */
export const chatDialect: Dialect = {
  format: "chat",
  toCallOptions: chatToCallOptions,
  fromResult: chatFromResult,
  encoder: (context, check) => new ChatEncoder(context, check),
  grammar: () => new ChatGrammar(),
  errorEvent: chatErrorEvent,
  usageOf: (answer) => readChatUsage(answer.usage, answer.service_tier),
};
