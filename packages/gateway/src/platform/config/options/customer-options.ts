import { isJsonObject } from "../../../contract/json.ts";
import { DIALECT_KEY_HEADERS, GATEWAY_KEY_HEADERS } from "../../../contract/key-headers.ts";
import { type Option, WrongValue } from "./option.ts";

/** A header of requests that says who calls (LiteLLM's `UserHeaderMapping`). */
export interface UserHeader {
  /** In small letters. */
  readonly name: string;
  readonly role: string;
}

/** The role of those whom requests name. */
export const CUSTOMER = "customer";

const HEADERS = "a list of {header_name, litellm_user_role}";
/** A header's name (RFC 9110, section 5.1). */
const HEADER = /^[\w!#$%&'*+.^`|~-]+$/;
/** Headers in which keys, tokens and sessions come: whom they named would stand in the logs. */
const CREDENTIALS: ReadonlySet<string> = new Set([
  ...["authorization", "proxy-authorization", "cookie"],
  ...GATEWAY_KEY_HEADERS,
  ...DIALECT_KEY_HEADERS,
]);
const WRONG_HEADER = "expected the name of a header that has no key";

/** Whom headers name: customers, or somebody else whom the gateway does not take from a header. */
export function userHeaders(doc: string): Option<readonly UserHeader[]> {
  return { shape: HEADERS, initial: [], doc, read: readHeaders };
}

function readHeaders(value: unknown): readonly UserHeader[] | WrongValue {
  const entries: unknown[] = Array.isArray(value) ? value : [value];
  const headers: UserHeader[] = [];
  for (const [index, entry] of entries.entries()) {
    const at = Array.isArray(value) ? [index] : [];
    if (!isJsonObject(entry)) return new WrongValue(`expected ${HEADERS}`, at);
    const { header_name: name, litellm_user_role: role } = entry;
    if (!isHeaderName(name)) return new WrongValue(WRONG_HEADER, [...at, "header_name"]);
    if (typeof role !== "string" || role === "")
      return new WrongValue("expected customer", [...at, "litellm_user_role"]);
    headers.push({ name: name.toLowerCase(), role });
  }
  return headers;
}

/** The name of a header that has no key, in small letters. */
export function headerName(doc: string): Option<string> {
  const read = (value: unknown) => (isHeaderName(value) ? value.toLowerCase() : new WrongValue(WRONG_HEADER));
  return { shape: "a header's name", initial: "", doc, read };
}

function isHeaderName(value: unknown): value is string {
  return typeof value === "string" && HEADER.test(value) && !CREDENTIALS.has(value.toLowerCase());
}
