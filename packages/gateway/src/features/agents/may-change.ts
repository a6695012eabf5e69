import { GatewayError } from "../../contract/errors.ts";
import type { Principal } from "../../contract/principal.ts";
import { isAdministrator, requireAdministrator } from "../../core/auth/permissions.ts";
import type { Agent } from "./agent.ts";
import type { AgentConfig } from "./agent-config.ts";
import { remoteSettings } from "./remote/remote-settings.ts";
import { holdsSecrets, keepsSecrets } from "./secret-params.ts";

/** Who registers, changes and deletes agents. */
export type AgentManagement = "keys" | "administrators";

/** @throws GatewayError 403 */
export function requireMayManage(principal: Principal, management: AgentManagement): void {
  if (management === "administrators") requireAdministrator(principal, "POST");
}

/**
 * An agent that may be in a private network is an administrator's, and stays it: nobody else may point it elsewhere.
 * @throws GatewayError 403
 */
export function requireMayReach({ gateway_params }: AgentConfig, principal: Principal): void {
  if (gateway_params.allow_private_networks !== true || isAdministrator(principal)) return;
  const text = "Only a proxy administrator's key may let an agent's address lead into private networks";
  throw new GatewayError(403, "permission_error", text, { param: "gateway_params.allow_private_networks" });
}

/**
 * Credentials go to the address for which they were given: who leaves them as they are, and may not know them, cannot
 * have them sent elsewhere.
 * @param given the change as the caller wrote it
 * @throws GatewayError 403
 */
export function requireMayRedirect(
  before: Agent,
  after: Agent,
  given: Partial<AgentConfig>,
  principal: Principal,
): void {
  if (isAdministrator(principal) || remoteSettings(before)?.url === remoteSettings(after)?.url) return;
  const { gateway_params: params } = given;
  if (params === undefined ? !holdsSecrets(before.gateway_params) : !keepsSecrets(params)) return;
  const text = "An agent's address changes only together with its credentials; send them anew";
  throw new GatewayError(403, "permission_error", text, { param: "gateway_params" });
}
