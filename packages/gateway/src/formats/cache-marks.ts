import { isJsonObject, type JsonObject } from "../contract/json.ts";

/** Anthropic takes so many marks in one request. */
const MAX_MARKS = 4;

/** Where a mark goes: messages of a role, or the one at an index, from the end where it is negative. */
interface Point {
  readonly role: string | undefined;
  readonly index: number | undefined;
  readonly control: JsonObject;
}

/** LiteLLM's `cache_control_injection_points`, each place once; what points to no message is none. */
export function cachePoints(value: unknown): readonly Point[] {
  if (!Array.isArray(value)) return [];
  const known = new Set<string>();
  return value.filter(isJsonObject).flatMap(({ location = "message", role, index, control }) => {
    if (location !== "message") return [];
    const place = {
      role: typeof role === "string" ? role : undefined,
      index: index === undefined || index === null || index === "" ? undefined : Number(index),
    };
    if (place.role === undefined && !Number.isInteger(place.index)) return [];
    const name = JSON.stringify([place.role, place.index]);
    if (known.has(name)) return [];
    known.add(name);
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
  const places = placesIn(messages);
  for (const { role, index, control } of points) {
    if (room <= 0) break;
    if (role === "system" && index === undefined) {
      const system = marked(data.system, control);
      if (system !== undefined) {
        changed.set("system", system);
        room -= 1;
      }
    }
    for (const at of places(role, index)) {
      if (room <= 0) break;
      const message = messages[at] as JsonObject;
      const change = markedMessage(message, control, isChat);
      if (change === undefined) continue;
      messages[at] = { ...message, ...change };
      changed.set("messages", messages);
      room -= 1;
    }
  }
  return changed;
}

/**
 * Where the messages of a role or at an index are, the latest first: a mark there covers all that comes before it. Points
 * and messages may be many, and so each point walks no further than to its own.
 */
function placesIn(
  messages: readonly unknown[],
): (role: string | undefined, index: number | undefined) => readonly number[] {
  const all = messages.flatMap((message, at) => (isJsonObject(message) ? at : [])).reverse();
  const byRole = Map.groupBy(all, (at) => (messages[at] as JsonObject).role);
  return (role, index) => {
    if (index === undefined) return byRole.get(role) ?? [];
    const at = index < 0 ? messages.length + index : index;
    const message = messages[at];
    return isJsonObject(message) && (role === undefined || message.role === role) ? [at] : [];
  };
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
