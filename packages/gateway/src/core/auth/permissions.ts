import { forbidden } from "../../contract/errors.ts";
import type { Principal } from "../../contract/principal.ts";

/** Whether the principal administers the gateway. */
export function isAdministrator(principal: Principal): boolean {
  return principal.isMaster || principal.role === "proxy_admin";
}

/** Whether the principal may look at everything, changing it or not. */
export function seesEverything(principal: Principal): boolean {
  return isAdministrator(principal) || principal.role === "proxy_admin_viewer";
}

/** @throws GatewayError 403 for everyone but administrators; viewers may read */
export function requireAdministrator(principal: Principal, method: string): void {
  if (isAdministrator(principal)) return;
  if (method === "GET" && seesEverything(principal)) return;
  throw forbidden("Only a proxy administrator's key may do this");
}
