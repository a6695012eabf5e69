import { answers, type GroupDescription, type Operation, posted } from "../../contract/operation.ts";
import {
  closed,
  either,
  flag,
  given,
  list,
  map,
  object,
  orNull,
  type Schema,
  text,
  word,
} from "../../contract/schema.ts";
import { limitFields } from "../../core/auth/fields/limit-fields.ts";
import { increaseFields, modelLimitFields } from "../../core/auth/fields/model-scopes.ts";
import { callbackBody } from "../../core/auth/fields/own-callbacks.ts";
import {
  count,
  dollars,
  length,
  metadata,
  modelAliases,
  name,
  passThroughRoutes,
  restrictionFields,
  rollover,
} from "../../core/auth/fields/restriction-fields.ts";
import { pageQuery } from "../../core/auth/management/paging.ts";
import { resetAnswer, resetSpendBody } from "../../core/auth/management/reset-spend.ts";
import { type EntityFields, entityBody, TEAM, UNENFORCED_RULES } from "../../core/auth/records/entities.ts";

/** What a user is within a team. */
const TEAM_ROLES = ["admin", "user"] as const;

const memberNames = { user_id: name("A user's id, or its address instead."), user_email: name() };

const member = closed(given({ ...memberNames, "role!": word(TEAM_ROLES, "`admin` manages the team.") }));

/** What a team can be given. */
export const teamFields: EntityFields = {
  type: TEAM,
  fields: {
    team_id: name("Made up where it is missing."),
    team_alias: name("A name for it in lists."),
    organization_id: name("The organization whose limits hold for it too."),
    members_with_roles: list(member, "Who is in it.", { maxItems: 1000 }),
    admins: list(name(), "Users who manage it.", { maxItems: 1000 }),
    members: list(name(), "Users who are in it.", { maxItems: 1000 }),
    metadata: metadata(
      "Free; `agents` lists the agents that its keys see, and `logging` has the callbacks of `POST /team/{team_id}/callback`.",
    ),
    tags: list(name(), "Of its calls, beside those of the key.", { maxItems: 1000 }),
    model_aliases: modelAliases("Names for models; a key's own `aliases` come first."),
    team_member_permissions: list(name(), "Paths of keys that its members may ask for.", { maxItems: 100 }),
    ...limitFields,
    ...modelLimitFields,
    team_member_budget: dollars("US dollars that each member without a budget of its own may spend in it."),
    team_member_budget_duration: length("A window of these budgets"),
    team_member_max_rollover: rollover,
    team_member_rpm_limit: count("Requests per minute of each member without a limit of its own."),
    team_member_tpm_limit: count("Tokens per minute of each member without a limit of its own."),
    ...restrictionFields,
    allowed_passthrough_routes: passThroughRoutes,
  },
  unenforced: new Map([
    ...[...UNENFORCED_RULES].filter(([rule]) => rule !== "allowed_passthrough_routes"),
    ...["team_member_model_max_budget", "team_member_key_duration"].map((limit): [string, string] => [
      limit,
      "give limits to the keys of members",
    ]),
    ["default_team_member_models", "give allowed_models to members"],
    ["mcp_rpm_limit", "give the key rpm_limit"],
    ["require_trace_id", "a preCall hook can ask for it"],
    ["enforced_batch_output_expires_after", "files are kept as the configuration says"],
    ["enforced_file_expires_after", "files are kept as the configuration says"],
    ["disable_global_guardrails", "hooks guard every call"],
  ]),
};

export const newTeamBody = entityBody(teamFields, []);
export const updateTeamBody = entityBody(teamFields, ["team_id"]);
export const namedTeam = closed(given({ "team_id!": name() }));
export const namedTeams = closed(given({ "team_ids!": list(name(), undefined, { maxItems: 1000 }) }));

const memberLimits = {
  allowed_models: list(name(), "Models that the member may call within the team.", { maxItems: 1000 }),
  max_budget_in_team: dollars("US dollars that the member may spend in the team."),
  soft_budget: dollars("Has alerts sent when the member has spent it, and refuses nothing."),
  budget_duration: length("A window of this budget"),
  max_rollover: rollover,
  tpm_limit: count("Tokens per minute of the member in the team."),
  rpm_limit: count("Requests per minute of the member in the team."),
  ...increaseFields,
  model_max_budget: modelLimitFields.model_max_budget,
};
export const memberLimitNames = Object.keys(memberLimits);

export const addMemberBody = closed(
  given({
    "team_id!": name(),
    "member!": either(member, list(member, undefined, { maxItems: 1000 })),
    ...memberLimits,
  }),
);
export const bulkAddMembersBody = closed(
  given({
    "team_id!": name(),
    "members!": list(member, undefined, { maxItems: 1000 }),
    ...memberLimits,
  }),
);
export const updateMemberBody = closed(
  given({ "team_id!": name(), ...memberNames, role: word(TEAM_ROLES), ...memberLimits }),
);
export const deleteMemberBody = closed(given({ "team_id!": name(), ...memberNames }));
export const teamModelsBody = closed(
  given({ "team_id!": name(), "models!": list(name(), undefined, { maxItems: 1000 }) }),
);
export const permissionsBody = closed(
  given({ "team_id!": name(), "team_member_permissions!": list(name(), undefined, { maxItems: 100 }) }),
);

export const teamQuery = object({ "team_id!": name("Which team.") });
export const teamsQuery = object({
  user_id: name("Only teams of this user."),
  organization_id: name("Only teams of this organization."),
  team_id: name("Only this team."),
  team_alias: name("Only teams with this alias."),
});
export const teamPagesQuery = object({
  user_id: name("Only teams of this user."),
  organization_id: name("Only teams of this organization."),
  team_id: name("Only this team."),
  team_alias: name("Only teams with this alias."),
  ...pageQuery,
});

const team = object({
  team_id: text(),
  team_alias: orNull(text()),
  organization_id: orNull(text()),
  models: list(text()),
  members_with_roles: list(object({ user_id: text(), role: text() })),
  metadata: object(),
  blocked: flag(),
});
const missing = { 404: { when: "There is no such team for this key." } };

function post(path: string, id: string, summary: string, request: Schema, answer: Schema = team): Operation {
  return posted({ path, id, summary }, request, answer, id === "createTeam" ? undefined : missing);
}

function callbackAnswer(more: Readonly<Record<string, Schema>> = {}): Schema {
  const names = { success_callbacks: list(text()), failure_callbacks: list(text()) };
  return object({
    "status!": text(),
    message: text(),
    "data!": object({ team_id: text(), ...names, ...more }),
  });
}

/** LiteLLM's teams. */
export const teamDescription: GroupDescription = {
  tag: "Teams",
  about:
    "Teams of users: what their keys may, who is in them and who manages them. [Who may what](../gateway/roles.md) is one table.",
  operations: [
    post("/team/new", "createTeam", "Make a team", newTeamBody),
    post(
      "/team/update",
      "updateTeam",
      "Change a team",
      updateTeamBody,
      object({ team_id: text(), data: team }),
    ),
    post(
      "/team/delete",
      "deleteTeams",
      "Delete teams with their keys",
      namedTeams,
      object({ deleted_teams: list(text()) }),
    ),
    post("/team/block", "blockTeam", "Refuse a team's keys from now on", namedTeam),
    post("/team/unblock", "unblockTeam", "Accept a team's keys again", namedTeam),
    {
      method: "GET",
      path: "/team/info",
      id: "retrieveTeam",
      summary: "Look at a team with its keys and members",
      query: teamQuery,
      answer: answers(
        "The team.",
        object({ team_id: text(), team_info: team, keys: list(object()), team_memberships: list(object()) }),
      ),
      errors: missing,
    },
    {
      method: "GET",
      path: "/team/list",
      id: "listTeams",
      summary: "List teams",
      query: teamsQuery,
      answer: answers("The teams.", list(team)),
    },
    {
      method: "GET",
      path: "/v2/team/list",
      id: "listTeamPages",
      summary: "List teams page by page",
      query: teamPagesQuery,
      answer: answers("A page of teams.", object({ teams: list(team) })),
    },
    {
      method: "GET",
      path: "/team/available",
      id: "listAvailableTeams",
      summary: "List the teams that everybody may join: there are none",
      answer: answers("The teams.", list(team)),
    },
    post("/team/member_add", "addTeamMember", "Put users into a team", addMemberBody),
    post("/team/bulk_member_add", "addTeamMembers", "Put many users into a team", bulkAddMembersBody),
    post(
      "/team/member_update",
      "updateTeamMember",
      "Change what a user may within a team",
      updateMemberBody,
      object({ team_id: text(), user_id: text() }),
    ),
    post(
      "/team/member_delete",
      "deleteTeamMember",
      "Take a user out of a team, with its keys there",
      deleteMemberBody,
    ),
    post(
      "/team/{team_id}/reset_spend",
      "resetTeamSpend",
      "Lower what a team has spent, in all and in each window of its budgets",
      resetSpendBody,
      resetAnswer({ "team_id!": text() }),
    ),
    post(
      "/team/{team_id}/member/{user_id}/reset_spend",
      "resetTeamMemberSpend",
      "Lower what a user has spent within a team",
      resetSpendBody,
      resetAnswer({ "team_id!": text(), "user_id!": text() }),
    ),
    {
      method: "GET",
      path: "/team/{team_id}/callback",
      id: "listTeamCallbacks",
      summary: "Where the spans of a team's calls go, beside the destinations of the configuration",
      answer: answers("The destinations.", callbackAnswer({ callback_vars: map(text()) })),
      errors: missing,
    },
    post(
      "/team/{team_id}/callback",
      "addTeamCallback",
      "Send the spans of a team's calls to a destination of its own",
      callbackBody,
      object({ "status!": text(), "data!": team }),
    ),
    {
      method: "DELETE",
      path: "/team/{team_id}/callback/{callback_name}",
      id: "deleteTeamCallback",
      summary: "Take a destination of a team away",
      answer: answers("Done.", callbackAnswer()),
      errors: { 404: { when: "There is no such team for this key, or it has no such destination." } },
    },
    {
      method: "POST",
      path: "/team/{team_id}/disable_logging",
      id: "disableTeamLogging",
      summary: "Send the spans of a team's calls nowhere",
      answer: answers("Done.", callbackAnswer()),
      errors: missing,
    },
    post("/team/model/add", "addTeamModels", "Allow a team further models", teamModelsBody),
    post("/team/model/delete", "deleteTeamModels", "Take models from a team's list", teamModelsBody),
    {
      method: "GET",
      path: "/team/permissions_list",
      id: "listTeamPermissions",
      summary: "What members of a team may do for its keys",
      query: teamQuery,
      answer: answers(
        "The paths.",
        object({
          team_id: text(),
          team_member_permissions: list(text()),
          all_available_permissions: list(text()),
        }),
      ),
      errors: missing,
    },
    post(
      "/team/permissions_update",
      "updateTeamPermissions",
      "Say what members of a team may do for its keys",
      permissionsBody,
    ),
  ],
};
