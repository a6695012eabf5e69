import { type ProjectSettings, settingsOf } from "jetblack/editor";

/** Settings of JupyterLab, by their names in `schema/plugin.json`, and the keys of `pyproject.toml` that they stand for. */
export const optionKeys: Readonly<Record<string, string>> = {
  lineLength: "line-length",
  targetVersions: "target-version",
  skipStringNormalization: "skip-string-normalization",
  skipMagicTrailingComma: "skip-magic-trailing-comma",
  preview: "preview",
  unstable: "unstable",
};

/**
 * How Python is formatted with these settings.
 * @throws {UsageError} for a value that an option cannot have
 */
export function projectSettingsOf(composite: Readonly<Record<string, unknown>>): ProjectSettings {
  const values: Record<string, unknown> = {};
  for (const [name, key] of Object.entries(optionKeys)) {
    const value = composite[name];
    const isDefault = value === undefined || value === null || value === false;
    if (!isDefault && !(Array.isArray(value) && value.length === 0)) values[key] = value;
  }
  return settingsOf(values);
}
