import { join } from "node:path";
import { closeMatches } from "../../util/difflib/close-matches.ts";
import { configurationKeys } from "../options.ts";
import { parseToml, readToml, subtable, type TomlTable } from "./load-toml.ts";
import type { ProjectRoot } from "./project-root.ts";
import { inferFromRequiresPython } from "./requires-python.ts";
import type { ConfigurationOrigin } from "./settings.ts";
import { isFile, statPath } from "./stat-path.ts";
import { UsageError } from "./usage-error.ts";
import { findUserFile } from "./user-file.ts";

/**
 * Finds and reads the configuration: the file named on the command line, else `pyproject.toml` in the project root,
 * else the user-level file (Black: read_pyproject_toml). `undefined` when there is none, or it says nothing.
 *
 * @throws {UsageError} for an unknown key, a value of a wrong type, or an unreadable file.
 */
export function readConfiguration(
  named: string | undefined,
  root: ProjectRoot | undefined,
): ConfigurationOrigin | undefined {
  const found = locate(named, root);
  if (found === undefined) return undefined;
  const values = readValues(readToml(found.path), found.path);
  return Object.keys(values).length === 0 ? undefined : { ...found, values };
}

/**
 * What the text of a `pyproject.toml` says.
 *
 * @param path of the file, for messages
 * @throws {UsageError} for an unknown key or a value of a wrong type
 */
export function readValues(text: string, path: string): TomlTable {
  const file = parseToml(text, path);
  const tool = subtable(file, "tool", path);
  const name = Object.hasOwn(tool, "jetblack") ? "jetblack" : "black";
  for (const other of ["jetblack", "black"]) rejectUnknownKeys(other, subtable(tool, other, path), path);
  const values: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(subtable(tool, name, path))) values[normalizeKey(key)] = value;
  if (!Object.hasOwn(values, "target-version")) {
    const inferred = inferFromRequiresPython(requirementOf(file, path));
    if (inferred !== undefined) values["target-version"] = inferred;
  }
  checkShapes(values);
  for (const other of ["jetblack", "black"]) {
    if (Object.keys(subtable(tool, other, path)).some(isLineRanges))
      throw new UsageError("Cannot use line-ranges in the pyproject.toml file.");
  }
  return values;
}

/** @throws {UsageError} exit code 1, when `requires-python` is no text. */
function requirementOf(file: TomlTable, path: string): string | undefined {
  const requirement = subtable(file, "project", path)["requires-python"];
  if (requirement === undefined || typeof requirement === "string") return requirement;
  throw new UsageError(`Error reading configuration file '${path}': requires-python must be a string`, {
    showsUsage: false,
    exitCode: 1,
  });
}

function locate(
  named: string | undefined,
  root: ProjectRoot | undefined,
): Pick<ConfigurationOrigin, "path" | "origin"> | undefined {
  if (named !== undefined) return { path: named, origin: "command line" };
  if (root !== undefined) {
    const path = join(root.path, "pyproject.toml");
    if (isFile(statPath(path))) return { path, origin: "project root" };
  }
  const path = findUserFile();
  return path === undefined ? undefined : { path, origin: "user level" };
}

/** `--line-length` and `line_length` are accepted spellings of `line-length`. */
function normalizeKey(key: string): string {
  return key.replaceAll("--", "").replaceAll("_", "-");
}

/** Black knows the key, and refuses it when all other keys are found to have the right types. */
function isLineRanges(key: string): boolean {
  return normalizeKey(key) === "line-ranges";
}

function rejectUnknownKeys(name: string, table: TomlTable, path: string): void {
  for (const key of Object.keys(table)) {
    const normal = normalizeKey(key);
    if (isLineRanges(key) || (configurationKeys as readonly string[]).includes(normal)) continue;
    const nearest = closeMatches(normal.toLowerCase(), configurationKeys)[0];
    const hint =
      nearest === undefined ? `Known keys: ${configurationKeys.join(", ")}.` : `Did you mean '${nearest}'?`;
    throw new UsageError(`Invalid config key '${key}' in [tool.${name}] of ${path}. ${hint}`);
  }
}

/** The types that Black checks before anything else. */
function checkShapes(values: TomlTable): void {
  const versions = values["target-version"];
  if (versions !== undefined && !Array.isArray(versions))
    throw new UsageError("Config key target-version must be a list");
  for (const key of ["exclude", "include", "extend-exclude", "force-exclude"]) {
    const value = values[key];
    if (typeof value === "object" && !(value instanceof Date))
      throw new UsageError(`Config key ${key} must be a string`);
  }
}
