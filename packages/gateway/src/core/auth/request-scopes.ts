import type { IncomingHttpHeaders } from "node:http";
import type { JsonObject } from "../../contract/json.ts";
import { type NamingRequest, namedBy, type Principal, withNamed } from "../../contract/principal.ts";

/** Finds what requests themselves name that has limits of its own: their customer and their tags. */
export interface RequestScopes {
  /** Absent while there are neither customers nor tags. */
  readonly named:
    | {
        /**
         * The principal with what the request counts in.
         * @throws GatewayError 403 for a customer that is blocked
         */
        scoped(principal: Principal, request: NamingRequest): Promise<Principal>;
      }
    | undefined;
}

/**
 * Has everything that an exchange spends count in what its request names: what it does itself and the jobs that go on
 * after it, because they remember its principal.
 * @param body as the pre-call hooks left it, where they ran
 * @throws GatewayError 403 for a customer that is blocked
 */
export async function countUnderNamed(
  scopes: RequestScopes | undefined,
  exchange: { principal: Principal; readonly headers: IncomingHttpHeaders },
  body: JsonObject,
): Promise<void> {
  const { principal, headers } = exchange;
  const request = { headers, body };
  exchange.principal =
    scopes?.named === undefined
      ? withNamed(principal, namedBy(principal, request))
      : await scopes.named.scoped(principal, request);
}
