import { parseToml, subtable } from "../mode/config/load-toml.ts";
import { readValues } from "../mode/config/read-configuration.ts";
import { resolveSettings } from "../mode/config/resolve-settings.ts";
import type { Settings } from "../mode/config/settings.ts";
import { UsageError } from "../mode/config/usage-error.ts";
import { productVersion, satisfiesRequiredVersion, styleVersion } from "../mode/versions.ts";

/** How the sources of a project are formatted. */
export interface ProjectSettings {
  readonly settings: Settings;
}

/**
 * Settings out of values by the names of `pyproject.toml`, such as `{ "line-length": 100 }`.
 * @throws {UsageError} for a value that the setting cannot have, or when another version is required
 */
export function settingsOf(values: Readonly<Record<string, unknown>>): ProjectSettings {
  const settings = resolveSettings(new Map(), ["-"], {
    path: "",
    origin: "project root",
    values: Object.fromEntries(Object.entries(values).map(([key, value]) => [key, asInToml(value)])),
  });
  const { requiredVersion } = settings;
  if (requiredVersion !== undefined && requiredVersion !== "" && !satisfiesRequiredVersion(requiredVersion))
    throw new UsageError(
      `The project requires version ${requiredVersion}; this is ${productVersion} (style ${styleVersion}).`,
    );
  return { settings };
}

/** Whole numbers as the reader of TOML gives them, which tells them from `100.0`. */
function asInToml(value: unknown): unknown {
  return typeof value === "number" && Number.isInteger(value) ? BigInt(value) : value;
}

/**
 * The settings of a `pyproject.toml`, as the command line reads them.
 *
 * @param path of the file, for messages
 * @throws {UsageError} for an unknown key, a wrong value, or when another version is required
 */
export function projectSettings(text: string, path: string): ProjectSettings {
  return settingsOf(readValues(text, path));
}

/** Whether a `pyproject.toml` has a table of ours or Black's, and so marks its folder as the root of a project. */
export function hasOwnTable(text: string, path: string): boolean {
  try {
    const tool = subtable(parseToml(text, path), "tool", path);
    return Object.hasOwn(tool, "jetblack") || Object.hasOwn(tool, "black");
  } catch {
    return false;
  }
}
