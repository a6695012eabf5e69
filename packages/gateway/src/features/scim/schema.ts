import type { Answer, GroupDescription, Operation } from "../../contract/operation.ts";
import { object, text, whole } from "../../contract/schema.ts";

const SCIM = "application/scim+json";
const answer = (about: string): Answer => ({ about, content: { [SCIM]: object() } });
const body = { content: { [SCIM]: object(), "application/json": object() } };

/** What a list may be asked for. */
const listQuery = object({
  filter: text('Comparisons by `eq`, joined by `and` and `or`: `userName eq "ann@example.com"`.'),
  startIndex: whole("The first one, counted from 1."),
  count: whole("How many; at most 200."),
  excludedAttributes: text("`members` leaves them out of groups."),
});

function resource(kind: "User" | "Group"): Operation[] {
  const path = `/scim/v2/${kind}s`;
  const one = `${path}/{id}`;
  const name = kind.toLowerCase();
  return [
    {
      method: "GET",
      path,
      id: `list${kind}sByScim`,
      summary: `List ${name}s`,
      query: listQuery,
      answer: answer("A page."),
    },
    {
      method: "POST",
      path,
      id: `create${kind}ByScim`,
      summary: `Make a ${name}`,
      request: body,
      answer: { ...answer("Made (201)."), status: 201 },
    },
    {
      method: "GET",
      path: one,
      id: `show${kind}ByScim`,
      summary: `Show a ${name}`,
      answer: answer(`The ${name}.`),
    },
    {
      method: "PUT",
      path: one,
      id: `replace${kind}ByScim`,
      summary: `Replace a ${name}`,
      request: body,
      answer: answer("Done."),
    },
    {
      method: "PATCH",
      path: one,
      id: `patch${kind}ByScim`,
      summary: `Change a ${name}`,
      request: body,
      answer: answer("Done."),
    },
    {
      method: "DELETE",
      path: one,
      id: `delete${kind}ByScim`,
      summary: `Remove a ${name}`,
      answer: { ...answer("Removed (204)."), status: 204 },
    },
  ];
}

function fixed(name: string, id: string): Operation {
  return {
    method: "GET",
    path: `/scim/v2/${name}`,
    id,
    summary: `What is supported: ${name}`,
    answer: answer("Fixed."),
  };
}

/** SCIM 2.0 (RFC 7643 and 7644). */
export const scimDescription: GroupDescription = {
  tag: "SCIM",
  about: "An identity provider makes, changes and removes users and teams (`general_settings.enable_scim`).",
  isOptional: true,
  operations: [
    ...resource("User"),
    ...resource("Group"),
    fixed("ServiceProviderConfig", "showScimConfiguration"),
    fixed("ResourceTypes", "listScimResourceTypes"),
    fixed("Schemas", "listScimSchemas"),
  ],
};
