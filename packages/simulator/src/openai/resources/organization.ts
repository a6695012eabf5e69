/** What administrators of an OpenAI organization have, and webhooks: a table for `readTable`. */
export const organization = `
POST /content_provenance_checks
  created_at@ object=content_provenance_check results[]
POST /decisions
  answers[] model usage{input_tokens:0 input_tokens_details{cache_write_tokens:0 cached_tokens:0} output_tokens:0 output_tokens_details{reasoning_tokens:0} total_tokens:0}
/organization/admin_api_keys create list get delete needs=name id=key_
  id created_at@ object=organization.admin_api_key owner{} redacted_value
  CREATE value~sk-admin-
  DELETE id deleted:true object=organization.admin_api_key.deleted
/organization/audit_logs list
  id effective_at@ type=api_key.created
/organization/certificates create list get update delete needs=certificate
  id active:false certificate_details{} created_at@ name object=certificate
  DELETE id object=certificate.deleted
POST /organization/certificates/activate
  page
POST /organization/certificates/deactivate
  page
GET /organization/costs
  data[] has_more:false object=page
GET /organization/data_retention
  object=organization.data_retention type=zero_data_retention
POST /organization/data_retention
  object=organization.data_retention type=zero_data_retention
/organization/external_keys create list get delete needs=name,type
  id api_project_ids[] created_at@ name object type workspace_id
  DELETE same
POST /organization/external_keys/{external_key_id}/validate
  status
/organization/external_storage create list get delete needs=project_id,provider
  id created_at@ geography object=organization.external_storage project_id provider{account_id bucket external_id region role_arn type=aws} status=pending
  DELETE id deleted:true object=organization.external_storage.deleted
  POST validate
/organization/groups create list get update delete needs=name
  id created_at@ group_type=group is_scim_managed:false name
  DELETE id deleted:true object=group.deleted
/organization/groups/{group_id}/roles list get delete
  id name permissions[] predefined_role:false resource_type
  DELETE deleted:true object
POST /organization/groups/{group_id}/roles
  group{id created_at@ name object=group scim_managed:false} object=group.role role{id name object=role permissions[] predefined_role:false resource_type}
/organization/groups/{group_id}/users list get delete
  id name user_type=user
  DELETE deleted:true object=group.user.deleted
POST /organization/groups/{group_id}/users
  group_id object=group.user user_id
/organization/invites create list get delete needs=email,role
  id created_at@ email object=organization.invite projects[] role=owner status=accepted
  DELETE id deleted:true object=organization.invite.deleted
/organization/projects create list get update needs=name id=proj_
  id created_at@ object=organization.project
  POST archive
/organization/projects/{project_id}/api_keys list get update delete
  id created_at@ name object=organization.project.api_key owner{} owner_project_access=active redacted_value
  DELETE id deleted:true object=organization.project.api_key.deleted
/organization/projects/{project_id}/certificates list
  id active:false certificate_details{} created_at@ object=organization.project.certificate
POST /organization/projects/{project_id}/certificates/activate
  page
POST /organization/projects/{project_id}/certificates/deactivate
  page
GET /organization/projects/{project_id}/data_retention
  object=project.data_retention type=organization_default
POST /organization/projects/{project_id}/data_retention
  object=project.data_retention type=organization_default
/organization/projects/{project_id}/groups create list get delete needs=group_id,role
  created_at@ group_id group_name group_type=group object=project.group project_id
  DELETE deleted:true object=project.group.deleted
GET /organization/projects/{project_id}/hosted_tool_permissions
  code_interpreter{enabled:false} file_search{enabled:false} image_generation{enabled:false} mcp{enabled:false} web_search{enabled:false}
POST /organization/projects/{project_id}/hosted_tool_permissions
  code_interpreter{enabled:false} file_search{enabled:false} image_generation{enabled:false} mcp{enabled:false} web_search{enabled:false}
GET /organization/projects/{project_id}/model_permissions
  mode=allow_list model_ids[] object=project.model_permissions
POST /organization/projects/{project_id}/model_permissions
  mode=allow_list model_ids[] object=project.model_permissions
DELETE /organization/projects/{project_id}/model_permissions
  deleted:true object=project.model_permissions.deleted
/organization/projects/{project_id}/rate_limits list update
  id max_requests_per_1_minute:0 max_tokens_per_1_minute:0 model object=project.rate_limit
/organization/projects/{project_id}/service_accounts list get update delete
  id created_at@ name object=organization.project.service_account role=owner
  DELETE id deleted:true object=organization.project.service_account.deleted
POST /organization/projects/{project_id}/service_accounts
  id created_at@ name object=organization.project.service_account role=member
POST /organization/projects/{project_id}/service_accounts/{service_account_id}/api_keys
  id created_at@ name object=organization.project.service_account.api_key value
GET /organization/projects/{project_id}/service_tier_settings
  default=standard enabled_tiers=all object=project.service_tier_settings
POST /organization/projects/{project_id}/service_tier_settings
  default=standard enabled_tiers=all object=project.service_tier_settings
/organization/projects/{project_id}/spend_alerts create list get update delete needs=currency,interval,notification_channel,threshold_amount
  id currency=USD interval=month notification_channel{recipients[] type=email} object=project.spend_alert threshold_amount:0
  DELETE id deleted:true object=project.spend_alert.deleted
GET /organization/projects/{project_id}/spend_limit
  currency enforcement{status} interval object=project.spend_limit threshold_amount:0
POST /organization/projects/{project_id}/spend_limit
  currency enforcement{status} interval object=project.spend_limit threshold_amount:0
DELETE /organization/projects/{project_id}/spend_limit
  deleted:true object=project.spend_limit.deleted
/organization/projects/{project_id}/users create list get update delete needs=role
  id added_at@ object=organization.project.user role
  DELETE id deleted:true object=organization.project.user.deleted
/organization/roles create list get update delete needs=permissions,role_name
  id name object=role permissions[] predefined_role:false resource_type
  DELETE id deleted:true object=role.deleted
/organization/spend_alerts create list get update delete needs=currency,interval,notification_channel,threshold_amount
  id currency=USD interval=month notification_channel{recipients[] type=email} object=organization.spend_alert threshold_amount:0
  DELETE id deleted:true object=organization.spend_alert.deleted
GET /organization/spend_limit
  currency enforcement{status} interval object=organization.spend_limit threshold_amount:0
POST /organization/spend_limit
  currency enforcement{status} interval object=organization.spend_limit threshold_amount:0
DELETE /organization/spend_limit
  deleted:true object=organization.spend_limit.deleted
GET /organization/usage/audio_speeches
  data[] has_more:false object=page
GET /organization/usage/audio_transcriptions
  data[] has_more:false object=page
GET /organization/usage/code_interpreter_sessions
  data[] has_more:false object=page
GET /organization/usage/completions
  data[] has_more:false object=page
GET /organization/usage/decisions
  data[] has_more:false object=page
GET /organization/usage/embeddings
  data[] has_more:false object=page
GET /organization/usage/file_search_calls
  data[] has_more:false object=page
GET /organization/usage/images
  data[] has_more:false object=page
GET /organization/usage/moderations
  data[] has_more:false object=page
GET /organization/usage/vector_stores
  data[] has_more:false object=page
GET /organization/usage/web_search_calls
  data[] has_more:false object=page
/organization/users list get update delete
  id added_at@ object=organization.user
  DELETE id deleted:true object=organization.user.deleted
/organization/users/{user_id}/roles list get delete
  id name permissions[] predefined_role:false resource_type
  DELETE deleted:true object
POST /organization/users/{user_id}/roles
  object=user.role role{id name object=role permissions[] predefined_role:false resource_type} user{id added_at@ object=organization.user}
/organization/workload_identity_providers create list get update delete needs=audience,issuer,name,type
  id attribute_transformations[] audience created_at@ enabled:false issuer name object=organization.workload_identity_provider type=oidc updated_at@ verification{type=discovery}
  DELETE id deleted:true object=organization.workload_identity_provider.deleted
/organization/workload_identity_providers/{workload_identity_provider_id}/federation_rules create list get update delete needs=attribute_matchers,project_id,service_account_id
  id attribute_matchers{} created_at@ enabled:false object=organization.workload_identity_federation_rule permissions{type=service_account_default} project_id service_account_id updated_at@ workload_identity_provider_id
  DELETE id deleted:true object=organization.workload_identity_federation_rule.deleted
/projects/{project_id}/groups/{group_id}/roles list get delete
  id name permissions[] predefined_role:false resource_type
  DELETE deleted:true object
POST /projects/{project_id}/groups/{group_id}/roles
  group{id created_at@ name object=group scim_managed:false} object=group.role role{id name object=role permissions[] predefined_role:false resource_type}
/projects/{project_id}/roles create list get update delete needs=permissions,role_name
  id name object=role permissions[] predefined_role:false resource_type
  DELETE id deleted:true object=role.deleted
/projects/{project_id}/users/{user_id}/roles list get delete
  id name permissions[] predefined_role:false resource_type
  DELETE deleted:true object
POST /projects/{project_id}/users/{user_id}/roles
  object=user.role role{id name object=role permissions[] predefined_role:false resource_type} user{id added_at@ object=organization.user}
/safety/alerts get
  id created_at@ error_type=potentially_unintended_data_transfer model object=safety.alert request_id request_paused:false response_id
/safety/cases get
  id created_at@ entity_identifier notice{type=warning} object=safety.case
/webhook_endpoints create list get update delete needs=event_types,name,url id=we_
  id created_at@ event_types[] name object=webhook_endpoint url
  CREATE signing_secret~whsec_
  DELETE id deleted:true object=webhook_endpoint.deleted
POST /webhook_endpoints/{webhook_endpoint_id}/rotate_secret
  id created_at@ event_types[] name object=webhook_endpoint signing_secret~whsec_ url
POST /webhook_endpoints/{webhook_endpoint_id}/test
  event_type object=webhook_endpoint.test status_code:0 success:true webhook_endpoint_id
GET /webhook_event_types
  data[] object=list
`;
