import type { Principal } from "../../contract/principal.ts";
import { ReferredObjects } from "./referred-objects.ts";
import type { References } from "./response-adapter.ts";
import type { ResponseDeps } from "./response-deps.ts";

/** What a caller may refer to: its own items, files and containers. */
export function openReferences(
  { state, files, ownership }: ResponseDeps,
  principal: Principal,
  signal: AbortSignal,
): References {
  const tenant = ownership.tenantOf(principal);
  return {
    findItem: async (id) => state?.responses.findItem(tenant, id),
    objects: new ReferredObjects(files, ownership, principal, signal),
  };
}
