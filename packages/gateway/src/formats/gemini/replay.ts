import { isJsonObject, type JsonObject, objectOf, parseJsonObject } from "../../contract/json.ts";
import type { Replay } from "../replay.ts";
import { dataEvent, type SseEvent } from "../sse-event.ts";

/** `generateContent` and the chunks of `streamGenerateContent`, each of which is an answer of its own. */
export const geminiReplay: Replay = {
  wholeOf: (events: readonly SseEvent[]) => {
    const chunks = events.map(({ data }) => parseJsonObject(data)).filter((chunk) => chunk !== undefined);
    if (chunks.length === 0) return undefined;
    const candidates = new Map<unknown, JsonObject>();
    const answer: JsonObject = {};
    for (const { candidates: parts, ...members } of chunks) {
      Object.assign(answer, members);
      for (const part of Array.isArray(parts) ? (parts as JsonObject[]) : []) {
        const before = candidates.get(part.index ?? 0);
        candidates.set(part.index ?? 0, before === undefined ? part : continued(before, part));
      }
    }
    return candidates.size === 0 ? answer : { candidates: [...candidates.values()], ...answer };
  },
  eventsOf: (answer: JsonObject) => dataEvent(answer),
};

function continued(before: JsonObject, chunk: JsonObject): JsonObject {
  const content = { ...objectOf(before.content), ...objectOf(chunk.content) };
  const parts = [...partsOf(before), ...partsOf(chunk)].reduce<JsonObject[]>(withPart, []);
  return { ...before, ...chunk, content: { ...content, parts } };
}

function partsOf({ content }: JsonObject): JsonObject[] {
  const { parts } = objectOf(content);
  return Array.isArray(parts) ? parts.filter(isJsonObject) : [];
}

/** Text goes on in the part before where that is the same kind of text. */
function withPart(parts: JsonObject[], part: JsonObject): JsonObject[] {
  const last = parts.at(-1);
  if (last === undefined || !isPlainText(last) || !isText(part) || last.thought !== part.thought)
    return [...parts, part];
  return [...parts.slice(0, -1), { ...last, ...part, text: `${last.text}${part.text}` }];
}

function isText({ text }: JsonObject): boolean {
  return typeof text === "string";
}

/** Text that no signature has closed. */
function isPlainText(part: JsonObject): boolean {
  return isText(part) && part.thoughtSignature === undefined;
}
