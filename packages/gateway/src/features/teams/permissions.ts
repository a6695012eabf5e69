import { checkQuery } from "../../contract/check.ts";
import { invalidRequest } from "../../contract/errors.ts";
import type { JsonObject } from "../../contract/json.ts";
import { parseJsonBody } from "../../contract/json-body.ts";
import { changing, type Managed } from "../../core/auth/management/management.ts";
import { missing, settingsObject, TEAM, updateEntity } from "../../core/auth/records/entities.ts";
import type { EntityRow } from "../../core/auth/records/entity-tables.ts";
import { ROLE_TABLE } from "../../core/auth/roles.ts";
import { permissionsBody, teamQuery } from "./schema.ts";
import { requireTeam, targetOf } from "./team.ts";

export async function listPermissions({ exchange, parts, actor }: Managed): Promise<JsonObject> {
  const { team_id } = checkQuery(teamQuery, exchange.query);
  const row = await parts.entities.find("team", team_id);
  if (row === undefined || !actor.reaches(targetOf(row))) throw missing(TEAM, team_id);
  return permissionsObject(row);
}

export async function updatePermissions(managed: Managed): Promise<JsonObject> {
  const { team_id, team_member_permissions } = await parseJsonBody(managed.exchange, permissionsBody);
  requirePermissions(team_member_permissions);
  return changing(managed, async (under) => {
    await requireTeam(managed, under, team_id);
    const valuesOf = (_: EntityRow, stored: JsonObject) => ({
      settings: { ...stored, team_member_permissions },
    });
    return permissionsObject(await updateEntity(under, TEAM, team_id, valuesOf));
  });
}

/** The paths that members of a team can be allowed. */
const MEMBER_PERMISSIONS = Object.entries(ROLE_TABLE)
  .filter(([, row]) => row.byMemberPermission === true)
  .map(([route]) => route.split(" ")[1]!);

function permissionsObject(row: EntityRow): JsonObject {
  return {
    team_id: row.id,
    team_member_permissions: settingsObject(row).team_member_permissions ?? [],
    all_available_permissions: MEMBER_PERMISSIONS,
  };
}

/** @throws GatewayError 400 for a path that members cannot be allowed */
export function requirePermissions(paths: unknown): void {
  const unknown = ((paths ?? []) as string[]).find((path) => !MEMBER_PERMISSIONS.includes(path));
  if (unknown !== undefined)
    throw invalidRequest(
      `team_member_permissions: ${unknown} is none of ${MEMBER_PERMISSIONS.join(", ")}`,
      "team_member_permissions",
    );
}
