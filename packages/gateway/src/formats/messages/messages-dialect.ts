import type { Dialect } from "../../contract/dialect.ts";
import { readMessagesUsage } from "../shared/usage.ts";
import { MessagesEncoder } from "./encoder.ts";
import { messagesErrorEvent } from "./error-event.ts";
import { messagesFromResult } from "./from-result.ts";
import { MessagesGrammar } from "./grammar.ts";
import { messagesToCallOptions } from "./to-call-options.ts";

/** Anthropic's Messages. */
export const messagesDialect: Dialect = {
  format: "messages",
  toCallOptions: messagesToCallOptions,
  fromResult: messagesFromResult,
  encoder: (context) => new MessagesEncoder(context),
  grammar: () => new MessagesGrammar(),
  errorEvent: messagesErrorEvent,
  usageOf: (answer) => readMessagesUsage(answer.usage),
};
