import { answers, type GroupDescription, type Operation, posted } from "../../contract/operation.ts";
import {
  closed,
  either,
  flag,
  given,
  list,
  object,
  orNull,
  type Schema,
  text,
  word,
} from "../../contract/schema.ts";
import { limitFields } from "../../core/auth/fields/limit-fields.ts";
import { modelLimitFields } from "../../core/auth/fields/model-scopes.ts";
import {
  dollars,
  length,
  metadata,
  name,
  restrictionFields,
} from "../../core/auth/fields/restriction-fields.ts";
import { pageQuery } from "../../core/auth/management/paging.ts";
import { type EntityFields, entityBody, UNENFORCED_RULES, USER } from "../../core/auth/records/entities.ts";

/** What a user may be; within organizations and teams it may be more. */
const USER_ROLES = ["proxy_admin", "proxy_admin_viewer", "internal_user", "internal_user_viewer"] as const;

const inTeam = closed(
  given({
    "team_id!": name(),
    user_role: word(["user", "admin"]),
    max_budget_in_team: dollars("US dollars that it may spend in the team."),
  }),
);

/** What a user can be given. */
export const userFields: EntityFields = {
  type: USER,
  fields: {
    user_id: name("Made up where it is missing."),
    user_email: text("An address, which nobody else has.", {
      minLength: 3,
      maxLength: 256,
      pattern: "^[^\\s@]+@[^\\s@]+$",
      examples: ["ann@example.com"],
    }),
    user_alias: name("A name for it in lists."),
    user_role: word(USER_ROLES, "What its keys may do; `internal_user` where it is missing."),
    sso_user_id: name("Its id at the issuer of its tokens."),
    metadata: metadata("Free."),
    ...restrictionFields,
    ...limitFields,
    ...modelLimitFields,
  },
  unenforced: new Map([
    ...UNENFORCED_RULES,
    ["password", "users sign in with keys, or at the provider that `sso` names"],
    ["allowed_cache_controls", "give it to keys"],
    ["permissions", "name hook modules under callbacks"],
    ["aliases", "give aliases to keys"],
    ["config", "settings stand in the configuration"],
    ["team_id", "name teams"],
  ]),
};

/** What `/user/new` has beside the user itself. */
const ofNewUsers = {
  teams: list(either(name(), inTeam), "Teams that it belongs to.", { maxItems: 1000 }),
  organizations: list(name(), "Organizations that it belongs to.", { maxItems: 1000 }),
  auto_create_key: flag("Makes a key too, unless false."),
  key_alias: name("The key's alias."),
  duration: length("How long the key is accepted"),
  send_invite_email: flag("Has no effect."),
};

export const newUserFields: EntityFields = { ...userFields, fields: { ...userFields.fields, ...ofNewUsers } };

export const newUserBody = entityBody(newUserFields, []);
export const updateUserBody = entityBody(userFields, []);
export const deleteUsersBody = closed(given({ "user_ids!": list(name(), undefined, { maxItems: 1000 }) }));
export const userQuery = object({ user_id: name("Whom; by default the caller's own user.") });
export const usersQuery = object({
  role: word(USER_ROLES, "Only users of this role."),
  user_ids: text("Only these, with commas.", { maxLength: 10_000 }),
  user_email: text("Only the user with this address.", { maxLength: 256 }),
  ...pageQuery,
});

const user = object({
  user_id: text(),
  user_email: orNull(text()),
  user_alias: orNull(text()),
  user_role: text(),
  teams: list(text()),
  models: list(text()),
  metadata: object(),
});
const missing = { 404: { when: "There is no such user for this key." } };

function post(path: string, id: string, summary: string, request: Schema, answer: Schema): Operation {
  return posted({ path, id, summary }, request, answer, missing);
}

/** LiteLLM's users. */
export const userDescription: GroupDescription = {
  tag: "Users",
  about: "Users and their roles. [Who may what](../gateway/roles.md) is one table.",
  operations: [
    post("/user/new", "createUser", "Make a user, with a key", newUserBody, user),
    post(
      "/user/update",
      "updateUser",
      "Change a user",
      updateUserBody,
      object({ user_id: text(), data: user }),
    ),
    post(
      "/user/delete",
      "deleteUsers",
      "Delete users with their keys",
      deleteUsersBody,
      object({ deleted_users: list(text()) }),
    ),
    {
      method: "GET",
      path: "/user/info",
      id: "retrieveUser",
      summary: "Look at a user with its keys and teams",
      query: userQuery,
      answer: answers(
        "The user.",
        object({ user_id: text(), user_info: user, keys: list(object()), teams: list(object()) }),
      ),
      errors: missing,
    },
    {
      method: "GET",
      path: "/v2/user/info",
      id: "retrieveUserAlone",
      summary: "Look at a user without its keys",
      query: userQuery,
      answer: answers("The user.", user),
      errors: missing,
    },
    {
      method: "GET",
      path: "/user/list",
      id: "listUsers",
      summary: "List users page by page",
      query: usersQuery,
      answer: answers("A page of users.", object({ users: list(user) })),
    },
    {
      method: "GET",
      path: "/user/available_roles",
      id: "listRoles",
      summary: "The roles that users can have",
      answer: answers("The roles.", object()),
    },
  ],
};
