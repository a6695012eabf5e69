/** A gateway key. Flags are 0 or 1, times milliseconds since the epoch, lists and maps JSON text. */
export interface KeyRow {
  key_hash: string;
  /** `sk-...abcd`: enough to recognise the key by. */
  key_name: string;
  key_alias: string | null;
  user_id: string | null;
  user_role: string;
  team_id: string | null;
  metadata: string;
  team_metadata: string;
  allowed_model_region: string | null;
  models: string;
  rpm_limit: number | null;
  tpm_limit: number | null;
  max_parallel_requests: number | null;
  max_budget: number | null;
  budget_duration: string | null;
  blocked: number;
  expires_at: number | null;
  created_at: number;
  created_by: string;
  updated_at: number;
  updated_by: string;
  organization_id: string | null;
  /** What else it was given, by LiteLLM's names (`KeySettings`). */
  settings: string;
  /** How many that were deleted had the text before. */
  generation: number;
}

/** The old text of a key that was renewed: it stands for the new one until its time is over. */
interface RenewedKeyRow {
  old_hash: string;
  key_hash: string;
  revoked_at: number;
}

/** The tables about keys. */
export interface KeysSchema {
  gateway_keys: KeyRow;
  renewed_keys: RenewedKeyRow;
}

declare module "../../../platform/store/schema.ts" {
  interface Schema extends KeysSchema {}
}
