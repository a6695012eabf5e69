import { readFileSync } from "node:fs";
import { parse, TomlError } from "smol-toml";
import { UsageError } from "./usage-error.ts";

/** A table of a TOML file. */
export type TomlTable = Readonly<Record<string, unknown>>;

/**
 * Reads a TOML file as it is now: a language server outlives changes to it.
 *
 * @throws {UsageError} exit code 1, when it cannot be read or is not UTF-8.
 */
export function readToml(path: string): string {
  return attempt(path, () => new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(path)));
}

/**
 * @param path of the file, for the message.
 * @throws {UsageError} exit code 1, when the text is not TOML.
 */
export function parseToml(text: string, path: string): TomlTable {
  return attempt(path, () => parse(text, { integersAsBigInt: true }));
}

function attempt<Result>(path: string, action: () => Result): Result {
  try {
    return action();
  } catch (error) {
    const reason = error instanceof TomlError ? describeTomlError(error) : String((error as Error).message);
    throw new UsageError(`Could not open file '${path}': Error reading configuration file: ${reason}`, {
      showsUsage: false,
      exitCode: 1,
    });
  }
}

/** One line with the place as Black's parser gives it: `Invalid value (at line 7, column 19)`. */
function describeTomlError({ message, line, column }: TomlError): string {
  const reason = message.split("\n")[0]!.replace("Invalid TOML document: ", "");
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1)} (at line ${line}, column ${column})`;
}

/**
 * The member as a table; an empty one when it is missing.
 *
 * @param path of the file, for the message.
 * @throws {UsageError} exit code 1, when it is something else.
 */
export function subtable(table: TomlTable, key: string, path: string): TomlTable {
  const value = table[key];
  if (value === undefined) return {};
  if (typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date))
    return value as TomlTable;
  throw new UsageError(`Error reading configuration file '${path}': '${key}' must be a table`, {
    showsUsage: false,
    exitCode: 1,
  });
}
