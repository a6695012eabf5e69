import { compilePythonRegex } from "../../util/python-regex/compile.ts";
import { PatternError } from "../../util/python-regex/pattern-error.ts";
import { pythonRepr } from "../../util/python-repr.ts";
import type { OptionDefinition } from "../options.ts";
import { isReadable } from "./real-paths.ts";
import { statPath } from "./stat-path.ts";
import { UsageError } from "./usage-error.ts";

/** An option's value after its check; a pattern comes compiled. */
export type OptionValue = boolean | number | string | RegExp;

const booleans = new Map<string, boolean>(
  Object.entries({
    "": false,
    "0": false,
    "1": true,
    f: false,
    false: false,
    n: false,
    no: false,
    off: false,
    on: true,
    t: true,
    true: true,
    y: true,
    yes: true,
  }),
);

/** Checks one value as click does and says what is wrong in its words. */
export function convertValue(option: OptionDefinition, raw: unknown): OptionValue {
  switch (option.kind) {
    case "flag":
      return toBoolean(option, raw);
    case "integer":
      return toInteger(option, raw);
    case "choice": {
      const known = option.choices?.find((choice) => choice === raw);
      if (known !== undefined) return known;
      const choices = (option.choices ?? []).map(pythonRepr).join(", ");
      throw invalid(option, `${pythonRepr(raw)} is not one of ${choices}.`);
    }
    case "pattern":
      return toPattern(option, toText(option, raw));
    case "file":
      return toFile(option, toText(option, raw));
    case "folder":
      return toFolder(option, toText(option, raw));
    case "text":
      return toText(option, raw);
  }
}

/** `Invalid value for '-l' / '--line-length': <reason>` */
function invalid(option: OptionDefinition, reason: string): UsageError {
  const names = option.short === undefined ? [`--${option.key}`] : [option.short, `--${option.key}`];
  return new UsageError(`Invalid value for ${names.map((name) => `'${name}'`).join(" / ")}: ${reason}`);
}

/** Only scalars have a text; Black would go on with a list's Python form or end in a traceback. */
function toText(option: OptionDefinition, raw: unknown): string {
  if (typeof raw === "string") return raw;
  if (typeof raw === "bigint" || typeof raw === "number" || typeof raw === "boolean") return pythonRepr(raw);
  throw invalid(option, `${pythonRepr(raw)} is not a valid string.`);
}

function toBoolean(option: OptionDefinition, raw: unknown): boolean {
  const known = typeof raw === "string" ? booleans.get(raw.trim().toLowerCase()) : undefined;
  if (known !== undefined) return known;
  const states = [...booleans.keys()].sort().join(", ");
  throw invalid(option, `${pythonRepr(raw)} is not a valid boolean. Recognized values: ${states}`);
}

function toInteger(option: OptionDefinition, raw: unknown): number {
  const text = typeof raw === "string" ? raw.trim() : "";
  if (!/^[+-]?[0-9]+(_[0-9]+)*$/.test(text)) {
    const kind = option.minimum === undefined ? "integer" : "integer range";
    throw invalid(option, `${pythonRepr(raw)} is not a valid ${kind}.`);
  }
  const value = Number(text.replaceAll("_", ""));
  if (option.minimum !== undefined && value < option.minimum)
    throw invalid(option, `${value} is not in the range x>=${option.minimum}.`);
  return value;
}

function toPattern(option: OptionDefinition, text: string): RegExp {
  try {
    return compilePythonRegex(text);
  } catch (error) {
    if (error instanceof PatternError)
      throw invalid(option, `Not a valid regular expression: ${error.message}`);
    throw error;
  }
}

function toFile(option: OptionDefinition, path: string): string {
  const found = statPath(path);
  if (path === "" || found === undefined) throw invalid(option, `File ${pythonRepr(path)} does not exist.`);
  if (found.isDirectory()) throw invalid(option, `File ${pythonRepr(path)} is a directory.`);
  if (!isReadable(path)) throw invalid(option, `File ${pythonRepr(path)} is not readable.`);
  return path;
}

function toFolder(option: OptionDefinition, path: string): string {
  const found = statPath(path);
  if (found?.isFile()) throw invalid(option, `Directory ${pythonRepr(path)} is a file.`);
  if (found !== undefined && !isReadable(path))
    throw invalid(option, `Directory ${pythonRepr(path)} is not readable.`);
  return path;
}
