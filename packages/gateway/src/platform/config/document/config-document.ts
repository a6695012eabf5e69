import { isJsonObject, type JsonObject } from "../../../contract/json.ts";
import { hostsAlone } from "../../log/redact.ts";
import { ConfigError, type Problem } from "../problem.ts";
import { YamlError, YamlText } from "./yaml-text.ts";

/** Steps from the top of a file to one of its values. */
export type ConfigPath = readonly (string | number)[];

/** A list or section of another file that belongs to the document. */
interface Addition {
  readonly document: ConfigDocument;
  readonly section: string;
  /** Position of its first item where it is a list. */
  readonly from: number;
}

/** LiteLLM reads such files too, and takes the last. */
const REPEATED = "this key stands there more than once; the last one holds";

/** A parsed configuration file: its value, where each part stands, and what was found wrong with it. */
export class ConfigDocument {
  readonly file: string;
  value: unknown;
  readonly errors: Problem[] = [];
  readonly warnings: Problem[] = [];
  readonly #text: string;
  readonly #yaml: YamlText;
  readonly #added: Addition[] = [];
  readonly #synonyms = new Map<string, string>();

  /** @throws ConfigError when the text is not YAML */
  constructor(file: string, text: string) {
    this.file = file;
    this.#text = text;
    try {
      this.#yaml = new YamlText(text);
    } catch (error) {
      if (!(error instanceof YamlError)) throw error;
      throw new ConfigError([this.#problemAt(error.offset, "", error.message)]);
    }
    for (const offset of this.#yaml.repeated) this.warnings.push(this.#problemAt(offset, "", REPEATED));
    this.value = this.#yaml.value ?? {};
  }

  /** Adds another file's lists behind the own ones and its settings over them; problems are placed where they stand. */
  add(other: ConfigDocument): void {
    const merged: JsonObject = { ...(this.value as JsonObject) };
    for (const [section, theirs] of Object.entries(other.value as JsonObject)) {
      const own = merged[section];
      const from = Array.isArray(own) ? own.length : 0;
      if (Array.isArray(own) && Array.isArray(theirs)) merged[section] = [...own, ...theirs];
      else if (isJsonObject(own) && isJsonObject(theirs)) merged[section] = { ...own, ...theirs };
      else merged[section] = theirs;
      this.#added.unshift({ document: other, section, from });
    }
    this.value = merged;
  }

  /** From now on what is said of a key of `section` that stands under its synonym alone names that. */
  addSynonym(section: string, synonym: string): void {
    this.#synonyms.set(section, synonym);
  }

  error(path: ConfigPath, message: string): void {
    this.errors.push(this.#problem(path, message));
  }

  warn(path: ConfigPath, message: string): void {
    this.warnings.push(this.#problem(path, message));
  }

  /** Calls will fail because of this, though the gateway can start. */
  warnOfFailure(path: ConfigPath, message: string): void {
    this.warnings.push({ ...this.#problem(path, message), breaksCalls: true });
  }

  /**
   * Throws what was found wrong, with the warnings that are often its cause: keys that are misspelt, variables that are
   * not set. @throws ConfigError
   */
  refuse(): never {
    throw new ConfigError(
      this.errors,
      this.warnings.filter(({ message }) =>
        /did you mean|the environment variable \S+ is not set/.test(message),
      ),
    );
  }

  /** The text at a path as it is written, before anything is resolved. */
  textAt(path: ConfigPath): string | undefined {
    let value: unknown = this.value;
    for (const step of path) value = (value as Record<string | number, unknown> | null | undefined)?.[step];
    return typeof value === "string" ? value : undefined;
  }

  /** Whether the beginning of the path, up to the second step, stands in this file. */
  #holds([section, second]: ConfigPath): boolean {
    const value = (this.value as JsonObject)[String(section)];
    if (second === undefined) return value !== undefined;
    if (typeof second === "number") return Array.isArray(value) && second >= 0 && second < value.length;
    return isJsonObject(value) && Object.hasOwn(value, second);
  }

  #problem(given: ConfigPath, message: string): Problem {
    const path = this.#asWritten(given);
    for (const { document, section, from } of this.#added) {
      const [first, second, ...rest] = path;
      if (first !== section) continue;
      const theirs = typeof second === "number" ? [section, second - from, ...rest] : path;
      if (document.#holds(theirs))
        return { ...document.#problem(theirs, message), path: hostsAlone(pathText(path)) };
    }
    return this.#problemAt(this.#yaml.offsetOf(path), pathText(path), message);
  }

  #asWritten(path: ConfigPath): ConfigPath {
    const [section, key, ...rest] = path;
    const synonym = key === undefined ? undefined : this.#synonyms.get(String(section));
    const holds = (name: string): boolean => {
      const value = (this.value as JsonObject)[name];
      return isJsonObject(value) && Object.hasOwn(value, key!);
    };
    return synonym === undefined || holds(String(section)) || !holds(synonym)
      ? path
      : [synonym, key!, ...rest];
  }

  #problemAt(offset: number | undefined, path: string, message: string): Problem {
    const at = { file: this.file, ...(offset === undefined ? NOWHERE : placeOf(this.#text, offset)) };
    // An address that was put into the wrong place is not to be read in a log either.
    return { ...at, path: hostsAlone(path), message: hostsAlone(message) };
  }
}

const NOWHERE = { line: undefined, column: undefined };

/** Line and column, from 1. */
function placeOf(text: string, offset: number): { readonly line: number; readonly column: number } {
  const lines = text.slice(0, offset).split("\n");
  return { line: lines.length, column: lines.at(-1)!.length + 1 };
}

/** `["model_list", 0, "model_name"]` as `model_list[0].model_name`. */
export function pathText(path: ConfigPath): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === "number") return `${text}[${step}]`;
    return text === "" ? step : `${text}.${step}`;
  }, "");
}
