import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setImmediate as nextTurn } from "node:timers/promises";
import { invalidRequest } from "../../contract/errors.ts";
import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import { formParser } from "../../core/http/multipart/form-parser.ts";
import { nestedFields } from "../../core/http/multipart/nested-fields.ts";

/** Fields that a form may have: more take longer than other callers may be kept waiting. */
const MAX_FIELDS = 10_000;
/** Fields among which a customer is looked for. */
const NAMING_FIELDS = 100;
/** Bytes of a form that are looked at in one turn of the event loop. */
const PIECE = 256 * 1024;
export const MULTIPART = /^\s*multipart\/form-data\s*;/i;
export const ONE_LINE = /^\s*application\/x-www-form-urlencoded/i;

/**
 * The body of `multipart/form-data` for hooks: its fields, and of its files the names. It is made anew when they are done.
 * @throws GatewayError 400 for an invalid form
 */
export async function formBody(bytes: Buffer, type: string) {
  const form = await readForm(bytes, type);
  const parts = [...form].map(([name, value]) =>
    typeof value === "string" ? { name, text: value } : { name, filename: value.name },
  );
  const files = [...form].map(([, value]) => value);
  return {
    data: { form: parts },
    named: ({ form: changed }: JsonObject) => firstFields(textParts(changed)),
    finished: async ({ form: changed }: JsonObject) => {
      const sent = new FormData();
      for (const [at, part] of (Array.isArray(changed) ? changed : []).entries()) {
        const file = files[at];
        if (!isJsonObject(part) || typeof part.name !== "string")
          throw invalidRequest("form: no part", "form");
        if (typeof part.text === "string") sent.append(part.name, part.text);
        else if (file instanceof File) sent.append(part.name, file, String(part.filename));
      }
      const body = new Response(sent);
      const contentType = body.headers.get("content-type") ?? "";
      return { bytes: Buffer.from(await body.arrayBuffer()), contentType };
    },
  };
}

/** The fields of a form that is one line. @throws GatewayError 400 where there are too many */
export function fieldsOfLine(text: string): URLSearchParams {
  let fields = 1;
  for (let at = text.indexOf("&"); at !== -1; at = text.indexOf("&", at + 1))
    if (++fields > MAX_FIELDS)
      throw invalidRequest(`At most ${MAX_FIELDS} fields pass through`, "request_body");
  return new URLSearchParams(text);
}

/**
 * The fields in which a form names its customer and its tags.
 * @param pairs as hooks may have left them
 */
export function firstFields(pairs: unknown): JsonObject {
  const isField = (pair: unknown): pair is [string, string] =>
    Array.isArray(pair) && pair.length === 2 && pair.every((text) => typeof text === "string");
  return Array.isArray(pairs) ? nestedFields(pairs.slice(0, NAMING_FIELDS).filter(isField)) : {};
}

function textParts(parts: unknown): unknown {
  return Array.isArray(parts)
    ? parts.map((part: unknown) => isJsonObject(part) && [part.name, part.text])
    : [];
}

/** The first fields of a form that passes as it came; empty for any other body. */
export async function fieldsIn(bytes: Buffer, type: string): Promise<JsonObject> {
  if (ONE_LINE.test(type)) return firstFields([...fieldsOfLine(bytes.toString("utf8"))]);
  return MULTIPART.test(type) ? firstFields(await fieldsOfParts(bytes, type)) : {};
}

/** In pieces, so that others get their turn: a file in a form may be large. */
async function fieldsOfParts(bytes: Buffer, type: string): Promise<[string, string][]> {
  const fields: [string, string][] = [];
  try {
    const parser = formParser({ headers: { "content-type": type }, limits: { fields: NAMING_FIELDS } });
    parser.on("field", (name, value) => fields.push([name, value]));
    parser.on("file", (_name, file) => file.resume());
    await pipeline(Readable.from(piecesOf(bytes)), parser);
  } catch {
    // Whether it is a form the provider says.
  }
  return fields;
}

async function* piecesOf(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let from = 0; from < bytes.length; from += PIECE) {
    yield bytes.subarray(from, from + PIECE);
    await nextTurn();
  }
}

async function readForm(bytes: Buffer, type: string): Promise<FormData> {
  try {
    return await new Response(new Uint8Array(bytes), { headers: { "content-type": type } }).formData();
  } catch {
    throw invalidRequest("The body is not a valid form", "request_body");
  }
}
