import type { IncomingHttpHeaders } from "node:http";
import { BlockList, isIP } from "node:net";
import { forbidden } from "../../contract/errors.ts";

/** A request as far as it says where it comes from. */
interface Addressed {
  readonly headers: IncomingHttpHeaders;
  readonly socket: { readonly remoteAddress?: string | undefined };
}

const compiled = new WeakMap<readonly string[], BlockList>();

/**
 * Lets a request pass whose address is among `allowed_ips`. Proxies add to what stands in `x-forwarded-for` already, and
 * the first address is whatever the caller wrote: each one must be allowed, but for proxies on the gateway's own machine.
 * @param trustsProxy the addresses stand in `x-forwarded-for`
 * @throws GatewayError 403
 */
export function requireAllowedAddress(
  request: Addressed,
  allowedIps: readonly string[],
  trustsProxy: boolean,
): void {
  const list = blockListOf(allowedIps);
  const isAllowed = (address: string): boolean => {
    const version = isIP(address);
    return version !== 0 && list.check(address, version === 4 ? "ipv4" : "ipv6");
  };
  if (callerAddresses(request, trustsProxy).every(isAllowed)) return;
  throw forbidden("Requests from this address are not allowed.");
}

/** Where a request comes from: with proxies, what the last one of them saw that does not run on this machine. */
export function callerAddress(request: Addressed, trustsProxy: boolean): string {
  return callerAddresses(request, trustsProxy).at(-1)!;
}

/** At least one. IPv4 addresses of sockets that listen on IPv6 too come in IPv6's clothes. */
function callerAddresses(request: Addressed, trustsProxy: boolean): string[] {
  const forwarded = trustsProxy ? request.headers["x-forwarded-for"] : undefined;
  const given = forwarded === undefined ? [request.socket.remoteAddress ?? ""] : String(forwarded).split(",");
  const addresses = given.map((address) => address.trim().replace(/^::ffff:(?=\d+\.)/i, ""));
  const others = addresses.filter((address) => !LOOPBACK.test(address));
  return others.length === 0 ? addresses.slice(0, 1) : others;
}

const LOOPBACK = /^(?:127\.\d{1,3}\.\d{1,3}\.\d{1,3}|::1)$/;

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
