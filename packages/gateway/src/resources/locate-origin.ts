import type { Exchange } from "../contract/exchange.ts";
import type { ObjectKind } from "../ids/object-kind.ts";
import type { LocatedObject, Origin } from "../ids/ownership.ts";
import { defaultProvider } from "../routing/direct-deployment.ts";
import { originOfProvider } from "./origin-of-provider.ts";
import type { ResourceDeps } from "./resource-deps.ts";

/** An object that a caller named, with the place to ask for it. */
export interface AddressedObject extends LocatedObject {
  readonly origin: Origin;
  readonly providerId: string;
}

/**
 * Finds the object behind an id and decides whom to ask: the provider that the caller named if it is another than
 * the id leads to, else the deployment that made the object, else the default provider.
 * @param named what the operation's selectors said, if anything
 */
export async function locateOrigin(
  deps: ResourceDeps,
  exchange: Exchange,
  kind: ObjectKind,
  id: string,
  resource: string,
  named: string | undefined,
): Promise<AddressedObject> {
  const located = await deps.ownership.locate(kind, id, exchange.principal);
  const keepsOrigin =
    located.origin !== undefined && (named === undefined || named === located.origin.provider);
  const origin = keepsOrigin ? located.origin : originOfProvider(deps, named ?? defaultProvider, resource);
  return { ...located, origin: origin!, providerId: located.providerId ?? id };
}
