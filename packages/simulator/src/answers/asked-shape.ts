import { type JsonObject, parseObject } from "../util/json.ts";
import type { Conversation, TextShape } from "./conversation.ts";

const ASKS_FOR_SCHEMA = /json[\s_-]?schema/gi;
const ASKS_FOR_JSON =
  /\b(?:answer|respond|reply|return|output|provide)\b[^.\n]{0,40}\bJSON\b|\bJSON (?:object|only)\b/i;
/** Characters after the words in which a schema begins. */
const NEAR = 200;
/** Longest text in which a schema is looked for: agents' instructions are long, and ask for something else. */
const MAX_TEXT = 20_000;

/**
 * The shape of an answer: what a field of the request wants, else what its texts ask for, as clients do whose provider
 * has no such field. With tools on offer an agent's instructions may speak of JSON that is none of the answer's.
 */
export function askedShape({
  shape,
  tools,
  directives,
  instructions = "",
}: Conversation): TextShape | undefined {
  if (shape?.kind === "schema" || tools.length > 0) return shape;
  const texts = [directives.text, instructions].filter(({ length }) => length <= MAX_TEXT);
  const schema = texts.map(schemaIn).find((found) => found !== undefined);
  if (schema !== undefined) return { kind: "schema", schema };
  return shape ?? (texts.some((text) => ASKS_FOR_JSON.test(text)) ? { kind: "json" } : undefined);
}

/** The text of an answer as the prompt wants it: in a block of Markdown where it names one. */
export function fenced(json: string, { directives, instructions = "" }: Conversation): string {
  return /```json/.test(directives.text + instructions) ? `\`\`\`json\n${json}\n\`\`\`` : json;
}

function schemaIn(text: string): JsonObject | undefined {
  for (const { index } of text.matchAll(ASKS_FOR_SCHEMA)) {
    const start = text.indexOf("{", index);
    if (start < 0 || start > index + NEAR) continue;
    const schema = objectAt(text, start);
    if (schema !== undefined && ["type", "properties", "$ref", "anyOf"].some((word) => word in schema))
      return schema;
  }
  return undefined;
}

/** The JSON object that begins there. */
function objectAt(text: string, start: number): JsonObject | undefined {
  let depth = 0;
  for (const { 0: piece, index } of text.slice(start).matchAll(/"(?:[^"\\]|\\.)*"|[{}]/g)) {
    if (piece === "{") depth += 1;
    if (piece === "}") depth -= 1;
    if (depth === 0) return parseObject(text.slice(start, start + index + 1));
  }
  return undefined;
}
