import { invalidRequest } from "../../contract/errors.ts";
import { headerValue } from "./headers.ts";
import type { Upstream } from "./upstream.ts";
import type { UpstreamResponse } from "./upstream-call.ts";

const MAX_REDIRECT_CHAIN = 5;

/**
 * Gets an address that a caller named (an image, a file), following up to five redirects; each hop passes the address
 * guard anew.
 * @throws GatewayError 400 for an address that is not public, does not answer 2xx or redirects too often
 */
export async function fetchPublic(
  upstream: Upstream,
  address: string,
  options: { readonly signal?: AbortSignal; readonly seconds?: number } = {},
): Promise<UpstreamResponse> {
  let url = nextHop(address, address);
  for (let hop = 0; hop <= MAX_REDIRECT_CHAIN; hop += 1) {
    const response = await upstream.request({
      url,
      method: "GET",
      headers: { accept: "*/*", "accept-encoding": "identity" },
      guarded: true,
      timeouts: { whole: options.seconds ?? 30 },
      signal: options.signal,
    });
    if (response.status >= 200 && response.status < 300) return response;
    response.body.cancel();
    const location = headerValue(response.headers, "location");
    if (response.status < 300 || response.status >= 400 || location === undefined)
      throw invalidRequest(`The address answered with status ${response.status}.`);
    url = nextHop(location, url);
  }
  throw invalidRequest("The address redirects too often.");
}

function nextHop(location: string, from: string): string {
  const url = URL.parse(location, from);
  if (url === null) throw invalidRequest("The address, or one that it redirects to, is not valid.");
  return url.href;
}
