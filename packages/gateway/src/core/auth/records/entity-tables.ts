/** What stands above keys or beside them. */
export const ENTITY_KINDS = ["organization", "team", "user", "customer", "budget", "tag"] as const;

export type EntityKind = (typeof ENTITY_KINDS)[number];

/** An organization, a team, a user, a customer, a budget or a tag. Times are milliseconds since the epoch. */
export interface EntityRow {
  kind: EntityKind;
  id: string;
  alias: string | null;
  /** A user's, in small letters. */
  email: string | null;
  /** The organization that a team belongs to. */
  organization_id: string | null;
  /** What it was given, by LiteLLM's names: JSON text. */
  settings: string;
  /** Counts its changes. */
  version: number;
  created_at: number;
  created_by: string;
  updated_at: number;
  updated_by: string;
  /** How many that were deleted had the id before. */
  generation: number;
}

/** A user within a team or an organization. */
export interface MembershipRow {
  kind: "team" | "organization";
  parent_id: string;
  user_id: string;
  /** `admin` or `user` within a team; `org_admin`, `internal_user` or `internal_user_viewer` within an organization. */
  role: string;
  settings: string;
  created_at: number;
}

interface EntitiesSchema {
  entities: EntityRow;
  memberships: MembershipRow;
}

declare module "../../../platform/store/schema.ts" {
  interface Schema extends EntitiesSchema {}
}
