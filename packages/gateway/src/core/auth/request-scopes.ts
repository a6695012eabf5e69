import type { IncomingHttpHeaders } from "node:http";
import type { JsonObject } from "../../contract/json.ts";
import { type NamingRequest, namedBy, withNamed } from "../../contract/naming-request.ts";
import type { LimitScope, Named, Principal } from "../../contract/principal.ts";
import type { GeneralSettings } from "../../platform/config/gateway-config.ts";
import { CUSTOMER } from "../../platform/config/options/customer-options.ts";

/** What requests name. */
export type NamedKind = "customer" | "tag";

/** Finds what requests themselves name that has limits of its own: their customer and their tags. */
export interface RequestScopes {
  /** Absent while there are neither customers nor tags, nor limits of all of them; a value, which each call looks at. */
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

/** Headers that name a request's customer beside LiteLLM's own, in the order in which they are looked for. */
export function customerHeaders({
  userHeaderMappings,
  userHeaderName,
}: Pick<GeneralSettings, "userHeaderMappings" | "userHeaderName">): readonly string[] {
  const names = userHeaderMappings.filter(({ role }) => role === CUSTOMER).map(({ name }) => name);
  return userHeaderName === undefined ? names : [...names, userHeaderName];
}

/**
 * Puts the customer whom one of these headers names where everybody looks for one. LiteLLM's own headers come first.
 * @param names not empty
 */
export function nameCustomer(headers: IncomingHttpHeaders, names: readonly string[]): void {
  if (headers["x-litellm-customer-id"] || headers["x-litellm-end-user-id"]) return;
  const named = names.map((name) => headers[name]).find((value) => typeof value === "string" && value !== "");
  if (named !== undefined) headers["x-litellm-end-user-id"] = named;
}

/** The customer and the tags that a request names. */
export function namesIn({ customer, tags }: Named): [kind: NamedKind, id: string][] {
  const ofTags = tags.map((tag): [NamedKind, string] => ["tag", tag]);
  return customer === undefined ? ofTags : [["customer", customer], ...ofTags];
}

/** A principal with what a request names and counts in. One that counts there already does so once. */
export function underScopes(principal: Principal, named: Named, scopes: readonly LimitScope[]): Principal {
  const known = withNamed(principal, named);
  if (scopes.length === 0) return known;
  const before = principal.scopes ?? [];
  const added = scopes.filter(({ owner }) => before.every((scope) => scope.owner !== owner));
  return { ...known, scopes: [...before, ...added] };
}
