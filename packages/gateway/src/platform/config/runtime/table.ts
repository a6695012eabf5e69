/** Something of the configuration that was made at run time. Times are milliseconds since the epoch. */
export interface ConfigEntryRow {
  kind: ConfigEntryKind;
  /** The model's id, the credential's name, the group's name. */
  name: string;
  /** JSON, sealed: it may hold credentials. */
  body: string;
  /** Another one after each change. */
  revision: string;
  created_at: number;
  created_by: string;
  updated_at: number;
  updated_by: string;
}

export type ConfigEntryKind = "model" | "credential" | "access_group";

declare module "../../store/schema.ts" {
  interface Schema {
    config_entries: ConfigEntryRow;
  }
}
