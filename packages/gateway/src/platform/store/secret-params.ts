import { isJsonObject, type JsonObject } from "../../contract/json.ts";
import { isLikeSecret } from "../../util/like-secret.ts";
import { mayNameSecret, SECRET_WORDS } from "../../util/secret-names.ts";
import { KEY_LOOK } from "../log/redact.ts";

/** Stands in answers for what is kept secret; sent back unchanged, it leaves the secret as it is. */
const MASK = "********";

/** Name a secret that stands elsewhere, as one may see. */
const namesOfSecrets = /^(?:litellm_)?credential_name$/;
/** Every value in these is secret, whatever its name. */
const secretGroups: ReadonlySet<string> = new Set(["headers", "static_headers", "extra_headers", "auth"]);
/** Schemas of functions: what is named like a secret there is a parameter's name. */
const schemas: ReadonlySet<string> = new Set(["parameters", "input_schema", "schema", "json_schema"]);

/** The parameters, or a card, as answers show them: credentials masked at any depth, in addresses too. */
export function maskSecrets<Value>(value: Value): Value {
  return mapTexts(value, false, (text, isSecret) => masked(text, isSecret)) as Value;
}

/** Numbers under such names are secrets too; others, such as `max_tokens`, count something. */
const SECRET_NUMBERS = /passw|passphrase|pwd|secret|(?:^|_)key$/i;
const isSecretNumber = (name: string): boolean =>
  SECRET_NUMBERS.test(name) || (!mayNameSecret(name) && isLikeSecret(name));
/** Names where in the environment a secret stands. */
const REFERENCE = /^os\.environ\/\w+$/;

/** What stands behind the host of an address. Of a webhook it is the secret. */
const BEHIND_HOST = /(\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s/?#"'`]{1,300}[/?#])[^\s"'`,;]+/gi;
/** Members that are known to be the places of models, issuers and servers, of which the whole address is to be read. */
const SHOWN_ADDRESS = /^(?:api_base|base_url|proxy_base_url|issuer|target|\w+_endpoint)$/;

/** Whether readers see all of the addresses in a member of the configuration. */
function showsAddress(path: readonly (string | number)[]): boolean {
  const name = path.findLast((each) => typeof each === "string");
  return path[0] === "model_list" || (typeof name === "string" && SHOWN_ADDRESS.test(name));
}

/**
 * A configuration as its readers may see it: names of variables that hold secrets are shown, nothing of
 * `environment_variables` is, and of addresses that may be somebody's webhook the host.
 */
export function maskSettings(settings: JsonObject): JsonObject {
  const texts = JSON.parse(
    JSON.stringify(settings, (name, value: unknown) =>
      typeof value === "number" && isSecretNumber(name) ? String(value) : value,
    ),
  ) as JsonObject;
  const { environment_variables: variables, ...others } = texts;
  const shown = mapTexts(others, false, (text, isSecret, path) => {
    if (REFERENCE.test(text)) return text;
    const known = masked(text, isSecret);
    return showsAddress(path) ? known : known.replace(BEHIND_HOST, `$1${MASK}`);
  }) as JsonObject;
  if (!isJsonObject(variables)) return shown;
  const names = Object.keys(variables).map((name) => [name, MASK]);
  return { ...shown, environment_variables: Object.fromEntries(names) };
}

/**
 * The values of a credential as answers show them: all are secret but those whose names say that they are places.
 */
export function maskCredential(values: JsonObject): JsonObject {
  return mapCredential(values, (text, isSecret) => masked(text, isSecret));
}

/** Values that came back from `maskCredential`, with the secrets behind the masks put in again. */
export function restoreCredential(values: JsonObject, stored: JsonObject): JsonObject {
  return mapCredential(values, (text, isSecret, path) => {
    const before = at(stored, path);
    return typeof before === "string" && masked(before, isSecret) === text ? before : text;
  });
}

/** What of a credential tells where it is for, and nothing that opens it. */
const PLACES =
  /^(?:api_base|base_url|api_version|api_type|model|custom_llm_provider|organization|region_name|aws_(?:region_name|profile_name|role_name|session_name|sts_endpoint|bedrock_runtime_endpoint)|vertex_(?:project|location)|azure_ad_tenant|tenant_id|client_id|project_id|region)$/;

function mapCredential(values: JsonObject, change: TextChange): JsonObject {
  const entries = Object.entries(values).map(([name, value]): [string, unknown] => [
    name,
    mapTexts(value, !PLACES.test(name), change, [name]),
  ]);
  return Object.fromEntries(entries);
}

/** A card as answers show it: its members are public but for the credentials in addresses. */
export function maskAddresses(card: JsonObject): JsonObject {
  return mapTexts(card, undefined, (text) => masked(text, false)) as JsonObject;
}

/** A definition that came back from an answer, with the secrets behind the masks put in again. */
export function restoreSecrets(params: JsonObject, stored: JsonObject): JsonObject {
  return mapTexts(params, false, (text, isSecret, path) => {
    const before = at(stored, path);
    return typeof before === "string" && masked(before, isSecret) === text ? before : text;
  }) as JsonObject;
}

/** The parameters with each secret changed by `change`, such as sealed for the store. */
export function mapSecrets(params: JsonObject, change: (secret: string) => string): JsonObject {
  return mapTexts(params, false, (text, isSecret) =>
    masked(text, isSecret) === text && text !== MASK ? text : change(text),
  ) as JsonObject;
}

/** Whether there is anything to keep secret. */
export function holdsSecrets(params: JsonObject): boolean {
  return someText(params, (text, isSecret) => masked(text, isSecret) !== text || text === MASK);
}

/** Whether a definition that a caller sent back leaves a secret as it is. */
export function keepsSecrets(params: JsonObject): boolean {
  return someText(params, (text) => text.includes(MASK));
}

function masked(text: string, isSecret: boolean): string {
  return isSecret ? MASK : withoutCredentials(text);
}

/** User and password of an address. */
const USER = /^((?:[a-z][a-z0-9+.-]{0,20}:)?\/\/)[^/?#@\s]*@/i;
/** Members of a query that are named like a secret. */
const QUERY_SECRET = new RegExp(
  String.raw`([?&][^=&#\s]{0,60}(?:${SECRET_WORDS}|sig|auth)[^=&#\s]{0,60}=)[^&#\s]+`,
  "gi",
);
/** What is a secret by its look: authorization's schemes (RFC 9110, section 11.1) and the usual kinds of keys. */
const SECRET_TEXT = new RegExp(String.raw`\b(bearer|basic)\s+[\w.~+/=-]{4,}|${KEY_LOOK}`, "gi");

/** A text with the credentials masked that it shows by itself, whatever its name. */
function withoutCredentials(text: string): string {
  return text
    .replace(USER, `$1${MASK}@`)
    .replace(QUERY_SECRET, `$1${MASK}`)
    .replace(SECRET_TEXT, (_, scheme?: string) => (scheme === undefined ? MASK : `${scheme} ${MASK}`));
}

function someText(params: JsonObject, test: (text: string, isSecret: boolean) => boolean): boolean {
  let found = false;
  mapTexts(params, false, (text, isSecret) => {
    found ||= test(text, isSecret);
    return text;
  });
  return found;
}

type TextChange = (text: string, isSecret: boolean, path: readonly (string | number)[]) => string;

/** @param isSecret whether every text below is; `undefined` where names say nothing either */
function mapTexts(
  value: unknown,
  isSecret: boolean | undefined,
  change: TextChange,
  path: readonly (string | number)[] = [],
): unknown {
  if (typeof value === "string") return change(value, isSecret === true, path);
  if (Array.isArray(value))
    return value.map((item: unknown, index) => mapTexts(item, isSecret, change, [...path, index]));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([name, member]): [string, unknown] => {
    if (schemas.has(name) && isSecret !== true) return [name, member];
    const below = isSecret === undefined ? undefined : isSecret || isNamedSecret(name);
    return [name, mapTexts(member, below, change, [...path, name])];
  });
  return Object.fromEntries(entries);
}

function isNamedSecret(name: string): boolean {
  if (mayNameSecret(name)) return !namesOfSecrets.test(name);
  return secretGroups.has(name) || isLikeSecret(name);
}

function at(value: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (inner, name) =>
      Array.isArray(inner)
        ? (inner as unknown[])[name as number]
        : isJsonObject(inner)
          ? inner[name as string]
          : undefined,
    value,
  );
}
