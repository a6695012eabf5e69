import type { ConfigDocument, ConfigPath } from "./config-document.ts";
import type { GatewaySettings } from "./gateway-config.ts";

/** Roles that a new user may have without anybody saying so. */
export const ROLES_BY_DEFAULT = ["internal_user", "internal_user_viewer"] as const;

/** Warns of what new users do not get. @param path of `litellm_settings` */
export function checkUserDefaults(
  document: ConfigDocument,
  path: ConfigPath,
  { defaultInternalUserParams: { user_role: role, teams, available_teams: available } = {} }: GatewaySettings,
): void {
  const at = [...path, "default_internal_user_params"];
  if (role !== undefined && !ROLES_BY_DEFAULT.some((one) => one === role))
    document.warn(
      [...at, "user_role"],
      "is NOT ENFORCED here: new users are internal_user or internal_user_viewer; make administrators by /user/update",
    );
  if (teams !== undefined)
    document.warn(
      [...at, "teams"],
      "is NOT ENFORCED here: add new users by /team/member_add, SCIM or their token",
    );
  if (available !== undefined)
    document.warn(
      [...at, "available_teams"],
      "is NOT ENFORCED here: nobody joins a team alone; an administrator of it adds members by /team/member_add",
    );
}
