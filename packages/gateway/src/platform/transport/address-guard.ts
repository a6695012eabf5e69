import { lookup } from "node:dns";
import { BlockList, isIP } from "node:net";
import { GatewayError, invalidRequest } from "../../contract/errors.ts";

/**
 * Networks that an address named by a caller must not lead to: this host, private and shared networks, link-local
 * ones with the clouds' metadata services, and everything that is not ordinary unicast.
 * Source: IANA's special-purpose address registries (RFC 6890 and its updates).
 */
const refusedV4: readonly (readonly [string, number])[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
];

/** Outside 2000::/3 nothing is public; within it these are not. */
const refusedV6: readonly (readonly [string, number])[] = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
];

interface Networks {
  readonly refused: BlockList;
  readonly globalUnicast: BlockList;
}

let known: Networks | undefined;

/** Made when the first address is looked at: few calls name any. */
function networks(): Networks {
  if (known !== undefined) return known;
  const refused = new BlockList();
  for (const [network, prefix] of refusedV4) refused.addSubnet(network, prefix, "ipv4");
  for (const [network, prefix] of refusedV6) refused.addSubnet(network, prefix, "ipv6");
  const globalUnicast = new BlockList();
  globalUnicast.addSubnet("2000::", 3, "ipv6");
  known = { refused, globalUnicast };
  return known;
}

/**
 * Whether an IP address in text form lies in the public internet. IPv4-mapped IPv6 addresses are judged by their
 * IPv4 part; NAT64 and 6to4 ones, which also hide an IPv4 address, are refused.
 */
export function isPublicAddress(address: string): boolean {
  const zoneless = address.split("%", 1)[0]!;
  const version = isIP(zoneless);
  const { refused, globalUnicast } = networks();
  if (version === 4) return !refused.check(zoneless, "ipv4");
  if (version !== 6) return false;
  const mapped = mappedIPv4(zoneless);
  if (mapped !== undefined) return !refused.check(mapped, "ipv4");
  return globalUnicast.check(zoneless, "ipv6") && !refused.check(zoneless, "ipv6");
}

/** The IPv4 address inside `::ffff:a.b.c.d`, in whichever spelling. */
function mappedIPv4(address: string): string | undefined {
  const canonical = new URL(`http://[${address}]/`).hostname.slice(1, -1);
  const groups = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(canonical);
  if (groups === null) return undefined;
  const bits = (Number.parseInt(groups[1]!, 16) << 16) | Number.parseInt(groups[2]!, 16);
  return [bits >>> 24, (bits >>> 16) & 255, (bits >>> 8) & 255, bits & 255].join(".");
}

/** The refusal of an address; it names the host that the caller gave, never what it resolved to. */
function refusedAddress(host: string): GatewayError {
  return new GatewayError(
    400,
    "invalid_request_error",
    `The address of ${host} is not public. Use a public address, or have the operator set allow_private_networks.`,
    { retryable: false },
  );
}

/**
 * Checks a URL before anything is sent: http or https, no credentials, and, where the host is an IP address in any of
 * the spellings that URLs allow (decimal, octal, hexadecimal, short), a public one. Names are checked on connecting,
 * by `guardedLookup`, when it is known where they lead.
 * @throws GatewayError 400
 */
export function checkCallerUrl(text: string | URL): URL {
  const url = typeof text === "string" ? parseUrl(text) : text;
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw invalidRequest("Only http and https addresses can be fetched.");
  if (url.username !== "" || url.password !== "")
    throw invalidRequest("An address must not carry credentials.");
  checkLiteral(url.hostname);
  return url;
}

/** @throws GatewayError 400 when the host is an IP address that is not public; `localhost` counts as one. */
export function checkLiteral(hostname: string): void {
  const host = hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
  const name = host.toLowerCase().replace(/\.$/, "");
  if (name === "localhost" || name.endsWith(".localhost")) throw refusedAddress(hostname);
  if (isIP(host) !== 0 && !isPublicAddress(host)) throw refusedAddress(hostname);
}

function parseUrl(text: string): URL {
  const url = URL.parse(text);
  if (url === null) throw invalidRequest("The address is not a valid URL.");
  return url;
}

type LookupCallback = (
  error: Error | null,
  address: string | { address: string; family: number }[],
  family?: number,
) => void;

/**
 * `dns.lookup` for sockets that refuses a name as soon as one of its addresses is not public. It runs for each new
 * connection, so a name that changes its address between check and use gains nothing.
 */
export function guardedLookup(hostname: string, options: object, callback: LookupCallback): void {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return callback(error, "");
    if (addresses.length === 0 || addresses.some(({ address }) => !isPublicAddress(address)))
      return callback(refusedAddress(hostname), "");
    if ("all" in options && options.all === true) return callback(null, addresses);
    callback(null, addresses[0]!.address, addresses[0]!.family);
  });
}

/**
 * An address of a host, where all that it has are public.
 * @throws GatewayError 400
 */
export async function publicAddress(host: string): Promise<string> {
  checkLiteral(host);
  return new Promise((resolve, reject) => {
    guardedLookup(host, {}, (error, address) => {
      if (error === null) resolve(address as string);
      else reject(error);
    });
  });
}
