import type { Principal } from "../../contract/principal.ts";
import type { References } from "./response-adapter.ts";
import type { ResponseDeps } from "./response-deps.ts";

/** What a caller may refer to: its own items. */
export function openReferences({ state, ownership }: ResponseDeps, principal: Principal): References {
  const tenant = ownership.tenantOf(principal);
  return {
    findItem: async (id) => state?.responses.findItem(tenant, id),
    isForeign: async (id) => (await state?.responses.isForeignItem(tenant, id)) ?? false,
  };
}
