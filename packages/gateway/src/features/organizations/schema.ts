import { answers, type GroupDescription, json, type Operation } from "../../contract/operation.ts";
import { closed, either, given, list, object, type Schema, text, word } from "../../contract/schema.ts";
import { limitFields } from "../../core/auth/fields/limit-fields.ts";
import { modelLimitFields } from "../../core/auth/fields/model-scopes.ts";
import { metadata, name, restrictionFields } from "../../core/auth/fields/restriction-fields.ts";
import {
  type EntityFields,
  entityBody,
  ORGANIZATION,
  UNENFORCED_RULES,
} from "../../core/auth/records/entities.ts";

/** What a user is within an organization. */
const ORGANIZATION_ROLES = ["org_admin", "internal_user", "internal_user_viewer"] as const;

/** What an organization can be given. */
export const organizationFields: EntityFields = {
  type: ORGANIZATION,
  fields: {
    organization_id: name("Made up where it is missing."),
    organization_alias: name("A name for it in lists."),
    metadata: metadata("Free."),
    ...restrictionFields,
    ...limitFields,
    ...modelLimitFields,
  },
  unenforced: new Map([...UNENFORCED_RULES, ["updated_by", "the caller is written down"]]),
};

const memberNames = { user_id: name("A user's id, or its address instead."), user_email: name() };
const member = closed(given({ ...memberNames, "role!": word(ORGANIZATION_ROLES) }));
const memberBudget = {
  max_budget_in_organization: {
    description: "Refused where it would restrict something: give it to the keys.",
  } as Schema,
};

export const newOrganizationBody = entityBody(organizationFields, ["organization_alias"]);
export const updateOrganizationBody = entityBody(organizationFields, ["organization_id"]);
export const deleteOrganizationsBody = closed(
  given({ "organization_ids!": list(name(), undefined, { maxItems: 1000 }) }),
);
export const organizationsBody = closed(
  given({ "organizations!": list(name(), undefined, { maxItems: 1000 }) }),
);
export const addMemberBody = closed(
  given({
    "organization_id!": name(),
    "member!": either(member, list(member, undefined, { maxItems: 1000 })),
    ...memberBudget,
  }),
);
export const updateMemberBody = closed(
  given({ "organization_id!": name(), ...memberNames, role: word(ORGANIZATION_ROLES), ...memberBudget }),
);
export const deleteMemberBody = closed(given({ "organization_id!": name(), ...memberNames }));
export const organizationQuery = object({ "organization_id!": name("Which organization.") });
export const organizationsQuery = object({
  org_id: name("Only this organization."),
  org_alias: name("Only organizations with this alias."),
});

const organization = object({
  organization_id: text(),
  organization_alias: text(),
  models: list(text()),
  metadata: object(),
  members: list(object()),
  teams: list(object()),
});
const missing = { 404: { when: "There is no such organization for this key." } };

function send(
  method: "POST" | "PATCH" | "DELETE",
  path: string,
  id: string,
  summary: string,
  request: Schema,
  answer: Schema = organization,
): Operation {
  return {
    method,
    path,
    id,
    summary,
    request: json(request),
    answer: answers("Done.", answer),
    ...(id === "createOrganization" ? {} : { errors: missing }),
  };
}

/** LiteLLM's organizations. */
export const organizationDescription: GroupDescription = {
  tag: "Organizations",
  about: "Organizations above teams. [Who may what](../gateway/roles.md) is one table.",
  operations: [
    send("POST", "/organization/new", "createOrganization", "Make an organization", newOrganizationBody),
    send(
      "PATCH",
      "/organization/update",
      "updateOrganization",
      "Change an organization",
      updateOrganizationBody,
    ),
    send(
      "DELETE",
      "/organization/delete",
      "deleteOrganizations",
      "Delete organizations that have no teams and keys any more",
      deleteOrganizationsBody,
      list(organization),
    ),
    {
      method: "GET",
      path: "/organization/info",
      id: "retrieveOrganization",
      summary: "Look at an organization with its members and teams",
      query: organizationQuery,
      answer: answers("The organization.", organization),
      errors: missing,
    },
    send(
      "POST",
      "/organization/info",
      "retrieveOrganizations",
      "Look at several organizations",
      organizationsBody,
      list(organization),
    ),
    {
      method: "GET",
      path: "/organization/list",
      id: "listOrganizations",
      summary: "List organizations",
      query: organizationsQuery,
      answer: answers("The organizations.", list(organization)),
    },
    send(
      "POST",
      "/organization/member_add",
      "addOrganizationMember",
      "Put users into an organization",
      addMemberBody,
      object({ organization_id: text() }),
    ),
    send(
      "PATCH",
      "/organization/member_update",
      "updateOrganizationMember",
      "Change what a user is within an organization",
      updateMemberBody,
      object({ user_id: text() }),
    ),
    send(
      "DELETE",
      "/organization/member_delete",
      "deleteOrganizationMember",
      "Take a user out of an organization",
      deleteMemberBody,
      object({ user_id: text() }),
    ),
  ],
};
