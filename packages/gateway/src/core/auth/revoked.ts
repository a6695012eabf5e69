import { GatewayError } from "../../contract/errors.ts";
import type { Principal } from "../../contract/principal.ts";

/**
 * Whether whoever a provider works for may no longer call: its key, user, team or organization is gone, has ended or is
 * blocked. What can be cancelled there is then, as nothing begins of what the gateway does itself.
 * @throws what the store throws, of which nothing follows
 */
export async function isRevoked(
  { recallPrincipal }: { readonly recallPrincipal: (remembered: Principal) => Promise<Principal> },
  principal: Principal,
): Promise<boolean> {
  try {
    await recallPrincipal(principal);
    return false;
  } catch (error) {
    if (error instanceof GatewayError && [401, 403].includes(error.status)) return true;
    throw error;
  }
}
