import type { ForwardProxy } from "./proxies.ts";

/** An address as connections want it. */
export interface Place {
  readonly origin: string;
  /** With scheme and host where a proxy passes the request on (RFC 9112, section 3.2.2). */
  readonly path: string;
  /** What follows the method in a request's head, as far as it depends on the address. */
  readonly target: string;
  readonly proxy: ForwardProxy | undefined;
}
