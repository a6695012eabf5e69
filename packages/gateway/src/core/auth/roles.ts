import type { Route } from "../../contract/exchange.ts";

/** Who manages: LiteLLM's roles of users, and what a user is within an organization or a team. */
export const MANAGEMENT_ROLES = [
  "proxy_admin",
  "proxy_admin_viewer",
  "org_admin",
  "team_admin",
  "internal_user",
  "internal_user_viewer",
] as const;

/** Those that see everything, and are given by proxy administrators alone. */
export const ADMINISTRATORS: readonly string[] = ["proxy_admin", "proxy_admin_viewer"];

export type ManagementRole = (typeof MANAGEMENT_ROLES)[number];

/**
 * What a role reaches by a route: everything; what belongs to an organization or a team that it administers; a team that
 * it is a member of; its own user and keys.
 */
export type Reach = "all" | "organization" | "team" | "member" | "own";

/** What each role reaches by one route; a role that is missing is refused. */
export type RoleRow = Partial<Readonly<Record<ManagementRole, readonly Reach[]>>> & {
  /** Members of a team may do it for its keys where `team_member_permissions` names the path. */
  readonly byMemberPermission?: true;
};

const everything: readonly Reach[] = ["all"];

const adminOnly: RoleRow = { proxy_admin: everything };

const adminSees: RoleRow = { ...adminOnly, proxy_admin_viewer: everything };

/** Whoever has it changes it, and who administers what it belongs to. */
const ownersChange: RoleRow = {
  proxy_admin: everything,
  org_admin: ["organization", "own"],
  team_admin: ["team", "own"],
  internal_user: ["own"],
  byMemberPermission: true,
};

const ownersSee: RoleRow = {
  ...adminSees,
  org_admin: ["organization", "own"],
  team_admin: ["team", "own"],
  internal_user: ["own"],
  internal_user_viewer: ["own"],
  byMemberPermission: true,
};

const administratorsChange: RoleRow = {
  proxy_admin: everything,
  org_admin: ["organization"],
  team_admin: ["team"],
};

const organizationsChange: RoleRow = { proxy_admin: everything, org_admin: ["organization"] };

const membersSee: RoleRow = {
  ...adminSees,
  org_admin: ["organization", "member"],
  team_admin: ["team", "member"],
  internal_user: ["member"],
  internal_user_viewer: ["member"],
};

const administratorsSee: RoleRow = {
  ...adminSees,
  org_admin: ["organization"],
  team_admin: ["team"],
};

const seesUser: RoleRow = {
  ...adminSees,
  org_admin: ["organization", "own"],
  team_admin: ["own"],
  internal_user: ["own"],
  internal_user_viewer: ["own"],
};

/** The one table of who may do what. A management route that is not in it cannot be opened. */
export const ROLE_TABLE: Readonly<Record<string, RoleRow>> = {
  "POST /key/generate": ownersChange,
  "POST /key/service-account/generate": { ...administratorsChange, byMemberPermission: true },
  "POST /key/update": ownersChange,
  "POST /key/bulk_update": adminOnly,
  "POST /key/delete": ownersChange,
  "POST /key/block": administratorsChange,
  "POST /key/unblock": administratorsChange,
  "POST /key/regenerate": ownersChange,
  "POST /key/:key/regenerate": ownersChange,
  "POST /key/:key/reset_spend": administratorsChange,
  "POST /key/health": ownersSee,
  "GET /key/info": ownersSee,
  "GET /key/list": ownersSee,
  "GET /key/aliases": ownersSee,

  "POST /team/new": organizationsChange,
  "POST /team/update": administratorsChange,
  "POST /team/delete": organizationsChange,
  "POST /team/block": organizationsChange,
  "POST /team/unblock": organizationsChange,
  "GET /team/info": membersSee,
  "GET /team/list": membersSee,
  "GET /v2/team/list": membersSee,
  "GET /team/available": membersSee,
  "POST /team/member_add": administratorsChange,
  "POST /team/bulk_member_add": administratorsChange,
  "POST /team/member_update": administratorsChange,
  "POST /team/member_delete": administratorsChange,
  "POST /team/:team_id/reset_spend": organizationsChange,
  "POST /team/:team_id/member/:user_id/reset_spend": administratorsChange,
  "GET /team/:team_id/callback": administratorsSee,
  "POST /team/:team_id/callback": administratorsChange,
  "DELETE /team/:team_id/callback/:callback_name": administratorsChange,
  "POST /team/:team_id/disable_logging": administratorsChange,
  "POST /team/model/add": organizationsChange,
  "POST /team/model/delete": organizationsChange,
  "GET /team/permissions_list": membersSee,
  "POST /team/permissions_update": administratorsChange,

  "POST /user/new": organizationsChange,
  "POST /user/update": { ...organizationsChange, team_admin: ["own"], internal_user: ["own"] },
  "POST /user/delete": organizationsChange,
  "GET /user/info": seesUser,
  "GET /v2/user/info": seesUser,
  "GET /user/list": { ...adminSees, org_admin: ["organization"] },
  "GET /user/available_roles": {
    ...adminSees,
    org_admin: everything,
    team_admin: everything,
    internal_user: everything,
    internal_user_viewer: everything,
  },

  "POST /organization/new": adminOnly,
  "PATCH /organization/update": organizationsChange,
  "DELETE /organization/delete": adminOnly,
  "GET /organization/info": { ...adminSees, org_admin: ["organization"] },
  "POST /organization/info": organizationsChange,
  "GET /organization/list": { ...adminSees, org_admin: ["organization"] },
  "POST /organization/member_add": organizationsChange,
  "PATCH /organization/member_update": organizationsChange,
  "DELETE /organization/member_delete": organizationsChange,

  ...beside("customer", adminOnly),
  "POST /customer/block": adminOnly,
  "POST /customer/unblock": adminOnly,
  "GET /customer/info": adminSees,
  ...beside("budget", adminOnly),
  "POST /budget/info": adminOnly,
  "GET /budget/settings": adminSees,
  "GET /provider/budgets": adminSees,
  ...beside("tag", adminOnly),
  "POST /tag/info": adminOnly,

  ...reports(),

  "GET /ui/configuration": adminSees,
  "GET /audit": administratorsSee,
  "GET /audit/:audit_id": administratorsSee,
};

/** What customers, budgets and tags have in common. */
function beside(kind: string, changes: RoleRow): Record<string, RoleRow> {
  return {
    [`POST /${kind}/new`]: changes,
    [`POST /${kind}/update`]: changes,
    [`POST /${kind}/delete`]: changes,
    [`GET /${kind}/list`]: adminSees,
  };
}

/** Reports of spend: each role sees what was spent by what it administers and by itself. */
function reports(): Record<string, RoleRow> {
  const global = ["", "/keys", "/teams", "/models", "/tags", "/provider", "/logs", "/report"];
  const daily = ["user", "team", "tag", "organization", "customer"];
  const routes = [
    "GET /spend/logs",
    "GET /spend/sessions",
    "GET /spend/keys",
    "GET /spend/tags",
    ...global.map((name) => `GET /global/spend${name}`),
    "POST /global/spend/end_users",
    ...daily.map((kind) => `GET /${kind}/daily/activity`),
  ];
  return { "GET /spend/users": seesUser, ...Object.fromEntries(routes.map((route) => [route, ownersSee])) };
}

/** The row of a route. */
export function rolesOf({ method, path }: Pick<Route, "method" | "path">): RoleRow {
  const row = ROLE_TABLE[`${method} ${path}`];
  if (row === undefined) throw new Error(`${method} ${path} has no row in the table of roles`);
  return row;
}
