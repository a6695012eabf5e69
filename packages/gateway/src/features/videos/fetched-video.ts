import { GatewayError, notFound } from "../../contract/errors.ts";
import { pathBelow, type UpstreamPath, upstreamPath } from "../../contract/upstream-path.ts";
import type { Origin } from "../../core/objects/ownership.ts";
import type { ResourceClient, ResourceContext } from "../../core/objects/resource-client.ts";
import { headerValue } from "../../platform/transport/headers.ts";
import type { Upstream } from "../../platform/transport/upstream.ts";
import type { UpstreamResponse } from "../../platform/transport/upstream-call.ts";

const redirects = [301, 302, 303, 307, 308];
const statuses = [304, ...redirects];
const MAX_REDIRECTS = 5;

/**
 * The bytes of a file that a provider generated. Redirects are followed as long as they stay at the address that the
 * deployment has, because every hop carries its key.
 * @param file path of the file below the provider's base address
 * @throws GatewayError 404 for a file that the provider keeps no longer, 502 for a redirect that leads elsewhere
 */
export async function generatedFile(
  client: ResourceClient,
  origin: Origin,
  file: UpstreamPath,
  headers: Readonly<Record<string, string>>,
  context: ResourceContext,
): Promise<UpstreamResponse> {
  const query = new URLSearchParams({ alt: "media" });
  const first = {
    method: "GET",
    path: pathBelow(file, upstreamPath`:download`),
    query,
    headers,
    alsoPasses: statuses,
  };
  let location: string | undefined;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    const request = location === undefined ? first : { ...first, redirectedTo: location };
    const response = await client.request(origin, request, context).catch(expired);
    if (!redirects.includes(response.status)) return response;
    response.body.cancel();
    location = headerValue(response.headers, "location") ?? "";
  }
  throw new GatewayError(502, "api_error", "The provider's video redirects too often");
}

/** Google answers for a file that is gone as for one of somebody else. */
function expired(error: unknown): never {
  if (error instanceof GatewayError && [403, 404].includes(error.status))
    throw notFound("The provider no longer has this video");
  throw error;
}

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
