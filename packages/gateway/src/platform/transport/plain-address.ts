import { invalidRequest } from "../../contract/errors.ts";

/**
 * What URL parsers do not take as it stands: dot segments in the spellings that they resolve, once or twice encoded,
 * backslashes, which they take for slashes, and control characters and spaces, which they leave out (WHATWG URL, 4.4).
 */
const changing =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  /[\u0000-\u0020\u007f]|^[^?#]*(?:\\|%(?:25)*5c|\/(?:\.|%(?:25)*2e){1,2}(?:[/?#]|%(?:25)*2f|$))/i;

/**
 * The last look at an address before anything parses it; `upstreamPath` has refused the same already where callers
 * name something.
 * @throws GatewayError 400
 */
export function requirePlainAddress(address: string): void {
  if (changing.test(address)) throw invalidRequest("An id in the request is not valid.");
}
