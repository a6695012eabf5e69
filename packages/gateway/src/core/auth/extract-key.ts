import type { IncomingHttpHeaders } from "node:http";

/**
 * Headers for a gateway's key alone, with or without `Bearer`. They come first: a client such as Claude Code may need
 * `authorization` for another purpose.
 */
const gatewayHeaders = ["x-portico-api-key", "x-litellm-api-key"] as const;
/** Headers that clients of the various dialects send their key in, beside `authorization`. */
const dialectHeaders = ["x-api-key", "api-key", "x-goog-api-key", "ocp-apim-subscription-key"] as const;

const bearer = /^bearer /i;
const MAX_KEY = 512;

/** The gateway key that a request carries, or why there is none. */
export type ExtractedKey = { readonly key: string } | { readonly problem: string };

/**
 * Finds the key in a header of the gateway's own, in `Authorization: Bearer`, or in the header of another dialect.
 * @param further a header that the configuration names, in small letters
 */
export function extractKey(headers: IncomingHttpHeaders, further?: string): ExtractedKey {
  for (const name of further === undefined ? gatewayHeaders : [further, ...gatewayHeaders]) {
    const value = headers[name];
    if (typeof value === "string") return checked(bearer.test(value) ? value.slice(7) : value);
  }
  const authorization = headers.authorization;
  if (authorization !== undefined && bearer.test(authorization)) return checked(authorization.slice(7));
  for (const name of dialectHeaders) {
    const value = headers[name];
    if (typeof value === "string") return checked(value);
  }
  if (authorization !== undefined)
    return { problem: "Malformed Authorization header: expected `Authorization: Bearer <API_KEY>`" };
  return { problem: "No api key passed in: send it as `Authorization: Bearer <API_KEY>`" };
}

function checked(text: string): ExtractedKey {
  const key = text.trim();
  if (key === "") return { problem: "The api key is empty" };
  if (key.length > MAX_KEY || /[^\x21-\x7e]/.test(key)) return { problem: "Malformed api key" };
  return { key };
}
