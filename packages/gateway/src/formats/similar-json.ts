import { type JsonObject, objectOf, parseJsonObject } from "../contract/json.ts";
import { usesSpeedPaths } from "../util/speed-paths.ts";

/** A member whose value changes from one event of a stream to the next. */
interface Hole {
  readonly parent: JsonObject;
  readonly name: string;
  readonly isNumber: boolean;
  /** Where its value begins in the text, behind the quote of a string, and where that ends. */
  readonly from: number;
  readonly to: number;
}

const TEXTS_OF_EVENT = ["delta", "obfuscation"];
const TEXTS_OF_DELTA = ["text", "thinking", "partial_json", "content", "reasoning_content", "reasoning"];
const NUMBER = "sequence_number";
/** What a text in JSON does not have as it is: the beginning of an escape, or what has to be one. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const NOT_PLAIN = /[\\\u0000-\u001f]/;
const MAX_DIGITS = 15;
/** Texts in a row that were remembered and followed by none that is like them. */
const MAX_FRUITLESS = 4;

/**
 * Parses the data of a stream's events, which hardly differ: what comes after the same members is the same object with
 * another text or number in it. Everything else is parsed. An object counts until the next one is parsed.
 */
export class SimilarJson {
  #object: JsonObject | undefined;
  #holes: readonly Hole[] = [];
  /** What stands before each hole, and after the last. */
  #literals: readonly string[] = [];
  #values: (string | number)[] = [];
  #fruitless = 0;

  /** The same as `parseJsonObject`. */
  parse(text: string): JsonObject | undefined {
    if (this.#object !== undefined && this.#matches(text)) {
      this.#fruitless = 0;
      for (let at = 0; at < this.#holes.length; at += 1) {
        const { parent, name } = this.#holes[at]!;
        parent[name] = this.#values[at];
      }
      return this.#object;
    }
    const object = parseJsonObject(text);
    if (object !== undefined && this.#fruitless < MAX_FRUITLESS && usesSpeedPaths)
      this.#remember(text, object);
    return object;
  }

  // Slices are compared several times as fast as `startsWith` compares.
  #matches(text: string): boolean {
    const holes = this.#holes;
    const literals = this.#literals;
    let at = 0;
    for (let index = 0; index < holes.length; index += 1) {
      const literal = literals[index]!;
      const from = at + literal.length;
      if (text.slice(at, from) !== literal) return false;
      const isNumber = holes[index]!.isNumber;
      at = isNumber ? endOfDigits(text, from) : text.indexOf('"', from);
      if (at === -1) return false;
      const value = text.slice(from, at);
      if (!isNumber && NOT_PLAIN.test(value)) return false;
      this.#values[index] = isNumber ? Number(value) : value;
    }
    return text.slice(at) === literals[holes.length];
  }

  #remember(text: string, object: JsonObject): void {
    // Without escapes each quote begins or ends a string, so that a name in quotes that stands once is that member.
    if (text.includes("\\")) return;
    const holes = holesOf(text, object);
    if (holes.length === 0) return;
    this.#fruitless += 1;
    // A copy: parts of the text would keep all of the chunk that it was cut from.
    const own = Buffer.from(text).toString("utf8");
    this.#object = object;
    this.#holes = holes;
    this.#literals = [...holes, undefined].map((hole, at) => own.slice(holes[at - 1]?.to ?? 0, hole?.from));
    this.#values = holes.map(() => "");
  }
}

function holesOf(text: string, event: JsonObject): Hole[] {
  const choice: unknown = Array.isArray(event.choices) ? event.choices[0] : undefined;
  const holes = [
    ...holesIn(text, event, TEXTS_OF_EVENT),
    ...holesIn(text, objectOf(event.delta), TEXTS_OF_DELTA),
    ...holesIn(text, objectOf(objectOf(choice).delta), TEXTS_OF_DELTA),
  ];
  // Texts are what keeps changing; an empty one stands in the event that begins them.
  if (!holes.some(({ from, to }) => to > from)) return [];
  return [...holes, ...holesIn(text, event, [NUMBER])].sort((one, other) => one.from - other.from);
}

function holesIn(text: string, parent: JsonObject, names: readonly string[]): Hole[] {
  const holes: Hole[] = [];
  for (const name of names) {
    const hole = Object.hasOwn(parent, name) ? holeAt(text, parent, name) : undefined;
    if (hole !== undefined) holes.push(hole);
  }
  return holes;
}

/** A member where its name stands but once in the text, which has no escapes. */
function holeAt(text: string, parent: JsonObject, name: string): Hole | undefined {
  const value = parent[name];
  const isNumber = name === NUMBER;
  if (typeof value !== (isNumber ? "number" : "string")) return undefined;
  const quoted = `"${name}"`;
  const at = text.indexOf(quoted);
  if (at === -1 || text.includes(quoted, at + 1)) return undefined;
  const begin = /^\s*:\s*/.exec(text.slice(at + quoted.length, at + quoted.length + 16));
  if (begin === null) return undefined;
  const start = at + quoted.length + begin[0].length;
  const from = isNumber ? start : start + 1;
  const to = isNumber ? endOfDigits(text, from) : text.indexOf('"', from);
  const isFound = to !== -1 && text.slice(from, to) === String(value) && (isNumber || text[start] === '"');
  return isFound ? { parent, name, isNumber, from, to } : undefined;
}

/** Where a whole number ends that JSON may have; -1 where there is none. */
function endOfDigits(text: string, from: number): number {
  let end = from;
  for (; end - from <= MAX_DIGITS; end += 1) {
    const code = text.charCodeAt(end);
    if (!(code >= 0x30 && code <= 0x39)) break;
  }
  const count = end - from;
  const isNumber = count > 0 && count <= MAX_DIGITS && (count === 1 || text.charCodeAt(from) !== 0x30);
  return isNumber ? end : -1;
}
