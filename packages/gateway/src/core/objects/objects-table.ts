/**
 * An object that the gateway has handed out an id for: whose it is and which deployment made it.
 * Times are milliseconds since the epoch.
 */
export interface ObjectRow {
  /** The id callers have. */
  id: string;
  kind: string;
  /** Who may see it; see `tenantOf`. */
  tenant: string;
  key_hash: string;
  user_id: string | null;
  team_id: string | null;
  /** Null for direct calls, which have no deployment. */
  deployment_id: string | null;
  provider: string;
  /** Null for objects that only the gateway knows. */
  provider_id: string | null;
  created_at: number;
  expires_at: number | null;
  /** JSON that the object's group keeps with it. */
  data: string;
}

export interface ObjectsSchema {
  objects: ObjectRow;
}

declare module "../../platform/store/schema.ts" {
  interface Schema extends ObjectsSchema {}
}
