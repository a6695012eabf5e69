import { type Colons, countColons, repeatsMembers } from "../util/repeated-members.ts";
import { check } from "./check.ts";
import { type GatewayError, invalidRequest, requestTooLarge } from "./errors.ts";
import type { Exchange } from "./exchange.ts";
import { isJsonObject, type JsonObject } from "./json.ts";
import { object, type Schema } from "./schema.ts";

const anObject = object();

/**
 * The exchange's body as a JSON object that fits a schema.
 * @throws GatewayError 400 for anything else, 413 and 408 as `Exchange.readBody`
 */
export async function parseJsonBody<T = JsonObject>(
  exchange: Exchange,
  schema: Schema<T> = anObject as Schema<T>,
): Promise<T> {
  return check(schema, readJsonObject(await exchange.readBody()));
}

/** The same where a request may have no body, which counts as an empty object. */
export async function optionalJsonBody<T = JsonObject>(
  exchange: Exchange,
  schema: Schema<T> = anObject as Schema<T>,
): Promise<T> {
  const bytes = await exchange.readBody();
  return check(schema, bytes.length === 0 ? {} : readJsonObject(bytes));
}

/**
 * A JSON object out of bytes. Of duplicate members the last one counts, as everywhere in the field; `__proto__`
 * members are dropped, so that no later copy of the object can change a prototype.
 * @throws GatewayError 400 for invalid JSON, other values than objects, nesting past the limit, and numbers that are too
 *   large; 413 for more values
 *   than are parsed without holding up other callers
 */
export function readJsonObject(bytes: Buffer): JsonObject {
  return readObject(bytes).body;
}

declare const passing: unique symbol;

/** Bytes of a body that say to every reader what was checked; only those may go to a provider as they came. */
export type PassingBytes = Buffer & { readonly [passing]: true };

/** A body, and its bytes where they can pass in its place. */
export interface ReadBody {
  readonly body: JsonObject;
  /** Absent where another reader could understand more of them than the body has: a member stands twice. */
  readonly raw: PassingBytes | undefined;
}

/**
 * A JSON object out of bytes that may go to a provider as they are.
 * @throws GatewayError as `readJsonObject`
 */
export function readPassingBody(bytes: Buffer): ReadBody {
  const { body, text, members, colons } = readObject(bytes);
  return { body, raw: repeatsMembers(text, members, colons) ? undefined : (bytes as PassingBytes) };
}

interface ReadObject {
  readonly body: JsonObject;
  readonly text: string;
  /** How many members the object has at every depth. */
  readonly members: number;
  /** Of the text, where they had to be counted. */
  readonly colons: Colons | undefined;
}

function readObject(bytes: Buffer): ReadObject {
  const text = bytes.toString("utf8");
  const colons = checkJsonLimits(bytes, text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const reason = bytes.length === 0 ? "the body is empty" : (error as Error).message;
    throw invalidRequest(`Invalid JSON payload: ${reason}`, "request_body");
  }
  if (!isJsonObject(value)) throw invalidRequest("The request body must be a JSON object", "request_body");
  return { body: value, text, members: dropPrototypes(value, 1), colons };
}

/** @returns how many members the value has then, at every depth */
function dropPrototypes(value: object, depth: number): number {
  if (depth > MAX_JSON_DEPTH) throw nestedTooDeep();
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) {
      if (typeof item === "object" && item !== null) count += dropPrototypes(item, depth + 1);
      else if (item === Number.POSITIVE_INFINITY || item === Number.NEGATIVE_INFINITY) throw tooLarge();
    }
    return count;
  }
  const members = value as JsonObject;
  for (const key in members) {
    if (key === "__proto__") delete members[key];
    else {
      count += 1;
      const member = members[key];
      if (typeof member === "object" && member !== null) count += dropPrototypes(member, depth + 1);
      else if (member === Number.POSITIVE_INFINITY || member === Number.NEGATIVE_INFINITY) throw tooLarge();
    }
  }
  return count;
}

/** Levels of nesting that a request may have; deeper ones only serve to exhaust the stack of whoever reads them. */
const MAX_JSON_DEPTH = 200;
/** Objects, lists and members: 100,000 are parsed in some 10 ms, the 9 million that fit into 30 MB in 10 s. */
const MAX_JSON_PARTS = 100_000;
/** Further values of lists, such as the tokens of texts to embed, of which OpenAI takes 300,000 a request. */
const MAX_JSON_ITEMS = 500_000;
/** Characters written as escapes, which are slow to read and to write again. */
const MAX_JSON_ESCAPES = 2_000_000;
/** What is shorter passes no limit but that of depth, which shows after parsing too: a part has two bytes at least. */
const MIN_CHECKED_BYTES = 2 * MAX_JSON_PARTS;
/** As many bytes have at least two for each item or escape. */
const MIN_COUNTED_BYTES = 2 * MAX_JSON_ITEMS;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPENING_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSING_BRACKET = 0x5d;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;

/**
 * Refuses JSON whose values are so many that parsing and walking it would hold up other callers; says nothing about
 * whether the JSON is valid.
 * @returns the text's colons, where they had to be counted
 * @throws GatewayError 413 past a limit, 400 for nesting past it
 */
export function checkJsonLimits(bytes: Buffer, text: string): Colons | undefined {
  if (bytes.length < MIN_CHECKED_BYTES) return undefined;
  const colons = countColons(text);
  if (mayPassLimits(text, colons)) countOutsideStrings(bytes);
  return colons;
}

/** Whether a text has marks enough for a limit, those in its strings included, which a search finds fast. */
function mayPassLimits(text: string, { all, behindQuotes }: Colons): boolean {
  if (behindQuotes === undefined) return true;
  const parts = all + countUpTo(MAX_JSON_PARTS, text, "{") + countUpTo(MAX_JSON_PARTS, text, "[");
  if (parts > MAX_JSON_PARTS) return true;
  if (text.length < MIN_COUNTED_BYTES) return false;
  const items = countUpTo(MAX_JSON_ITEMS, text, ",");
  return items > MAX_JSON_ITEMS || countUpTo(MAX_JSON_ESCAPES, text, "\\") > MAX_JSON_ESCAPES;
}

/** @returns how often a mark stands in a text, or more than `most` */
function countUpTo(most: number, text: string, mark: string): number {
  let count = 0;
  for (let at = text.indexOf(mark); at !== -1 && count <= most; at = text.indexOf(mark, at + 1)) count += 1;
  return count;
}

/** The exact count, for the few texts that have that many marks. */
function countOutsideStrings(bytes: Buffer): void {
  const { length } = bytes;
  let parts = 0;
  let items = 0;
  let depth = 0;
  let escapes = 0;
  for (let at = 0; at < length; at += 1) {
    switch (bytes[at]) {
      case QUOTE:
        for (at += 1; at < length && bytes[at] !== QUOTE; at += 1) {
          if (bytes[at] !== BACKSLASH) continue;
          at += 1;
          escapes += 1;
        }
        if (escapes > MAX_JSON_ESCAPES) throw tooMany(MAX_JSON_ESCAPES, "escaped characters");
        break;
      case OPENING_BRACE:
      case OPENING_BRACKET:
        if (++depth > MAX_JSON_DEPTH) throw nestedTooDeep();
        if (++parts > MAX_JSON_PARTS) throw tooMany(MAX_JSON_PARTS, "objects, lists and members");
        break;
      case COLON:
        if (++parts > MAX_JSON_PARTS) throw tooMany(MAX_JSON_PARTS, "objects, lists and members");
        break;
      case CLOSING_BRACE:
      case CLOSING_BRACKET:
        depth -= 1;
        break;
      case COMMA:
        if (++items > MAX_JSON_ITEMS) throw tooMany(MAX_JSON_ITEMS, "values");
    }
  }
}

/** The refusal of JSON that is nested too deep. */
function nestedTooDeep(): GatewayError {
  return invalidRequest(`The request body is nested deeper than ${MAX_JSON_DEPTH} levels`, "request_body");
}

/** The refusal of a number such as `1e999`, which would count as infinite here and as nothing where it is written again. */
function tooLarge(): GatewayError {
  return invalidRequest("The request body has a number that is too large", "request_body");
}

function tooMany(limit: number, what: string): GatewayError {
  const message = `The request body has more than ${limit.toLocaleString("en")} ${what}`;
  return requestTooLarge(message, "request_body");
}
