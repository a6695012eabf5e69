import type { WireFormat } from "../contract/wire-format.ts";
import { chatFields } from "./chat/fields.ts";
import { embeddingFields } from "./embeddings/fields.ts";
import { geminiFields } from "./gemini/fields.ts";
import { messagesFields } from "./messages/fields.ts";
import { responsesFields } from "./responses/fields.ts";

/** Fields that the reference implementation of each format takes; `drop_params` leaves others out. */
const known: Readonly<Record<WireFormat, ReadonlySet<string>>> = {
  chat: namesOf(chatFields),
  messages: namesOf(messagesFields),
  responses: namesOf(responsesFields),
  gemini: namesOf(geminiFields),
  embeddings: namesOf(embeddingFields),
};

/** Whether a format has a field of this name. */
export function knowsField(format: WireFormat, name: string): boolean {
  return known[format].has(name);
}

/** The fields of a request body that its format does not know. */
export function unknownFields(body: object, format: WireFormat): string[] {
  return Object.keys(body).filter((name) => !knowsField(format, name));
}

function namesOf(fields: object): ReadonlySet<string> {
  return new Set(Object.keys(fields).map((name) => name.replace(/!$/, "")));
}
