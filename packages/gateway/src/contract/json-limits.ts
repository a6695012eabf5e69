import { GatewayError, invalidRequest } from "./errors.ts";

/** Levels of nesting that a request may have; deeper ones only serve to exhaust the stack of whoever reads them. */
export const MAX_JSON_DEPTH = 200;
/** Objects, lists and members: 100,000 are parsed in some 10 ms, the 9 million that fit into 30 MB in 10 s. */
const MAX_JSON_PARTS = 100_000;
/** Further values of lists, such as the tokens of texts to embed, of which OpenAI takes 300,000 a request. */
const MAX_JSON_ITEMS = 500_000;
/** Characters written as escapes, which are slow to read and to write again. */
const MAX_JSON_ESCAPES = 2_000_000;
/** What is shorter passes no limit but that of depth, which shows after parsing too. */
const MIN_CHECKED_BYTES = MAX_JSON_PARTS;
/** Bytes of a string that are looked at one by one before it is searched for its end. */
const SHORT_STRING_BYTES = 64;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPENING_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSING_BRACKET = 0x5d;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;

/**
 * Refuses JSON whose values are so many that parsing and walking it would hold up other callers. Looks at each byte
 * outside of long strings once; says nothing about whether the JSON is valid.
 * @throws GatewayError 413 past a limit, 400 for nesting past it
 */
export function checkJsonLimits(bytes: Buffer): void {
  if (bytes.length < MIN_CHECKED_BYTES) return;
  const strings = new StringSkipper(bytes);
  let parts = 0;
  let items = 0;
  let depth = 0;
  for (let at = 0; at < bytes.length; at++) {
    switch (bytes[at]) {
      case QUOTE:
        at = strings.endOf(at);
        if (strings.escapes > MAX_JSON_ESCAPES) throw tooMany(MAX_JSON_ESCAPES, "escaped characters");
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
        depth--;
        break;
      case COMMA:
        if (++items > MAX_JSON_ITEMS) throw tooMany(MAX_JSON_ITEMS, "values");
    }
  }
}

/** Finds the ends of strings and counts the escapes in them. */
class StringSkipper {
  escapes = 0;
  readonly #bytes: Buffer;
  /** The next backslash from where it was last looked for; the length where there is none. */
  #backslash = -1;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** Where the string that begins at `start` ends: its closing quote, or the end of the bytes. */
  endOf(start: number): number {
    const bytes = this.#bytes;
    let at = start + 1;
    let stop = at + SHORT_STRING_BYTES;
    while (at < bytes.length) {
      if (at >= stop) {
        at = this.#nextMark(at);
        stop = at + SHORT_STRING_BYTES;
      }
      const byte = bytes[at];
      if (byte === QUOTE) return at;
      if (byte !== BACKSLASH) at++;
      else {
        this.escapes++;
        at += 2;
        stop = at + SHORT_STRING_BYTES;
      }
    }
    return bytes.length;
  }

  /** The next quote or backslash. */
  #nextMark(from: number): number {
    if (this.#backslash < from) this.#backslash = this.#find(BACKSLASH, from);
    return Math.min(this.#backslash, this.#find(QUOTE, from));
  }

  #find(byte: number, from: number): number {
    const found = this.#bytes.indexOf(byte, from);
    return found === -1 ? this.#bytes.length : found;
  }
}

/** The refusal of JSON that is nested too deep. */
export function nestedTooDeep(): GatewayError {
  return invalidRequest(`The request body is nested deeper than ${MAX_JSON_DEPTH} levels`, "request_body");
}

function tooMany(limit: number, what: string): GatewayError {
  const message = `The request body has more than ${limit.toLocaleString("en")} ${what}`;
  return new GatewayError(413, "request_too_large", message, { param: "request_body" });
}
