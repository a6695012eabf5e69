/** One change, as LiteLLM's audit log has it, with the address that it came from. Rows are never changed or removed. */
export interface AuditRow {
  id: string;
  updated_at: number;
  changed_by: string;
  changed_by_api_key: string;
  address: string | null;
  action: string;
  table_name: string;
  object_id: string;
  /** Whose administrators may read it. */
  organization_id: string | null;
  team_id: string | null;
  /** JSON texts without secrets; none before a creation and after a deletion. */
  before_value: string | null;
  updated_values: string | null;
}

interface AuditSchema {
  audit_log: AuditRow;
}

declare module "../../../platform/store/schema.ts" {
  interface Schema extends AuditSchema {}
}
