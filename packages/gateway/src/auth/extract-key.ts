import type { IncomingHttpHeaders } from "node:http";

/** Headers that clients of the various dialects send their key in, beside `authorization`. */
const keyHeaders = [
  "x-portico-api-key",
  "x-litellm-api-key",
  "x-api-key",
  "api-key",
  "x-goog-api-key",
  "ocp-apim-subscription-key",
] as const;

const longestKey = 512;

/** The gateway key that a request carries, or why there is none. */
export type ExtractedKey = { readonly key: string } | { readonly problem: string };

/** Finds the key in `Authorization: Bearer` or in the header of another dialect. */
export function extractKey(headers: IncomingHttpHeaders): ExtractedKey {
  const authorization = headers.authorization;
  if (authorization !== undefined && /^bearer /i.test(authorization)) return checked(authorization.slice(7));
  for (const name of keyHeaders) {
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
  if (key.length > longestKey || /[^\x21-\x7e]/.test(key)) return { problem: "Malformed api key" };
  return { key };
}
