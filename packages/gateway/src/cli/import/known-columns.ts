const columns: Readonly<Record<string, string>> = {
  LiteLLM_BudgetTable:
    "budget_id max_budget soft_budget max_parallel_requests tpm_limit rpm_limit tpd_limit model_max_budget budget_duration budget_reset_at allowed_models temp_budget_increase temp_budget_expiry created_at created_by updated_at updated_by",
  LiteLLM_OrganizationTable:
    "organization_id organization_alias budget_id metadata models spend model_spend object_permission_id created_at created_by updated_at updated_by",
  LiteLLM_TeamTable:
    "team_id team_alias organization_id object_permission_id admins members members_with_roles metadata max_budget soft_budget spend models max_parallel_requests tpm_limit rpm_limit tpd_limit budget_duration budget_reset_at blocked created_at updated_at model_spend model_max_budget router_settings team_member_permissions access_group_ids policies default_team_member_models budget_limits model_id allow_team_guardrail_config",
  LiteLLM_UserTable:
    "user_id user_alias team_id sso_user_id organization_id object_permission_id password password_reset_required last_breach_check_at teams user_role max_budget spend user_email models metadata max_parallel_requests tpm_limit rpm_limit budget_duration budget_reset_at allowed_cache_controls policies model_spend model_max_budget created_at updated_at",
  LiteLLM_TeamMembership: "user_id team_id spend total_spend budget_id",
  LiteLLM_OrganizationMembership: "user_id organization_id user_role spend budget_id created_at updated_at",
  LiteLLM_EndUserTable:
    "user_id alias spend allowed_model_region default_model models budget_id object_permission_id blocked",
  LiteLLM_TagTable: "tag_name description models model_info spend budget_id created_at created_by updated_at",
  LiteLLM_CredentialsTable:
    "credential_id credential_name display_name credential_values credential_info created_at created_by updated_at updated_by",
  LiteLLM_ProxyModelTable:
    "model_id model_name litellm_params model_info blocked created_at created_by updated_at updated_by",
  LiteLLM_AccessGroupTable:
    "access_group_id access_group_name description access_model_names access_mcp_server_ids mcp_tool_permissions access_agent_ids access_skill_names assigned_team_ids assigned_key_ids created_at created_by updated_at updated_by",
  LiteLLM_VerificationToken:
    "token key_name key_alias soft_budget_cooldown spend total_spend expires models aliases config router_settings user_id team_id agent_id project_id permissions max_parallel_requests metadata blocked tpm_limit rpm_limit tpd_limit max_budget budget_duration budget_reset_at allowed_cache_controls allowed_routes key_type policies access_group_ids model_spend model_max_budget budget_fallbacks budget_id organization_id object_permission_id created_at created_by updated_at updated_by settings_updated_at last_active rotation_count auto_rotate rotation_interval last_rotation_at key_rotation_at budget_limits",
  LiteLLM_SpendLogs:
    "request_id call_type api_key spend total_tokens prompt_tokens completion_tokens startTime endTime request_duration_ms completionStartTime model model_id model_group custom_llm_provider api_base user metadata cache_hit cache_key request_tags team_id organization_id end_user requester_ip_address messages response session_id status mcp_namespaced_tool_name billing_agent_id agent_id proxy_server_request litellm_call_id created_at updated_at",
  LiteLLM_DeprecatedVerificationToken: "id token active_token_id revoke_at created_at",
};

/** The columns that LiteLLM 1.109's tables have, as far as they are taken over; others are named. */
export const knownColumns: Readonly<Record<string, ReadonlySet<string>>> = Object.fromEntries(
  Object.entries(columns).map(([table, names]) => [table, new Set(names.split(" "))]),
);

const BY_FILE = "it stands in the configuration file here";
const NOT_HERE = "there is no such thing here";
const HISTORY = "it is history";

/** LiteLLM's sums of each day. */
const DAILY = /^LiteLLM_Daily\w+Spend$/;

/** Why a table is not taken over. */
export function whyLeft(table: string): string {
  if (DAILY.test(table)) return "sums of days are made from the spend log here: take it by --spend-log";
  return leftTables[table] ?? "it is not known, or has no effect here";
}

/** Why tables are not taken over, those of them that an operator may miss. */
const leftTables: Readonly<Record<string, string>> = {
  LiteLLM_Config: `${BY_FILE}: take general_settings, router_settings and environment_variables over by hand`,
  LiteLLM_GuardrailsTable: "name hook modules under callbacks",
  LiteLLM_PolicyTable: "name hook modules under callbacks",
  LiteLLM_PolicyAttachmentTable: "name hook modules under callbacks",
  LiteLLM_PromptTable: "there is no prompt store",
  LiteLLM_ProjectTable: "there are no projects: give their keys limits, or make teams of them",
  LiteLLM_ObjectPermissionTable: "objects belong to whoever made them",
  LiteLLM_MCPServerTable: `${NOT_HERE} as an MCP server`,
  LiteLLM_AgentsTable: "register agents by /v1/agents: their owners and secrets are others here",
  LiteLLM_ManagedFileTable: "files stay at their providers, and ids are others here",
  LiteLLM_ManagedObjectTable: "batches and responses stay at their providers, and ids are others here",
  LiteLLM_ManagedVectorStoresTable: "there are no vector stores",
  LiteLLM_JWTKeyMapping: "tokens are mapped to users by their claims",
  LiteLLM_SSOConfig: `${BY_FILE}`,
  LiteLLM_InvitationLink: "invitations end with LiteLLM's console",
  LiteLLM_ModelAccessGroupBudgetTable: "groups of models have no budgets of their own: give them to keys",
  LiteLLM_BudgetWindowSpend: "budgets for some models alone begin anew",
  LiteLLM_SpendLogs: `${HISTORY}, which --spend-log takes, too; what keys, teams and others have spent in all is taken`,
  LiteLLM_AuditLog: `${HISTORY}: export it from there`,
  LiteLLM_DeletedTeamTable: HISTORY,
  LiteLLM_DeletedVerificationToken: HISTORY,
};
