import type { Dialect } from "../contract/dialect.ts";
import type { WireFormat } from "../contract/wire-format.ts";
import { chatDialect } from "./chat/chat-dialect.ts";
import { geminiDialect } from "./gemini/gemini-dialect.ts";
import { messagesDialect } from "./messages/messages-dialect.ts";
import { responsesDialect } from "./responses/responses-dialect.ts";

/** The formats that have a dialect; embeddings are only passed on. */
export type DialectFormat = Exclude<WireFormat, "embeddings">;

const dialects: Readonly<Record<DialectFormat, Dialect>> = {
  chat: chatDialect,
  messages: messagesDialect,
  responses: responsesDialect,
  gemini: geminiDialect,
};

/** The dialect of a wire format. */
export function dialectOf(format: DialectFormat): Dialect {
  return dialects[format];
}
