import type { Exchange } from "../http/exchange.ts";

/** The address of this provider as the caller reached it, such as `http://127.0.0.1:4010/google`. */
export function baseAddress({ request, received, path }: Exchange): string {
  const prefix = received.path.slice(0, received.path.length - path.length);
  return `http://${request.headers.host ?? "localhost"}${prefix}`;
}
