import type { JsonObject } from "../../contract/json.ts";
import { GROUP_SCHEMA, USER_SCHEMA } from "./resources.ts";

/** Resources in one page at most. */
export const MAX_RESULTS = 200;

const CORE = "urn:ietf:params:scim:schemas:core:2.0";

/** What of the protocol is there (RFC 7643, section 5). */
export const SERVICE_PROVIDER_CONFIG: JsonObject = {
  schemas: [`${CORE}:ServiceProviderConfig`],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: MAX_RESULTS },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: true },
  authenticationSchemes: [
    { type: "oauthbearertoken", name: "Bearer token", description: "A key that an administrator made." },
  ],
};

export const RESOURCE_TYPES: readonly JsonObject[] = [
  { schemas: [`${CORE}:ResourceType`], id: "User", name: "User", endpoint: "/Users", schema: USER_SCHEMA },
  {
    schemas: [`${CORE}:ResourceType`],
    id: "Group",
    name: "Group",
    endpoint: "/Groups",
    schema: GROUP_SCHEMA,
  },
];

function attribute(name: string, more: JsonObject = {}): JsonObject {
  const usual = {
    type: "string",
    multiValued: false,
    required: false,
    caseExact: false,
    mutability: "readWrite",
  };
  return { name, ...usual, returned: "default", uniqueness: "none", ...more };
}

const subAttributes = (...names: string[]): JsonObject => ({
  type: "complex",
  subAttributes: names.map((name) => attribute(name)),
});

/** The attributes that are kept (RFC 7643, section 7). */
export const SCHEMAS: readonly JsonObject[] = [
  {
    schemas: [`${CORE}:Schema`],
    id: USER_SCHEMA,
    name: "User",
    attributes: [
      attribute("userName", { required: true, uniqueness: "server" }),
      attribute("externalId", { caseExact: true }),
      attribute("displayName"),
      attribute("name", subAttributes("givenName", "familyName")),
      attribute("emails", { ...subAttributes("value"), multiValued: true, uniqueness: "server" }),
      attribute("active", { type: "boolean" }),
    ],
  },
  {
    schemas: [`${CORE}:Schema`],
    id: GROUP_SCHEMA,
    name: "Group",
    attributes: [
      attribute("displayName", { required: true }),
      attribute("externalId", { caseExact: true }),
      attribute("members", { ...subAttributes("value", "$ref"), multiValued: true }),
    ],
  },
];
