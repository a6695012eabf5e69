import { isJsonObject, type JsonObject } from "../../../contract/json.ts";

/**
 * A whole answer of the Chat Completions, Messages or Responses API with the texts that the model wrote mapped; the
 * very same object where nothing changed. Texts that others refer to by position (annotations, log probabilities)
 * stay as they are.
 */
export function mapAnswerTexts(answer: JsonObject, map: (text: string) => string): JsonObject {
  const part = (value: unknown): unknown => mapPart(value, map);
  if (Array.isArray(answer.choices))
    return mapMember(answer, "choices", (choices) => mapItems(choices, (choice) => mapChoice(choice, map)));
  if (answer.type === "message") return mapMember(answer, "content", (content) => mapItems(content, part));
  if (answer.object !== "response") return answer;
  return mapMember(answer, "output", (output) =>
    mapItems(output, (item) =>
      isJsonObject(item) && item.type === "message"
        ? mapMember(item, "content", (content) => mapItems(content, part))
        : item,
    ),
  );
}

function mapChoice(choice: unknown, map: (text: string) => string): unknown {
  if (!isJsonObject(choice) || isJsonObject(choice.logprobs)) return choice;
  return mapMember(choice, "message", (message) => {
    if (!isJsonObject(message) || hasItems(message.annotations)) return message;
    return mapMember(message, "content", (content) =>
      typeof content === "string" ? map(content) : mapItems(content, (part) => mapPart(part, map)),
    );
  });
}

/** One part of a text: `text` in chat and messages, `output_text` in responses. */
function mapPart(part: unknown, map: (text: string) => string): unknown {
  if (!isJsonObject(part) || (part.type !== "text" && part.type !== "output_text")) return part;
  if (hasItems(part.annotations) || hasItems(part.logprobs)) return part;
  return mapMember(part, "text", (text) => (typeof text === "string" ? map(text) : text));
}

function hasItems(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0;
}

function mapMember(object: JsonObject, key: string, map: (value: unknown) => unknown): JsonObject {
  const mapped = map(object[key]);
  return mapped === object[key] ? object : ({ ...object, [key]: mapped } as JsonObject);
}

function mapItems(value: unknown, map: (item: unknown) => unknown): unknown {
  if (!Array.isArray(value)) return value;
  const items = value.map(map);
  return items.some((item, index) => item !== value[index]) ? items : value;
}
