import type { Exchange } from "../../contract/exchange.ts";
import { parseJsonObject } from "../../contract/json.ts";
import { underRequestsAlone } from "../../contract/principal.ts";
import type { RequestScopes } from "../auth/request-scopes.ts";
import type { Limiter } from "../limits/limiter.ts";

/**
 * Counts a repeated request, whose answer is there already, in the limits of requests of its caller and of all that the
 * caller stands under. It uses no tokens, takes no place of a call that runs, and what it repeats is paid.
 * @returns the rate-limit headers as they are now
 * @throws GatewayError 429
 */
export type CountReplay = (exchange: Exchange, body: Buffer) => Promise<Readonly<Record<string, string>>>;

/** Counts repeats by a limiter. */
export function countReplays(limiter: () => Limiter, scopes: RequestScopes | undefined): CountReplay {
  return async ({ principal, headers, family, signal, params }, bytes) => {
    const body = parseJsonObject(bytes.toString("utf8")) ?? {};
    const caller =
      scopes?.named === undefined ? principal : await scopes.named.scoped(principal, { headers, body });
    const model = params.model ?? body.model;
    const reservation = await limiter().reserve({
      principal: underRequestsAlone(caller),
      family,
      model: typeof model === "string" ? model : "",
      estimatedTokens: 0,
      estimatedCost: 0,
      signal,
    });
    reservation.settle(undefined, undefined);
    return reservation.headers;
  };
}
