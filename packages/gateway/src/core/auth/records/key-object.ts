import type { JsonObject } from "../../../contract/json.ts";
import { maskedMetadata } from "../fields/own-callbacks.ts";
import { keySettings } from "./key-fields.ts";
import type { KeyRow } from "./keys-table.ts";

/** A key as LiteLLM's clients read it; never the key itself. */
export function keyObject(row: KeyRow, spend: number): JsonObject {
  const settings = keySettings(row);
  return {
    token: row.key_hash,
    key_name: row.key_name,
    key_alias: row.key_alias,
    spend,
    max_budget: row.max_budget,
    budget_duration: row.budget_duration,
    models: JSON.parse(row.models),
    rpm_limit: row.rpm_limit,
    tpm_limit: row.tpm_limit,
    max_parallel_requests: row.max_parallel_requests,
    user_id: row.user_id,
    user_role: row.user_role,
    team_id: row.team_id,
    organization_id: row.organization_id,
    soft_budget: settings.soft_budget ?? null,
    max_rollover: settings.max_rollover ?? null,
    budget_id: settings.budget_id ?? null,
    aliases: settings.aliases ?? {},
    key_type: settings.key_type ?? "default",
    allowed_routes: settings.allowed_routes ?? [],
    enforced_params: settings.enforced_params ?? [],
    allowed_ips: settings.allowed_ips ?? [],
    allowed_passthrough_routes: settings.allowed_passthrough_routes ?? [],
    allowed_cache_controls: settings.allowed_cache_controls ?? [],
    model_max_budget: settings.model_max_budget ?? {},
    model_rpm_limit: settings.model_rpm_limit ?? {},
    model_tpm_limit: settings.model_tpm_limit ?? {},
    temp_budget_increase: settings.temp_budget_increase ?? null,
    temp_budget_expiry: settings.temp_budget_expiry ?? null,
    metadata: maskedMetadata(JSON.parse(row.metadata) as JsonObject),
    team_metadata: JSON.parse(row.team_metadata),
    allowed_model_region: row.allowed_model_region,
    blocked: row.blocked === 1,
    expires: row.expires_at === null ? null : new Date(row.expires_at).toISOString(),
    created_at: new Date(row.created_at).toISOString(),
    created_by: row.created_by,
    updated_at: new Date(row.updated_at).toISOString(),
    updated_by: row.updated_by,
  };
}
