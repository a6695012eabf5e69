import { isJsonObject, type JsonObject } from "../../../contract/json.ts";
import type { ConfigPath } from "./config-document.ts";
import type { ProblemReport } from "./problem-report.ts";

/** A part of the configuration and where it stands. */
export interface Section {
  readonly value: JsonObject;
  readonly path: ConfigPath;
}

/**
 * The member of `parent` under the first of the names that it has; an empty one when it has none. Two synonyms side
 * by side are merged, the first name winning, and reported.
 */
export function sectionOf(
  document: ProblemReport,
  parent: JsonObject,
  path: ConfigPath,
  name: string,
  synonym?: string,
): Section {
  const own = mapAt(document, parent, path, name);
  const other = synonym === undefined ? undefined : mapAt(document, parent, path, synonym);
  if (own === undefined || other === undefined)
    return own ?? other ?? { value: {}, path: [...path, synonym ?? name] };
  document.warn(other.path, `stands beside ${name}, which wins where both have a key`);
  for (const key of Object.keys(other.value).filter((each) => Object.hasOwn(own.value, each)))
    document.warn([...other.path, key], `has no effect, because ${name}.${key} wins`);
  document.addSynonym(name, synonym!);
  return { value: { ...other.value, ...own.value }, path: own.path };
}

function mapAt(
  document: ProblemReport,
  parent: JsonObject,
  path: ConfigPath,
  name: string,
): Section | undefined {
  const value = parent[name];
  if (value === undefined || value === null) return undefined;
  if (isJsonObject(value)) return { value, path: [...path, name] };
  document.error([...path, name], "expected a map");
  return undefined;
}
