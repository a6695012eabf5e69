import type { JsonObject } from "../contract/json.ts";
import type { Usage } from "../contract/usage.ts";
import { chatReplay } from "./chat/replay.ts";
import { geminiReplay } from "./gemini/replay.ts";
import { messagesReplay } from "./messages/replay.ts";
import type { DialectFormat } from "./registry.ts";
import { responsesReplay } from "./responses/replay.ts";
import { parseSseFrame, type SseEvent } from "./sse-event.ts";
import { SseSplitter } from "./sse-splitter.ts";

/** Tells a whole answer as a stream and a stream as a whole answer, within one format. */
export interface Replay {
  /**
   * The answer that the events of a complete stream make.
   * @param usage the call's counts, for a stream that does not tell them
   * @returns `undefined` for a stream that makes no answer
   */
  wholeOf(events: readonly SseEvent[], usage: Usage | undefined): JsonObject | undefined;
  /** The wire text of a stream that tells the answer to the request. */
  eventsOf(answer: JsonObject, request: JsonObject): string;
}

const replays: Readonly<Record<DialectFormat, Replay>> = {
  chat: chatReplay,
  messages: messagesReplay,
  responses: responsesReplay,
  gemini: geminiReplay,
};

/** The conversions of a format. */
export function replayOf(format: DialectFormat): Replay {
  return replays[format];
}

/** The events of a stream's text. */
export function eventsIn(text: string): SseEvent[] {
  const frames = new SseSplitter(Number.POSITIVE_INFINITY).push(Buffer.from(text));
  return frames.map((frame) => parseSseFrame(frame.toString("utf8"))).filter((event) => event !== undefined);
}
