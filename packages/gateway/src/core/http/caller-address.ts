import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";
import { GatewayError } from "../../contract/errors.ts";
import type { GatewayConfig } from "../../platform/config/gateway-config.ts";

const compiled = new WeakMap<readonly string[], BlockList>();

/**
 * Lets a request pass whose address is among `allowed_ips`, or any where there is no such list.
 * @throws GatewayError 403
 */
export function requireAllowedAddress(request: IncomingMessage, { generalSettings }: GatewayConfig): void {
  const { allowedIps, useXForwardedFor } = generalSettings;
  if (allowedIps === undefined) return;
  const address = callerAddress(request, useXForwardedFor);
  const version = isIP(address);
  if (version !== 0 && blockListOf(allowedIps).check(address, version === 4 ? "ipv4" : "ipv6")) return;
  throw new GatewayError(403, "permission_error", "Requests from this address are not allowed.");
}

/** IPv4 addresses of sockets that listen on IPv6 too come in IPv6's clothes. */
function callerAddress(request: IncomingMessage, trustsProxy: boolean): string {
  const forwarded = trustsProxy ? request.headers["x-forwarded-for"] : undefined;
  const given = forwarded === undefined ? request.socket.remoteAddress : String(forwarded).split(",", 1)[0];
  return (given ?? "").trim().replace(/^::ffff:(?=\d+\.)/i, "");
}

function blockListOf(networks: readonly string[]): BlockList {
  const known = compiled.get(networks);
  if (known !== undefined) return known;
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", prefix] = network.split("/");
    const family = isIP(address) === 4 ? "ipv4" : "ipv6";
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  compiled.set(networks, list);
  return list;
}
