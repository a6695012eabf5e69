import { floatRepr } from "../util/python-repr.ts";

/**
 * JSON as Python's `json` module reads and writes it.
 *
 * JavaScript's own parser would reorder keys that look like integers, round long integers and forget whether a
 * number was `1` or `1.0`; a notebook's metadata must come out as it went in.
 */
export type PythonJson = string | boolean | null | PythonNumber | PythonJson[] | Map<string, PythonJson>;

/** A number as Python would print it. */
export class PythonNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** The document is not JSON; `position` counts UTF-16 units from the start. */
export class JsonError extends Error {
  readonly position: number;

  constructor(message: string, text: string, position: number) {
    const before = text.slice(0, position);
    const line = before.split("\n").length;
    const column = position - (before.lastIndexOf("\n") + 1) + 1;
    super(`${message}: line ${line} column ${column} (char ${position})`);
    this.name = "JsonError";
    this.position = position;
  }
}

/** Deeper documents are refused; Python's own parser gives up near its recursion limit as well. */
const MAX_DEPTH = 900;

/** Parses a document (Python: `json.loads`); throws `JsonError`. */
export function parseJson(text: string): PythonJson {
  return new Reader(text).document();
}

class Reader {
  readonly #text: string;
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): PythonJson {
    this.#skipSpace();
    const value = this.#value();
    this.#skipSpace();
    if (this.#at < this.#text.length) throw this.#error("Extra data");
    return value;
  }

  #value(): PythonJson {
    const char = this.#text[this.#at];
    if (char === '"') return this.#string();
    if (char === "{") return this.#nested(() => this.#object());
    if (char === "[") return this.#nested(() => this.#array());
    for (const [word, value] of words) {
      if (this.#text.startsWith(word, this.#at)) {
        this.#at += word.length;
        return value;
      }
    }
    return this.#number();
  }

  #nested<T>(read: () => T): T {
    if (++this.#depth > MAX_DEPTH) throw this.#error("Nested too deeply");
    this.#at++;
    const value = read();
    this.#depth--;
    return value;
  }

  #object(): Map<string, PythonJson> {
    const members = new Map<string, PythonJson>();
    this.#skipSpace();
    if (this.#take("}")) return members;
    for (;;) {
      this.#skipSpace();
      if (this.#text[this.#at] !== '"')
        throw this.#error("Expecting property name enclosed in double quotes");
      const key = this.#string();
      this.#skipSpace();
      if (!this.#take(":")) throw this.#error("Expecting ':' delimiter");
      this.#skipSpace();
      members.set(key, this.#value());
      this.#skipSpace();
      if (this.#take("}")) return members;
      if (!this.#take(",")) throw this.#error("Expecting ',' delimiter");
    }
  }

  #array(): PythonJson[] {
    const items: PythonJson[] = [];
    this.#skipSpace();
    if (this.#take("]")) return items;
    for (;;) {
      this.#skipSpace();
      items.push(this.#value());
      this.#skipSpace();
      if (this.#take("]")) return items;
      if (!this.#take(",")) throw this.#error("Expecting ',' delimiter");
    }
  }

  #string(): string {
    const start = this.#at++;
    for (let at = this.#at; ; at++) {
      const code = this.#text.charCodeAt(at);
      if (Number.isNaN(code)) throw this.#error("Unterminated string starting at", start);
      if (code < 32) throw this.#error("Invalid control character at", at);
      if (code === 92 /* '\' */) at++;
      else if (code === 34 /* '"' */) {
        this.#at = at + 1;
        return this.#unescape(start, at + 1);
      }
    }
  }

  #unescape(start: number, end: number): string {
    try {
      return JSON.parse(this.#text.slice(start, end)) as string;
    } catch {
      throw this.#error("Invalid \\escape", start);
    }
  }

  #number(): PythonNumber {
    numberPattern.lastIndex = this.#at;
    const match = numberPattern.exec(this.#text);
    if (match === null) throw this.#error("Expecting value");
    this.#at = numberPattern.lastIndex;
    const isInteger = match[1] === undefined && match[2] === undefined;
    return new PythonNumber(isInteger ? BigInt(match[0]).toString() : jsonFloat(Number(match[0])));
  }

  #take(char: string): boolean {
    if (this.#text[this.#at] !== char) return false;
    this.#at++;
    return true;
  }

  #skipSpace(): void {
    while (" \t\n\r".includes(this.#text[this.#at] ?? "x")) this.#at++;
  }

  #error(message: string, position = this.#at): JsonError {
    return new JsonError(message, this.#text, position);
  }
}

const numberPattern = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?/y;

const words: readonly (readonly [string, PythonJson])[] = [
  ["true", true],
  ["false", false],
  ["null", null],
  ["NaN", new PythonNumber("NaN")],
  ["Infinity", new PythonNumber("Infinity")],
  ["-Infinity", new PythonNumber("-Infinity")],
];

/** Too large a number is `Infinity` to Python's `json`, too. */
function jsonFloat(value: number): string {
  return Number.isFinite(value) ? floatRepr(value) : String(value);
}

/**
 * Writes a document (Python: `json.dumps(value, indent=1, ensure_ascii=False)`). Both languages escape quotes,
 * backslashes and control characters alike and nothing else.
 */
export function writeJson(value: PythonJson): string {
  const parts: string[] = [];
  write(value, "\n", parts);
  return parts.join("");
}

function write(value: PythonJson, newline: string, parts: string[]): void {
  if (value instanceof PythonNumber) parts.push(value.text);
  else if (typeof value === "string") parts.push(JSON.stringify(value));
  else if (Array.isArray(value)) writeArray(value, newline, parts);
  else if (value instanceof Map) writeObject(value, newline, parts);
  else parts.push(String(value));
}

function writeArray(items: readonly PythonJson[], newline: string, parts: string[]): void {
  if (items.length === 0) {
    parts.push("[]");
    return;
  }
  let separator = "[";
  for (const item of items) {
    parts.push(separator, newline, " ");
    write(item, `${newline} `, parts);
    separator = ",";
  }
  parts.push(newline, "]");
}

function writeObject(members: ReadonlyMap<string, PythonJson>, newline: string, parts: string[]): void {
  if (members.size === 0) {
    parts.push("{}");
    return;
  }
  let separator = "{";
  for (const [key, member] of members) {
    parts.push(separator, newline, " ", JSON.stringify(key), ": ");
    write(member, `${newline} `, parts);
    separator = ",";
  }
  parts.push(newline, "}");
}
