import { forbidden, invalidRequest } from "../../../contract/errors.ts";
import type { JsonObject } from "../../../contract/json.ts";
import type { KeyMakers } from "../../../platform/config/options/key-makers.ts";
import type { KeyRow } from "../records/keys-table.ts";
import type { Actor } from "./actor.ts";

type Place = Pick<KeyRow, "team_id" | "organization_id">;

/**
 * Holds whoever makes a key, or moves one into another team, to the roles that the configuration lets do so.
 * @param actor who is no proxy administrator: these may always
 * @throws GatewayError 403
 */
export function requireMaker(actor: Actor, place: Place, makers: KeyMakers): void {
  const { team_id: team, organization_id: organization } = place;
  const allowed = (team === null ? makers.personal : makers.team)?.roles;
  if (allowed === undefined) return;
  const administersOrganization = organization !== null && actor.organizationIds.includes(organization);
  const role =
    team === null
      ? actor.principal.role
      : actor.administers({ teamId: team, organizationIds: [organization] })
        ? "admin"
        : "user";
  if (allowed.includes(role) || (administersOrganization && allowed.includes("org_admin"))) return;
  const kind = team === null ? "without a team" : "of this team";
  throw forbidden(
    `Keys ${kind} are made by ${[...allowed, "proxy_admin"].join(", ")} alone (key_generation_settings)`,
  );
}

/** @throws GatewayError 400 for a new key of which something is not said that the configuration wants to be */
export function requireSaid(actor: Actor, body: JsonObject, makers: KeyMakers): void {
  if (actor.isProxyAdmin) return;
  const rule = body.team_id == null ? makers.personal : makers.team;
  const missing = rule?.params.find((param) => body[param] == null || body[param] === "");
  if (missing !== undefined)
    throw invalidRequest(`${missing}: a new key must have it (key_generation_settings)`, missing);
}
