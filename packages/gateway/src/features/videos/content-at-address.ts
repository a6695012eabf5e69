import { GatewayError, notFound } from "../../contract/errors.ts";
import { headerValue } from "../../platform/transport/headers.ts";
import type { Upstream } from "../../platform/transport/upstream.ts";
import type { UpstreamResponse } from "../../platform/transport/upstream-call.ts";

const MAX_REDIRECTS = 5;
const gone = [401, 403, 404, 410];

/**
 * The bytes at an address that a provider gave for a video. No key goes there, and each hop passes the address guard,
 * because the address is the provider's word only.
 * @throws GatewayError 404 for a video that is there no longer, 502 for other failures
 */
export async function contentAtAddress(
  upstream: Upstream,
  address: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<UpstreamResponse> {
  let url = address;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    const request = { url, method: "GET", headers, guarded: true, signal };
    const response = await upstream.request(request).catch(unreachable);
    const { status } = response;
    if ((status >= 200 && status < 300) || status === 304) return response;
    response.body.cancel();
    if (gone.includes(status)) throw notFound("The provider no longer has this video");
    if (status === 416)
      throw new GatewayError(416, "invalid_request_error", "The range is outside the video");
    const next = URL.parse(headerValue(response.headers, "location") ?? "", url);
    if (status < 300 || status >= 400 || next === null) break;
    url = next.href;
  }
  return unreachable();
}

/** An address that the guard refuses is the provider's mistake, not the caller's. */
function unreachable(cause?: unknown): never {
  if (cause instanceof GatewayError && cause.status !== 400) throw cause;
  throw new GatewayError(502, "api_error", "The provider's video cannot be fetched", { cause });
}
