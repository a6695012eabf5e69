/** What the caller speaks. */
export type Format = "chat" | "messages" | "responses";
/** How the provider answers: whole, a stream that arrives at once, or one whose events arrive one by one. */
export type AnswerMode = (typeof ANSWER_MODES)[number];
export const ANSWER_MODES = ["whole", "burst", "events"] as const;

/** Where each format is served, by providers and gateways alike. */
export const PATHS: Readonly<Record<Format, string>> = {
  chat: "/v1/chat/completions",
  messages: "/v1/messages",
  responses: "/v1/responses",
};

/** One kind of call that all subjects are measured with. */
export interface Case {
  readonly format: Format;
  /** What the provider speaks; another format than the caller's where the call is translated. */
  readonly wire: Format;
  readonly mode: AnswerMode;
  readonly bytes: number;
  readonly connections: readonly number[];
}

/** Into what each format is translated. */
const OTHER: Readonly<Record<Format, Format>> = { chat: "messages", messages: "chat", responses: "messages" };

const SHORT = 1000;
const LONG = 300_000;
/** Few enough that no subject is kept busy by events that arrive one by one: else they would arrive together. */
const STREAMING = 16;

/** All cases of issue and page: whole answers and bursts in both sizes, events one by one with short requests. */
export function casesOf(connections: readonly number[]): Case[] {
  const formats = Object.keys(PATHS) as Format[];
  const pairs = formats.flatMap((format) => [
    { format, wire: format },
    { format, wire: OTHER[format] },
  ]);
  const all = [SHORT, LONG].flatMap((bytes) =>
    (["whole", "burst"] as const).flatMap((mode) =>
      pairs.map((pair) => ({ ...pair, mode, bytes, connections })),
    ),
  );
  return [
    ...all,
    ...pairs.map((pair) => ({ ...pair, mode: "events" as const, bytes: SHORT, connections: [STREAMING] })),
  ];
}

/** Quotes, tabs and line breaks as source code has them, which JSON escapes. */
const LINE = '\t"name": "value", // the caller\'s own name, "as is"\n';

/** The request of a case for a model; it has about as many bytes as the case says. */
export function requestOf({ format, mode, bytes }: Case, model: string): object {
  const turns = Math.max(1, Math.round(bytes / 1000));
  const text = LINE.repeat(14);
  const messages = Array.from({ length: turns }, (_, index) => ({
    role: index % 2 === 0 ? "user" : "assistant",
    content: `Turn ${index}: ${text}`,
  }));
  if (turns % 2 === 0) messages.push({ role: "user", content: "Go on." });
  const stream = mode === "whole" ? {} : { stream: true };
  if (format === "responses") return { model, input: messages, store: false, ...stream };
  return { model, max_tokens: 500, messages, ...stream };
}

/** The name of a case without its size. */
export function titleOf({ format, wire, mode }: Case): string {
  const modes = { whole: "whole answer", burst: "stream, at once", events: "stream, event by event" };
  return `${format}${wire === format ? "" : ` from ${wire}`}, ${modes[mode]}`;
}
