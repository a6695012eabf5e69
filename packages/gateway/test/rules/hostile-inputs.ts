import type { JsonObject } from "../../src/contract/json.ts";

/** Texts that made tokenizers, masks and hashes slow, by what they are; each is about `characters` long. */
export const hostileTexts: Readonly<Record<string, (characters: number) => string>> = {
  spaces: (characters) => " ".repeat(characters),
  newlines: (characters) => "\n".repeat(characters),
  "no-break spaces": (characters) => "\u00a0".repeat(characters),
  "long words": (characters) => `${"x".repeat(1990)} `.repeat(characters / 1991),
  "one word": (characters) => "a".repeat(characters),
  digits: (characters) => "1".repeat(characters),
  "regular expression's trap": (characters) => `${"a".repeat(characters)}!`,
  emails: (characters) => "a@".repeat(characters / 2),
  "data URL": (characters) => `data:image/png;base64,${"A".repeat(characters)}`,
  "steps of a path": (characters) => "../".repeat(characters / 3),
  "secrets' look": (characters) => "Bearer sk-".repeat(characters / 10),
  emoji: (characters) => "👩‍👩‍👧‍👦".repeat(characters / 11),
};

/** Bodies that are many or deep, by the request that they are made from. */
export const hostileBodies: Readonly<Record<string, (example: JsonObject, bytes: number) => string>> = {
  "tiny values": (example, bytes) => withMember(example, list("{}", bytes / 3)),
  "many members": (example, bytes) =>
    withMember(example, `{${Array.from({ length: bytes / 12 }, (_, at) => `"k${at}":1`).join(",")}}`),
  "deep lists": (example, bytes) => withMember(example, "[".repeat(bytes / 2) + "]".repeat(bytes / 2)),
  "small messages": (example, bytes) => many(example, { role: "user", content: "hi" }, bytes / 31),
  "many tools": (example, bytes) =>
    many(example, { type: "function", function: { name: "f", parameters: {} }, name: "f" }, bytes / 75),
};

function list(item: string, length: number): string {
  return `[${`${item},`.repeat(length)}${item}]`;
}

function withMember(example: JsonObject, value: string): string {
  const text = JSON.stringify(example);
  return `${text.slice(0, -1)}${text === "{}" ? "" : ","}"metadata":${value}}`;
}

/** The example with each of its lists, or else `input` and `tools`, filled with this. */
function many(example: JsonObject, item: object, length: number): string {
  const lists = Object.keys(example).filter((name) => Array.isArray(example[name]));
  const names = lists.length === 0 ? ["input", "tools"] : [...lists, "tools"];
  const items = Array.from({ length: length / names.length }, () => item);
  return JSON.stringify({ ...example, ...Object.fromEntries(names.map((name) => [name, items])) });
}
