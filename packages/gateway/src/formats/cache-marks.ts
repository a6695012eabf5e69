import { isJsonObject, type JsonObject } from "../contract/json.ts";

/** Anthropic takes so many marks in one request. */
const MAX_MARKS = 4;

/** Where a mark goes: messages of a role, or the one at an index, from the end where it is negative. */
interface Point {
  readonly role: string | undefined;
  readonly index: number | undefined;
  readonly control: JsonObject;
}

/** LiteLLM's `cache_control_injection_points`; what points to no message is none. */
export function cachePoints(value: unknown): readonly Point[] {
  if (!Array.isArray(value)) return [];
  return value.filter(isJsonObject).flatMap(({ location = "message", role, index, control }) => {
    if (location !== "message") return [];
    const place = {
      role: typeof role === "string" ? role : undefined,
      index: index === undefined || index === null || index === "" ? undefined : Number(index),
    };
    if (place.role === undefined && !Number.isInteger(place.index)) return [];
    return { ...place, control: isJsonObject(control) ? control : { type: "ephemeral" } };
  });
}

/**
 * The members of a chat completion or Messages request that get marks of Anthropic's prompt cache, as they are with them:
 * each on the last part of its message, and no more than are allowed beside the caller's own.
 * @param isChat chat completions have the marks of assistants' and tools' messages beside their content
 */
export function withCacheMarks(
  data: JsonObject,
  points: readonly Point[],
  isChat: boolean,
): Map<string, unknown> {
  const changed = new Map<string, unknown>();
  if (points.length === 0 || !Array.isArray(data.messages)) return changed;
  let room = MAX_MARKS - marksIn(data);
  const messages = [...data.messages];
  for (const { role, index, control } of points) {
    if (role === "system" && index === undefined && room > 0) {
      const system = marked(data.system, control);
      if (system !== undefined) {
        changed.set("system", system);
        room -= 1;
      }
    }
    for (const at of placesOf(messages, role, index)) {
      const message = messages[at] as JsonObject;
      const change = room > 0 ? markedMessage(message, control, isChat) : undefined;
      if (change === undefined) continue;
      messages[at] = { ...message, ...change };
      changed.set("messages", messages);
      room -= 1;
    }
  }
  return changed;
}

/** The latest first: a mark there covers all that comes before it. */
function placesOf(
  messages: readonly unknown[],
  role: string | undefined,
  index: number | undefined,
): readonly number[] {
  const isMeant = (at: number): boolean => {
    const message = messages[at];
    return isJsonObject(message) && (role === undefined || message.role === role);
  };
  const all = messages.map((_, at) => at).filter(isMeant);
  if (index === undefined) return all.toReversed();
  const at = index < 0 ? messages.length + index : index;
  return all.filter((one) => one === at);
}

function markedMessage(message: JsonObject, control: JsonObject, isChat: boolean): JsonObject | undefined {
  if (message.cache_control !== undefined) return undefined;
  if (isChat && (message.role === "assistant" || message.role === "tool")) return { cache_control: control };
  const content = marked(message.content, control);
  return content === undefined ? undefined : { content };
}

/** A content with a mark on its last part; `undefined` where there is none, or one is there already. */
function marked(content: unknown, control: JsonObject): unknown | undefined {
  if (typeof content === "string")
    return content.trim() === "" ? undefined : [{ type: "text", text: content, cache_control: control }];
  const last: unknown = Array.isArray(content) ? content.at(-1) : undefined;
  if (!isJsonObject(last) || last.cache_control !== undefined) return undefined;
  return [...(content as unknown[]).slice(0, -1), { ...last, cache_control: control }];
}

function marksIn({ messages, system, tools }: JsonObject): number {
  const parts = [messages, system, tools].filter(Array.isArray).flat().filter(isJsonObject);
  const within = parts
    .flatMap((part) => (Array.isArray(part.content) ? part.content : []))
    .filter(isJsonObject);
  return [...parts, ...within].filter((part) => part.cache_control !== undefined).length;
}
