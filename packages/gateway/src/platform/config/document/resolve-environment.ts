import { isJsonObject } from "../../../contract/json.ts";
import type { ConfigDocument, ConfigPath } from "./config-document.ts";
import type { ProblemReport } from "./problem-report.ts";

const REFERENCE = "os.environ/";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The value with every `os.environ/NAME` text replaced by that environment variable. One that is not set leaves its
 * key absent and raises one warning, so that the provider's usual environment variable can step in.
 */
export function resolveEnvironment(
  document: ProblemReport,
  value: unknown,
  environment: Environment,
  path: ConfigPath = [],
): unknown {
  if (!hasReference(value)) return value;
  if (typeof value === "string") {
    if (!value.startsWith(REFERENCE)) return value;
    const name = value.slice(REFERENCE.length);
    const found = environment[name];
    const message = `the environment variable ${name} is not set`;
    // A file may name a variable at every entry: once says it.
    if (found === undefined && !document.warnings.some((warning) => warning.message === message))
      document.warn(path, message);
    return found;
  }
  if (Array.isArray(value)) {
    return value
      .map((item, index) => resolveEnvironment(document, item, environment, [...path, index]))
      .filter((item) => item !== undefined);
  }
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value)
    .map(([key, item]) => [key, resolveEnvironment(document, item, environment, [...path, key])] as const)
    .filter(([, item]) => item !== undefined);
  return Object.fromEntries(entries);
}

/** Most parts have none, and stay what they are. */
function hasReference(value: unknown): boolean {
  if (typeof value === "string") return value.startsWith(REFERENCE);
  if (Array.isArray(value)) return value.some(hasReference);
  if (!isJsonObject(value)) return false;
  for (const key in value) if (hasReference(value[key])) return true;
  return false;
}

/** The process environment and the file's `environment_variables`, which win. */
export function mergeEnvironment(document: ConfigDocument, process: Environment): Environment {
  const section = isJsonObject(document.value) ? document.value.environment_variables : undefined;
  if (section === undefined || section === null) return process;
  if (!isJsonObject(section)) {
    document.error(["environment_variables"], "expected a map from names to texts");
    return process;
  }
  const merged: Record<string, string | undefined> = { ...process };
  for (const [name, value] of Object.entries(section)) {
    const path = ["environment_variables", name];
    const resolved = resolveEnvironment(document, value, process, path);
    if (typeof resolved === "object" && resolved !== null) document.error(path, "expected text");
    else if (resolved !== undefined && resolved !== null) merged[name] = String(resolved);
  }
  return merged;
}
