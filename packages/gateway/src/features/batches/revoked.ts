import { GatewayError } from "../../contract/errors.ts";
import type { Principal } from "../../contract/principal.ts";
import type { BatchDeps } from "./batch-deps.ts";

/** What a batch at a provider says that ends because of it. */
export const REVOKED = {
  code: "key_revoked",
  message: "The batch was cancelled, because its key may no longer call",
} as const;

/**
 * Whether whoever a batch at a provider runs for may no longer call: its key, user, team or organization is gone, has ended
 * or is blocked. Of a batch that the gateway runs no further row begins then.
 * @throws what the store throws, of which nothing follows
 */
export async function isRevoked(
  { recallPrincipal }: Pick<BatchDeps, "recallPrincipal">,
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
