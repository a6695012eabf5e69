import { notFound } from "../../contract/errors.ts";
import type { Exchange } from "../../contract/exchange.ts";
import type { Principal } from "../../contract/principal.ts";
import { DEFAULT_PROVIDER } from "../routing/direct-deployment.ts";
import type { ObjectKind } from "./object-kind.ts";
import { configuredOrigin, originOfProvider } from "./origin-of-provider.ts";
import type { LocatedObject, Origin } from "./ownership.ts";
import type { ResourceDeps } from "./resource-deps.ts";

/** An object that a caller named, with the place to ask for it. */
export interface AddressedObject extends LocatedObject {
  readonly origin: Origin;
  readonly providerId: string;
}

/**
 * What was just made at a place, before or after it got an id of the gateway's.
 * @param id the one that was handed out
 */
export function madeAt(origin: Origin, providerId: string, id = providerId): AddressedObject {
  return { id, providerId, origin, row: undefined, targetModels: [] };
}

/**
 * Finds the object behind an id and decides whom to ask: the provider that the caller named if it is another than
 * the id leads to, else the deployment that made the object, else the default provider.
 * @param named what the operation's selectors said, if anything
 * @throws GatewayError 404 for an id that leads nowhere while the default provider is not configured
 */
export async function locateOrigin(
  deps: ResourceDeps,
  exchange: Exchange,
  kind: ObjectKind,
  id: string,
  resource: string,
  named: string | undefined,
): Promise<AddressedObject> {
  const located = await deps.ownership.locate(kind, id, exchange.principal, exchange.call);
  const origin = originOf(deps, located.origin, resource, named, exchange.principal);
  if (origin === undefined) throw notFound(`No ${kind} found with id '${id}'`);
  return { ...located, origin, providerId: located.providerId ?? id };
}

function originOf(
  deps: ResourceDeps,
  made: Origin | undefined,
  resource: string,
  named: string | undefined,
  principal: Principal,
): Origin | undefined {
  if (made === undefined)
    return named === undefined
      ? configuredOrigin(deps, DEFAULT_PROVIDER, resource, principal)
      : originOfProvider(deps, named, resource, principal);
  if (named !== undefined && !isSame(deps, named, made.provider))
    return originOfProvider(deps, named, resource, principal);
  return made.deployment === undefined ? originOfProvider(deps, made.provider, resource, principal) : made;
}

/** Providers have other names as well: `google` is `gemini`. */
function isSame({ findProvider }: ResourceDeps, one: string, other: string): boolean {
  const provider = findProvider(one);
  return provider !== undefined && provider === findProvider(other);
}
