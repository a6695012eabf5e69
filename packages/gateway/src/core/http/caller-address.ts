import type { IncomingMessage } from "node:http";
import { BlockList, isIP } from "node:net";
import { GatewayError } from "../../contract/errors.ts";

const compiled = new WeakMap<readonly string[], BlockList>();

/**
 * Lets a request pass whose address is among `allowed_ips`.
 * @param trustsProxy the address stands in `x-forwarded-for`
 * @throws GatewayError 403
 */
export function requireAllowedAddress(
  request: IncomingMessage,
  allowedIps: readonly string[],
  trustsProxy: boolean,
): void {
  const address = callerAddress(request, trustsProxy);
  const version = isIP(address);
  if (version !== 0 && blockListOf(allowedIps).check(address, version === 4 ? "ipv4" : "ipv6")) return;
  throw new GatewayError(403, "permission_error", "Requests from this address are not allowed.");
}

/** Where a request comes from. IPv4 addresses of sockets that listen on IPv6 too come in IPv6's clothes. */
export function callerAddress(request: IncomingMessage, trustsProxy: boolean): string {
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
