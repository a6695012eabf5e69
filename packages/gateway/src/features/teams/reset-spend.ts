import type { JsonObject } from "../../contract/json.ts";
import { memberObject, requireMember } from "../../core/auth/issue/memberships.ts";
import type { Managed } from "../../core/auth/management/management.ts";
import { resetSpend } from "../../core/auth/management/reset-spend.ts";
import { entityEntry, entityObject, settingsObject, TEAM } from "../../core/auth/records/entities.ts";
import { ownerOf, ownerOfMember } from "../../core/auth/records/entity-store.ts";
import type { LevelSettings } from "../../core/auth/records/levels.ts";
import { requireTeam } from "./team.ts";

/** Lowers what a team has spent. */
export async function resetTeamSpend(managed: Managed): Promise<JsonObject> {
  const { team_id: id = "" } = managed.exchange.params;
  const reset = await resetSpend(managed, async (under) => {
    const row = await requireTeam(managed, under, id);
    const settings = settingsObject(row) as LevelSettings;
    return {
      owner: ownerOf(row),
      isKey: false,
      models: settings,
      maxBudget: settings.max_budget,
      budgetDuration: settings.budget_duration,
      entry: entityEntry(TEAM, row),
      object: entityObject(TEAM, row),
    };
  });
  return { team_id: id, ...reset };
}

/** Lowers what a user has spent within a team. */
export async function resetMemberSpend(managed: Managed): Promise<JsonObject> {
  const { team_id: teamId = "", user_id: userId = "" } = managed.exchange.params;
  const reset = await resetSpend(managed, async (under) => {
    const row = await requireTeam(managed, under, teamId);
    const member = await requireMember(under, TEAM, row, { user_id: userId });
    const team = settingsObject(row) as LevelSettings;
    const settings = settingsObject(member) as LevelSettings;
    return {
      owner: ownerOfMember(member),
      isKey: false,
      models: settings,
      maxBudget: settings.max_budget_in_team ?? settings.max_budget ?? team.team_member_budget,
      budgetDuration: settings.budget_duration ?? team.team_member_budget_duration,
      entry: entityEntry(TEAM, row),
      object: memberObject(member),
    };
  });
  return { team_id: teamId, user_id: userId, ...reset };
}
