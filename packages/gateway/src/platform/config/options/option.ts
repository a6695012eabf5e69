import { isJsonObject, type JsonObject } from "../../../contract/json.ts";
import { parseDuration } from "../../../util/duration.ts";

/** Why a value does not fit its option; `at` leads from the option's value to the part at fault. */
export class WrongValue {
  readonly message: string;
  readonly at: readonly (string | number)[];

  constructor(message: string, at: readonly (string | number)[] = []) {
    this.message = message;
    this.at = at;
  }
}

/** One configuration key: how its value is read, what it is when absent, what it does. */
export interface Option<T> {
  /** The value's shape in words, for errors and the reference table. */
  readonly shape: string;
  readonly initial: T;
  readonly doc: string;
  /** The typed value, or what is wrong with the one given. */
  readonly read: (value: unknown) => T | WrongValue;
}

/** A named group of options; the group's table is the one place to add one. */
export type OptionTable = Readonly<Record<string, Option<unknown>>>;

type Camel<Key extends string> = Key extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Key;

/** The settings that a table yields: its keys in camelCase with the types of its options. */
export type Settings<Table extends OptionTable> = {
  readonly [Key in keyof Table & string as Camel<Key>]: Table[Key] extends Option<infer T> ? T : never;
};

/** The keys of the tables, which every entry is read by. */
const camelKeys = new Map<string, string>();

/** `num_retries` as `numRetries`; for keys of tables alone, because each is remembered. */
export function camelCase(key: string): string {
  let camel = camelKeys.get(key);
  if (camel === undefined) {
    camel = key.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
    camelKeys.set(key, camel);
  }
  return camel;
}

/** An option without a default. */
export function optional<T>(option: Option<T>): Option<T | undefined> {
  return { ...option, initial: undefined };
}

export function text(initial: string, doc: string): Option<string> {
  return { shape: "text", initial, doc, read: readText };
}

/** True or false, also in YAML 1.1's words (`yes`, `on`), which Python's YAML reads so. */
export function flag(initial: boolean, doc: string): Option<boolean> {
  return { shape: "true or false", initial, doc, read: readFlag };
}

/** A number from `least` on; text that spells one is read too, because environment variables are text. */
export function amount(initial: number, doc: string, least = 0): Option<number> {
  return {
    shape: `a number, at least ${least}`,
    initial,
    doc,
    read: (value) => {
      const number = readNumber(value);
      if (number instanceof WrongValue) return number;
      return number < least ? new WrongValue(`expected a number, at least ${least}`) : number;
    },
  };
}

/** Milliseconds of a length of time in LiteLLM's spelling, from `least` on. */
export function lengthOfTime(doc: string, least: number): Option<number> {
  const shape = "a length of time such as 12h, 7d or 1mo";
  return {
    shape,
    initial: 0,
    doc,
    read: (value) => {
      const length = typeof value === "string" ? parseDuration(value) : undefined;
      if (length === undefined) return new WrongValue(`expected ${shape}`);
      return length < least ? new WrongValue(`expected at least ${least / 1000}s`) : length;
    },
  };
}

/** A length of time as LiteLLM spells it, kept as it is written. */
export function windowLength(doc: string): Option<string> {
  const shape = "a length of time such as 30s, 12h, 30d or 1mo";
  return {
    shape,
    initial: "",
    doc,
    read: (value) =>
      typeof value === "string" && parseDuration(value) !== undefined
        ? value
        : new WrongValue(`expected ${shape}`),
  };
}

/** A whole number from `least` on. */
export function count(initial: number, doc: string, least = 0): Option<number> {
  const base = amount(initial, doc, least);
  return {
    ...base,
    shape: `a whole number, at least ${least}`,
    read: (value) => {
      const number = base.read(value);
      return number instanceof WrongValue || Number.isInteger(number)
        ? number
        : new WrongValue(`expected a whole number, at least ${least}`);
    },
  };
}

export function oneOf<const Word extends string>(
  words: readonly Word[],
  initial: Word,
  doc: string,
  synonyms: Readonly<Record<string, Word>> = {},
): Option<Word> {
  return {
    shape: `one of ${words.join(", ")}`,
    initial,
    doc,
    read: (value) =>
      words.find((word) => word === value) ??
      (typeof value === "string" && Object.hasOwn(synonyms, value) ? synonyms[value] : undefined) ??
      new WrongValue(`expected one of ${words.join(", ")}`),
  };
}

/** A list of texts; a single text counts as a list of one. */
export function texts(initial: readonly string[], doc: string): Option<readonly string[]> {
  return { shape: "a list of texts", initial, doc, read: readTexts };
}

/** A list of names; a map among them counts as the name of its first member, whose value is not looked at. */
export function names(initial: readonly string[], doc: string): Option<readonly string[]> {
  const named = (item: unknown): unknown => (isJsonObject(item) ? Object.keys(item)[0] : item);
  return {
    ...texts(initial, doc),
    read: (value) => readTexts(Array.isArray(value) ? value.map(named) : value),
  };
}

/** A map from names to texts. */
export function textMap(doc: string): Option<Readonly<Record<string, string>>> {
  return {
    shape: "a map from names to texts",
    initial: {},
    doc,
    read: (value) => {
      if (!isJsonObject(value)) return new WrongValue("expected a map from names to texts");
      for (const [key, item] of Object.entries(value)) {
        if (typeof item !== "string") return new WrongValue("expected text", [key]);
      }
      return value as Record<string, string>;
    },
  };
}

/** A map whose members the gateway passes on or checks later. */
export function objectValue(doc: string): Option<JsonObject> {
  return {
    shape: "a map",
    initial: {},
    doc,
    read: (value) => (isJsonObject(value) ? value : new WrongValue("expected a map")),
  };
}

/** A list whose entries are read by a table of their own. */
export function listValue(doc: string): Option<readonly unknown[]> {
  return {
    shape: "a list",
    initial: [],
    doc,
    read: (value) => (Array.isArray(value) ? value : new WrongValue("expected a list")),
  };
}

/** An option of LiteLLM's that changes nothing here; it is accepted and said to have no effect. */
export function ignored(reason: string): Option<undefined> {
  return { shape: "ignored", initial: undefined, doc: reason, read: () => undefined };
}

/**
 * An option of LiteLLM's that restricts who may do what or how much, and that the gateway does not enforce. It is
 * accepted, and its warning says so in plain words, because whoever set it relies on it.
 */
export function unenforced(reason: string): Option<undefined> {
  return { shape: "unenforced", initial: undefined, doc: reason, read: () => undefined };
}

/** Several such options for one reason. */
export function allIgnored<const Name extends string>(
  reason: string,
  names: readonly Name[],
): Readonly<Record<Name, Option<undefined>>> {
  return Object.fromEntries(names.map((name) => [name, ignored(reason)])) as Record<Name, Option<undefined>>;
}

/** Several options that are not enforced for one reason. */
export function allUnenforced<const Name extends string>(
  reason: string,
  names: readonly Name[],
): Readonly<Record<Name, Option<undefined>>> {
  return Object.fromEntries(names.map((name) => [name, unenforced(reason)])) as Record<
    Name,
    Option<undefined>
  >;
}

function readText(value: unknown): string | WrongValue {
  if (typeof value === "string") return value;
  return new WrongValue(
    typeof value === "number" ? "expected text; put the value in quotes" : "expected text",
  );
}

function readFlag(value: unknown): boolean | WrongValue {
  if (typeof value === "boolean") return value;
  const word = typeof value === "string" ? value.toLowerCase() : "";
  if (["true", "yes", "on"].includes(word)) return true;
  if (["false", "no", "off"].includes(word)) return false;
  return new WrongValue("expected true or false");
}

function readNumber(value: unknown): number | WrongValue {
  const number = typeof value === "string" && value.trim() !== "" ? numberIn(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : new WrongValue("expected a number");
}

/** `20_000` is a number in YAML 1.1, and so in LiteLLM's files. */
function numberIn(text: string): number {
  return Number(/^\d[\d_]*$/.test(text) ? text.replaceAll("_", "") : text);
}

function readTexts(value: unknown): readonly string[] | WrongValue {
  if (typeof value === "string") return [value];
  if (!Array.isArray(value)) return new WrongValue("expected a list of texts");
  const wrong = value.findIndex((item) => typeof item !== "string");
  return wrong === -1 ? (value as string[]) : new WrongValue("expected text", [wrong]);
}
