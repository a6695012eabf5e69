import { isJsonObject, type JsonObject, objectOf, parseJsonObject } from "../../contract/json.ts";
import type { Usage } from "../../contract/usage.ts";
import type { Replay } from "../replay.ts";
import { dataEvent, type SseEvent } from "../sse-event.ts";
import { writeChatUsage } from "../usage.ts";
import { wantsUsageChunk } from "./usage-chunk.ts";

/** Chat completions and their chunks (OpenAI API reference, "The chat completion chunk object"). */
export const chatReplay: Replay = {
  wholeOf: (events: readonly SseEvent[], usage: Usage | undefined) => {
    const chunks = events.map(({ data }) => parseJsonObject(data)).filter((chunk) => chunk !== undefined);
    if (chunks.length === 0) return undefined;
    const answer: JsonObject = {};
    const choices = new Map<unknown, JsonObject>();
    for (const { choices: parts, ...members } of chunks) {
      for (const [name, value] of Object.entries(members)) if (value !== null) answer[name] = value;
      for (const part of Array.isArray(parts) ? (parts as JsonObject[]) : []) addChoice(choices, part);
    }
    answer.object = "chat.completion";
    answer.choices = [...choices.values()].map(withoutEmptyContent);
    if (answer.usage === undefined && usage !== undefined) answer.usage = writeChatUsage(usage);
    return answer;
  },
  eventsOf: ({ choices, usage, ...members }: JsonObject, request: JsonObject) => {
    const withUsage = wantsUsageChunk(request);
    const chunk = (parts: readonly JsonObject[], counts: unknown = null): string =>
      dataEvent({
        ...members,
        object: "chat.completion.chunk",
        choices: parts,
        ...(withUsage ? { usage: counts } : {}),
      });
    const list = Array.isArray(choices) ? (choices as JsonObject[]) : [];
    const told = list.map(({ message, finish_reason, ...choice }) => {
      const delta = deltaOf(objectOf(message));
      const end = { index: choice.index, delta: {}, logprobs: null, finish_reason };
      return chunk([{ ...choice, delta, finish_reason: null }]) + chunk([end]);
    });
    return `${told.join("")}${withUsage ? chunk([], usage) : ""}data: [DONE]\n\n`;
  },
};

function addChoice(choices: Map<unknown, JsonObject>, part: JsonObject): void {
  const { index, delta, logprobs, finish_reason: end, ...members } = part;
  let choice = choices.get(index);
  if (choice === undefined) {
    choice = { index, message: { role: "assistant", content: null, refusal: null }, logprobs: null };
    choices.set(index, choice);
  }
  Object.assign(choice, members);
  choice.finish_reason = end ?? choice.finish_reason ?? null;
  if (isJsonObject(logprobs)) choice.logprobs = joined(choice.logprobs, logprobs);
  if (!isJsonObject(delta)) return;
  const { tool_calls: calls, role, ...rest } = delta;
  const message = choice.message as JsonObject;
  for (const [name, value] of Object.entries(rest)) message[name] = joined(message[name], value);
  if (Array.isArray(calls)) message.tool_calls = withCalls(message.tool_calls, calls as JsonObject[]);
}

/** Pieces of calls are put together by their index, which whole answers do not have. */
function withCalls(before: unknown, pieces: readonly JsonObject[]): JsonObject[] {
  const calls = Array.isArray(before) ? (before as JsonObject[]) : [];
  for (const { index, ...piece } of pieces) {
    const at = typeof index === "number" ? index : calls.length;
    const call = calls[at];
    if (call === undefined) calls[at] = piece;
    else call.function = joined(call.function, piece.function);
  }
  return calls;
}

/** What two pieces of a member come to: texts and lists one behind the other, objects member by member. */
function joined(before: unknown, piece: unknown): unknown {
  if (before === undefined || before === null) return piece;
  if (piece === undefined || piece === null) return before;
  if (typeof before === "string" && typeof piece === "string") return before + piece;
  if (Array.isArray(before) && Array.isArray(piece)) return [...before, ...piece];
  if (!isJsonObject(before) || !isJsonObject(piece)) return piece;
  const both = { ...before };
  for (const [name, value] of Object.entries(piece)) both[name] = joined(both[name], value);
  return both;
}

/** Streams begin with an empty text; a whole answer that only calls tools has none. */
function withoutEmptyContent(choice: JsonObject): JsonObject {
  const message = choice.message as JsonObject;
  if (message.content !== "" || message.tool_calls === undefined) return choice;
  return { ...choice, message: { ...message, content: null } };
}

function deltaOf({ tool_calls: calls, ...message }: JsonObject): JsonObject {
  const members = Object.entries(message).filter(([, value]) => value !== null);
  if (!Array.isArray(calls)) return Object.fromEntries(members);
  const pieces = (calls as JsonObject[]).map((call, index) => ({ index, ...call }));
  return { ...Object.fromEntries(members), tool_calls: pieces };
}
