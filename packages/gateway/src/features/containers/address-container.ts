import type { Exchange } from "../../contract/exchange.ts";
import { chooseProvider, selectorOrder } from "../../core/objects/choose-provider.ts";
import { type AddressedObject, locateOrigin } from "../../core/objects/locate-origin.ts";
import type { ResourceDeps } from "../../core/objects/resource-deps.ts";

/** The ids of requests about containers, with their parameters in the path. */
export const CONTAINER_IDS = { container_id: "containerId", file_id: "fileId" } as const;

/** The container of the path, asked for where header, query or else its id say. */
export function addressContainer(deps: ResourceDeps, exchange: Exchange): Promise<AddressedObject> {
  const named = chooseProvider(exchange, selectorOrder["containers/{id}"]);
  return locateOrigin(deps, exchange, "container", exchange.params.containerId!, "containers", named);
}
