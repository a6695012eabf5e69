import { BlockList, isIP } from "node:net";

type Environment = Readonly<Record<string, string | undefined>>;

/** A proxy that requests go through on their way to an upstream. */
export interface ForwardProxy {
  readonly secure: boolean;
  readonly hostname: string;
  readonly port: number;
  /** The value of `proxy-authorization`, where the proxy's address names a user. */
  readonly authorization: string | undefined;
  /** Tells two proxies apart; it holds the password and is shown nowhere. */
  readonly id: string;
}

/** What the environment says of proxies: the small spelling comes first, as in Python's `urllib.request.getproxies`. */
const variables = {
  "http:": ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"],
  "https:": ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"],
} as const;

/**
 * What a proxy would look for on its own machine, or in its own cloud: this host, and the link-local addresses at which
 * clouds hand out a machine's credentials.
 */
function nearNetworks(): BlockList {
  const near = new BlockList();
  near.addSubnet("127.0.0.0", 8, "ipv4");
  // "Any address", which leads to this host as well.
  near.addAddress("0.0.0.0", "ipv4");
  near.addAddress("::", "ipv6");
  near.addSubnet("169.254.0.0", 16, "ipv4");
  near.addAddress("::1", "ipv6");
  near.addSubnet("fe80::", 10, "ipv6");
  near.addAddress("fd00:ec2::254", "ipv6");
  return near;
}
const nearNames: ReadonlySet<string> = new Set(["localhost", "metadata.google.internal", "metadata"]);

/** The proxies that `HTTPS_PROXY`, `HTTP_PROXY` and `ALL_PROXY` name, and the hosts that `NO_PROXY` keeps from them. */
export class Proxies {
  readonly #bySchema = new Map<string, ForwardProxy>();
  readonly #isReachedDirectly: (host: string, port: number) => boolean;

  /** @param environment one that `proxyProblems` finds nothing wrong with: what cannot be read is left out */
  constructor(environment: Environment) {
    for (const [schema, names] of Object.entries(variables)) {
      const name = setOf(environment, names);
      const proxy = name === undefined ? undefined : readProxy(environment[name]!);
      if (typeof proxy === "object") this.#bySchema.set(schema, proxy);
    }
    // Nobody asks without a proxy; a start is to load no lists of networks then.
    this.#isReachedDirectly =
      this.#bySchema.size === 0
        ? () => true
        : directHosts(environment.no_proxy || environment.NO_PROXY || "");
  }

  /** The proxy for an address; none for those that are reached directly. */
  for({ protocol, hostname, port }: URL): ForwardProxy | undefined {
    const proxy = this.#bySchema.get(protocol);
    if (proxy === undefined) return undefined;
    const host = comparable(hostname);
    return this.#isReachedDirectly(host, portOf(protocol, port)) ? undefined : proxy;
  }
}

/** The line of a request's head that lets the gateway in; empty where the proxy wants none. */
export function authorizationLine({ authorization }: ForwardProxy): string {
  return authorization === undefined ? "" : `proxy-authorization: ${authorization}\r\n`;
}

/** What is wrong with the variables that name proxies; a sentence each, without their values, which hold passwords. */
export function proxyProblems(environment: Environment): string[] {
  const named = Object.values(variables).map((names) => setOf(environment, names));
  return [...new Set(named)].flatMap((name) => {
    const proxy = name === undefined ? undefined : readProxy(environment[name]!);
    return typeof proxy === "string" ? [`the environment variable ${name} ${proxy}`] : [];
  });
}

/** The port of an address, which does not name the usual one. */
export function portOf(protocol: string, port: string): number {
  if (port !== "") return Number(port);
  return protocol === "https:" ? 443 : 80;
}

/** A host of a URL as sockets want it: an IPv6 address without its brackets. */
export function bare(hostname: string): string {
  return hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
}

/** A host as it is compared. */
function comparable(hostname: string): string {
  return bare(hostname).replace(/\.$/, "");
}

function setOf(environment: Environment, names: readonly string[]): string | undefined {
  return names.find((name) => environment[name] !== undefined && environment[name]!.trim() !== "");
}

/** @returns what is wrong where the value is no proxy that the gateway can speak to */
function readProxy(value: string): ForwardProxy | string {
  const text = value.trim();
  const url = URL.parse(text.includes("://") ? text : `http://${text}`);
  if (url === null || url.hostname === "") return "must be the address of a proxy, such as http://proxy:3128";
  const { protocol, hostname, port, username, password } = url;
  if (protocol !== "http:" && protocol !== "https:")
    return "must name a proxy by http:// or https://: the gateway speaks to no other kind";
  return {
    secure: protocol === "https:",
    hostname: bare(hostname),
    port: portOf(protocol, port),
    authorization: username === "" && password === "" ? undefined : basicCredentials(username, password),
    id: url.href,
  };
}

function basicCredentials(username: string, password: string): string {
  return `Basic ${Buffer.from(`${unescaped(username)}:${unescaped(password)}`).toString("base64")}`;
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Hosts that no proxy is asked for: those near it, and those that `NO_PROXY` names. */
function directHosts(list: string): (host: string, port: number) => boolean {
  const near = nearNetworks();
  const isExcepted = exceptions(list);
  return (host, port) =>
    isIn(near, host) || nearNames.has(host) || host.endsWith(".localhost") || isExcepted(host, port);
}

/**
 * `NO_PROXY`: names, which stand for the names below them too, with or without a dot or `*.` before them; addresses and
 * networks; each with a port or without; `*` for every host.
 */
function exceptions(list: string): (host: string, port: number) => boolean {
  const networks = new BlockList();
  const names: { readonly name: string; readonly port: number | undefined }[] = [];
  for (const entry of list.toLowerCase().split(/[\s,]+/)) {
    if (entry === "") continue;
    if (entry === "*") return () => true;
    if (addNetwork(networks, entry)) continue;
    const [, host = "", port] = /^(.*?)(?::(\d{1,5}))?$/.exec(entry)!;
    const name = comparable(host.replace(/^\*?\./, ""));
    if (name !== "") names.push({ name, port: port === undefined ? undefined : Number(port) });
  }
  return (host, port) =>
    isIn(networks, host) ||
    names.some(
      ({ name, port: only }) =>
        (only === undefined || only === port) && (host === name || host.endsWith(`.${name}`)),
    );
}

/** @returns whether the entry is an address or a network */
function addNetwork(networks: BlockList, entry: string): boolean {
  const [address = "", prefix] = entry.split("/", 2);
  const host = bare(address);
  const version = isIP(host);
  if (version === 0) return false;
  const kind = version === 4 ? "ipv4" : "ipv6";
  const longest = version === 4 ? 32 : 128;
  const length = prefix === undefined ? longest : /^\d{1,3}$/.test(prefix) ? Number(prefix) : longest;
  networks.addSubnet(host, Math.min(length, longest), kind);
  return true;
}

function isIn(list: BlockList, host: string): boolean {
  const version = isIP(host);
  return version !== 0 && list.check(host, version === 4 ? "ipv4" : "ipv6");
}
