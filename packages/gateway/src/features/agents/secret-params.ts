import { isJsonObject, type JsonObject } from "../../contract/json.ts";

/** Stands in answers for what is kept secret; sent back unchanged, it leaves the secret as it is. */
const MASK = "********";

const secretNames = /key|token|secret|password|credential|authorization/i;
/** Every value in these is secret, whatever its name. */
const secretGroups: ReadonlySet<string> = new Set(["headers", "static_headers", "extra_headers", "auth"]);

/** The parameters as answers show them: credentials of remote agents masked. */
export function maskSecrets(params: JsonObject): JsonObject {
  return mapSecrets(params, false, () => MASK);
}

/** A definition that came back from an answer, with the secrets behind the masks put in again. */
export function restoreSecrets(params: JsonObject, stored: JsonObject): JsonObject {
  return mapSecrets(params, false, (value, path) => (value === MASK ? (at(stored, path) ?? value) : value));
}

/** Whether there is anything to keep secret. */
export function holdsSecrets(params: JsonObject): boolean {
  return someSecret(params, () => true);
}

/** Whether a definition that a caller sent back leaves a secret as it is. */
export function keepsSecrets(params: JsonObject): boolean {
  return someSecret(params, (value) => value === MASK);
}

function someSecret(params: JsonObject, test: (value: string) => boolean): boolean {
  let found = false;
  mapSecrets(params, false, (value) => {
    found ||= test(value);
    return value;
  });
  return found;
}

function mapSecrets(
  params: JsonObject,
  allSecret: boolean,
  change: (value: string, path: readonly string[]) => unknown,
  path: readonly string[] = [],
): JsonObject {
  const entries = Object.entries(params).map(([name, value]): [string, unknown] => {
    const here = [...path, name];
    if (typeof value === "string")
      return [name, allSecret || secretNames.test(name) ? change(value, here) : value];
    if (isJsonObject(value))
      return [name, mapSecrets(value, allSecret || secretGroups.has(name), change, here)];
    return [name, value];
  });
  return Object.fromEntries(entries);
}

function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, name) => (isJsonObject(inner) ? inner[name] : undefined), value);
}
