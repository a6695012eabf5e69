/** What administrators of an Anthropic organization have: a table for `readTable`. */
export const organization = `
/v1/organizations/analytics/apps/chat/projects list
  distinct_user_count:0 message_count:0 project_id project_name
/v1/organizations/analytics/artifacts list
  artifact_type artifacts_created_count:0 distinct_user_count:0 is_shared:false published_artifacts_created_count:0
/v1/organizations/analytics/connectors list
  chat_metrics{} claude_code_metrics{} connector_name cowork_metrics{} distinct_user_count:0 office_metrics{excel{} outlook{} powerpoint{} word{}}
/v1/organizations/analytics/cost list
  cost{amount currency list_amount} ending_at@ group{} starting_at@
/v1/organizations/analytics/cost_report list
  ending_at@ results[] starting_at@
/v1/organizations/analytics/plugins list
  claude_code_metrics{} cowork_metrics{} distinct_user_count:0 invocation_count:0 plugin_name
/v1/organizations/analytics/skills list
  chat_metrics{} claude_code_metrics{} cowork_metrics{} distinct_user_count:0 office_metrics{excel{} outlook{} powerpoint{} word{}} skill_name
/v1/organizations/analytics/summaries list
  cowork_daily_active_user_count:0 cowork_monthly_active_user_count:0 cowork_weekly_active_user_count:0 daily_active_user_count:0 ending_at@ monthly_active_user_count:0 starting_at@ weekly_active_user_count:0
/v1/organizations/analytics/usage list
  ending_at@ group{} starting_at@ usage{cache_creation{ephemeral_1h_input_tokens:0 ephemeral_5m_input_tokens:0} cache_read_input_tokens:0 output_tokens:0 server_tool_use{web_search_requests:0} total_tokens:0 uncached_input_tokens:0}
/v1/organizations/analytics/usage_report list
  ending_at@ results[] starting_at@
/v1/organizations/analytics/user_cost_report list
  actor{deleted:true type=user_actor user_id} amount currency list_amount
/v1/organizations/analytics/user_usage_report list
  actor{deleted:true type=user_actor user_id} cache_creation{ephemeral_1h_input_tokens:0 ephemeral_5m_input_tokens:0} cache_read_input_tokens:0 output_tokens:0 server_tool_use{web_search_requests:0} total_tokens:0 uncached_input_tokens:0
/v1/organizations/analytics/users list
  chat_metrics{connectors_used_count:0 distinct_artifacts_created_count:0 distinct_projects_created_count:0 message_count:0 shared_conversations_viewed_count:0 thinking_message_count:0} claude_code_metrics{core_metrics{artifacts_created_count:0 commit_count:0 lines_of_code{added_count:0 removed_count:0} pull_request_count:0} tool_actions{edit_tool{accepted_count:0 rejected_count:0} multi_edit_tool{accepted_count:0 rejected_count:0} notebook_edit_tool{accepted_count:0 rejected_count:0} write_tool{accepted_count:0 rejected_count:0}}} cowork_metrics{action_count:0 artifacts_created_count:0 connectors_used_count:0 dispatch_turn_count:0 message_count:0 skills_used_count:0} design_metrics{distinct_projects_created_count:0 message_count:0} office_metrics{excel{connectors_used_count:0 message_count:0 skills_used_count:0} outlook{connectors_used_count:0 message_count:0 skills_used_count:0} powerpoint{connectors_used_count:0 message_count:0 skills_used_count:0} word{connectors_used_count:0 message_count:0 skills_used_count:0}} science_metrics{delegation_count:0 message_count:0 remote_compute_job_count:0 skills_used_count:0} web_search_count:0
/v1/organizations/api_keys list get update
  id created_at@ name scope{type=organization} status=active type=api_key
GET /v1/organizations/claude_code/managed_settings/configuration
  mode{type=organization} rbac_group_order[] rbac_group_order_version type=claude_code_managed_settings_configuration
POST /v1/organizations/claude_code/managed_settings/configuration
  mode{type=organization} rbac_group_order[] rbac_group_order_version type=claude_code_managed_settings_configuration
GET /v1/organizations/claude_code/managed_settings/rbac_group_default
  type=claude_code_rbac_group_default_managed_settings
POST /v1/organizations/claude_code/managed_settings/rbac_group_default
  type=claude_code_rbac_group_default_managed_settings
/v1/organizations/claude_code/managed_settings/rbac_groups list get update delete
  created_at@ rbac_group_id rbac_group_status{type=active} type=claude_code_rbac_group_managed_settings updated_at@
  DELETE rbac_group_id type=claude_code_rbac_group_managed_settings_deleted
/v1/organizations/claude_tag/bundles list get update
  id created_at@ display_name type=bundle updated_at@
/v1/organizations/claude_tag/bundles/{bundle_id}/targets create list get delete needs=target
  id created_at@ slack_channel_id type=slack_channel
  DELETE id type=bundle_target_deleted
/v1/organizations/claude_tag/slack_channels create list get update delete needs=slack
  id created_at@ settings{} slack{channel_id workspace_id} sources{instructions[]} type=slack_channel updated_at@
  DELETE id type=slack_channel_deleted
/v1/organizations/claude_tag/slack_workspaces list get update
  id created_at@ settings{} slack{workspace_id} sources{instructions[]} type=slack_workspace updated_at@
GET /v1/organizations/compliance_settings
  state{type=enabled} type=compliance_settings
POST /v1/organizations/compliance_settings
  state{type=enabled} type=compliance_settings
/v1/organizations/external_keys create list get update delete needs=provider_config
  id attachment{type=attached} created_at@ geo provider_config{kms_arn type=aws} type=external_key updated_at@
  DELETE id type=external_key_deleted
POST /v1/organizations/external_keys/{external_key_id}/validate
  status=failure type=external_key_validation
/v1/organizations/federation_issuers create list get update needs=issuer_url,name
  id check_jti:false created_at@ issuer_url jwks{type=discovery} max_jwt_lifetime_seconds:0 name type=federation_issuer updated_at@
  POST archive
/v1/organizations/federation_rules create list get update needs=issuer_id,match,name,oauth_scope,target
  id applies_to_all_workspaces:false created_at@ issuer_id match{} name oauth_scope target{service_account_id type=service_account} token_lifetime_seconds:0 type=federation_rule updated_at@ workspace_ids[]
  POST archive
/v1/organizations/federation_rules/{federation_rule_id}/workspaces create list delete needs=workspace_id
  created_at@ federation_rule_id type=federation_rule_workspace workspace_id
  DELETE federation_rule_id type=federation_rule_workspace_deleted workspace_id
/v1/organizations/invites create list get delete needs=email,role id=invite_
  id email expires_at@ invited_at@ rbac_group_ids[] role=admin status=accepted type=invite
  DELETE id type=invite_deleted
GET /v1/organizations/me
  id name type=organization
/v1/organizations/plugin_marketplaces list get update
  id created_at@ name owner{type=organization} source=directory type=plugin_marketplace
POST /v1/organizations/plugin_marketplaces/validate_archive
  plugin_errors[] plugin_warnings[] total_plugin_count:0 type=plugin_marketplace_validation_report valid:false
POST /v1/organizations/plugin_marketplaces/validate_repository
  plugin_errors[] plugin_warnings[] total_plugin_count:0 type=plugin_marketplace_validation_report valid:false
/v1/organizations/plugins create list get update delete needs=files
  id created_at@ latest_version_id marketplace_id name owner{type=organization} served_version_id served_version_pinned:false type=plugin updated_at@
  DELETE id type=plugin_deleted
/v1/organizations/plugins/{plugin_id}/installation_settings list update delete
  created_at@ installation_preference=auto_install plugin_id target{type=organization} type=plugin_installation_setting updated_at@
  DELETE plugin_id target{type=organization} type=plugin_installation_setting_deleted
/v1/organizations/plugins/{plugin_id}/shares list
  granted_at@ plugin_id target{type=organization} type=plugin_share
/v1/organizations/plugins/{plugin_id}/versions create list get needs=files
  id created_at@ plugin_id type=plugin_version
GET /v1/organizations/plugins/{plugin_id}/versions/{version}/content
  binary
/v1/organizations/rate_limits list
  id group{id display_name type=model_group} limits[] type=rate_limit
/v1/organizations/rbac_groups create list get update delete needs=name
  id created_at@ name source_type=direct type=rbac_group updated_at@
  DELETE id type=rbac_group_deleted
/v1/organizations/rbac_groups/{rbac_group_id}/members create list delete needs=user_id
  created_at@ email rbac_group_id type=rbac_group_member user_id
  DELETE rbac_group_id type=rbac_group_member_deleted user_id
/v1/organizations/rbac_roles list get
  id created_at@ display_name source{type=built_in} type=rbac_role updated_at@
/v1/organizations/rbac_roles/{rbac_role_id}/permissions list
  action resource{organization_id type=organization} type=rbac_role_permission
/v1/organizations/service_accounts create list get update needs=name
  id created_at@ name organization_role=admin type=service_account updated_at@
  POST archive
/v1/organizations/service_accounts/{service_account_id}/workspaces create list delete needs=workspace_id,workspace_role
  service_account_id type=service_account_workspace_member workspace_id workspace_role=workspace_admin
  DELETE service_account_id type=service_account_workspace_member_deleted workspace_id
/v1/organizations/spend_limit_increase_requests list get
  id actor{deleted:true type=user_actor user_id} created_at@ period=daily status=approved type=spend_limit_increase_request
  POST deny
POST /v1/organizations/spend_limit_increase_requests/{spend_limit_increase_request_id}/approve
  id actor{deleted:true type=user_actor user_id} created_at@ period=daily status=approved type=spend_limit_increase_request
/v1/organizations/spend_limits create list get delete needs=amount,scope
  id created_at@ currency is_enabled:false period=daily scope{type=user user_id} type=spend_limit updated_at@
  DELETE id type=spend_limit_deleted
/v1/organizations/spend_limits/effective list
  actor{deleted:true type=user_actor user_id} currency period=daily period_to_date_spend scope{type=user user_id} source{type=user user_id} spend_limit_id
/v1/organizations/telemetry_destinations create list get update delete needs=endpoint_url,workspaces
  id created_at@ delivery_health{} endpoint_url header_names[] state{type=enabled} traces{content_mode=metadata_only enabled:false} type=telemetry_destination updated_at@ workspaces{type=all}
  DELETE id type=telemetry_destination_deleted
POST /v1/organizations/telemetry_destinations/{destination_id}/test
  result{type=success} type=telemetry_destination_test
/v1/organizations/telemetry_destinations/{destination_id}/workspaces list update delete
  created_at@ telemetry_destination_id type=telemetry_destination_workspace workspace_id
  DELETE telemetry_destination_id type=telemetry_destination_workspace_deleted workspace_id
/v1/organizations/users list get update delete
  id added_at@ email name role=admin type=user
  DELETE id type=user_deleted
POST /v1/organizations/users/{user_id}/sign_out
  id added_at@ email name role=admin type=user
/v1/organizations/webhooks create list get update delete needs=enabled_events,name,url
  id created_at@ description disabled_reason enabled_events[] name state=disabled updated_at@ url
  CREATE signing_secret~whsec_
  DELETE id type=webhook_endpoint_deleted
POST /v1/organizations/webhooks/{webhook_endpoint_id}/regenerate_signing_secret
  signing_secret~whsec_
/v1/organizations/workspaces create list get update needs=name id=wrkspc_
  id compartment_id created_at@ data_residency{allowed_inference_geos[] default_inference_geo=global workspace_geo=us} display_color name tags{} type=workspace
  POST archive
/v1/organizations/workspaces/{workspace_id}/members create list get update delete needs=user_id,workspace_role
  type=workspace_member user_id workspace_id workspace_role=workspace_admin
  DELETE type=workspace_member_deleted user_id workspace_id
/v1/organizations/workspaces/{workspace_id}/rate_limits list update
  group{id display_name type=model_group} limits[] rate_limit_id type=workspace_rate_limit workspace_id
/v1/organizations/workspaces/{workspace_id}/service_accounts create list get update delete needs=service_account_id,workspace_role
  service_account_id type=service_account_workspace_member workspace_id workspace_role=workspace_admin
  DELETE service_account_id type=service_account_workspace_member_deleted workspace_id
`;
