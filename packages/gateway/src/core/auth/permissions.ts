import { GatewayError } from "../../contract/errors.ts";
import type { Principal } from "../../contract/principal.ts";

/** Whether the principal administers the gateway. */
export function isAdministrator(principal: Principal): boolean {
  return principal.isMaster || principal.role === "proxy_admin";
}

/** @throws GatewayError 403 for everyone but administrators; viewers may read */
export function requireAdministrator(principal: Principal, method: string): void {
  if (isAdministrator(principal)) return;
  if (principal.role === "proxy_admin_viewer" && method === "GET") return;
  throw new GatewayError(403, "permission_error", "Only a proxy administrator's key may do this");
}
