/** Anthropic's managed agents, files, skills, memory, vaults and tunnels: a table for `readTable`. */
export const agents = `
/v1/agents create list get update needs=model,name id=agent_
  id created_at@ execution_identity{role_arn type=aws_role} mcp_servers[] metadata{} model{id=claude-fable-5-2} name skills[] tools[] type=agent updated_at@ version:0
  POST archive
/v1/agents/{agent_id}/versions list
  id created_at@ execution_identity{role_arn type=aws_role} mcp_servers[] metadata{} model{id=claude-fable-5-2} name skills[] tools[] type=agent updated_at@ version:0
/v1/deployment_runs list get
  id agent{id type=agent version:0} created_at@ deployment_id trigger_context{scheduled_at@ type=schedule} type=deployment_run
/v1/deployments create list get update needs=agent,environment_id,initial_events,name
  id agent{id type=agent version:0} created_at@ environment_id initial_events[] metadata{} name resources[] status=active type=deployment updated_at@ vault_ids[]
  POST archive
  POST pause status=paused
  POST unpause
POST /v1/deployments/{deployment_id}/run
  id agent{id type=agent version:0} created_at@ deployment_id trigger_context{scheduled_at@ type=schedule} type=deployment_run
/v1/dreams create list get needs=inputs,model
  id created_at@ inputs[] model{id} output_behavior{type=create_new} outputs[] status=pending type=dream usage{cache_creation_input_tokens:0 cache_read_input_tokens:0 input_tokens:0 output_tokens:0}
  POST archive
  POST cancel status=canceled
/v1/environments create list get update delete needs=name id=env_
  id config{networking{type=unrestricted} packages{apt[] cargo[] gem[] go[] npm[] pip[]} type=cloud} created_at@ metadata{} name type=environment updated_at@
  DELETE id type=environment_deleted
  POST archive
/v1/environments/{environment_id}/work list get update
  id created_at@ data{id type=session} environment_id metadata{} state=queued type=work
  POST ack
  POST stop
GET /v1/environments/{environment_id}/work/poll
  id created_at@ data{id type=session} environment_id metadata{} state=queued type=work
GET /v1/environments/{environment_id}/work/stats
  depth:0 pending:0 type=work_queue_stats
POST /v1/environments/{environment_id}/work/{work_id}/heartbeat
  last_heartbeat lease_extended:false state=queued ttl_seconds:0 type=work_heartbeat
/v1/files create list get delete needs=file
  id created_at@ filename mime_type size_bytes:0 type=file
  DELETE id
GET /v1/files/{file_id}/content
  binary
/v1/memory_stores create list get update delete needs=name
  id created_at@ description metadata{} name type=memory_store updated_at@
  DELETE id type=memory_store_deleted
  POST archive
/v1/memory_stores/{memory_store_id}/memories create list get update delete needs=content,path
  id content_sha256 content_size_bytes:0 created_at@ memory_store_id memory_version_id path type=memory updated_at@
  DELETE id type=memory_deleted
/v1/memory_stores/{memory_store_id}/memory_versions list get
  id created_at@ memory_id memory_store_id operation=created type=memory_version
  POST redact
/v1/sessions create list get update delete needs=agent,environment_id id=sesn_
  id agent{id execution_identity{role_arn type=aws_role} mcp_servers[] model{id=claude-fable-5-2} name skills[] tools[] type=agent version:0} created_at@ environment_id metadata{} outcome_evaluations[] resources[] stats{} status=rescheduling type=session updated_at@ usage{} vault_ids[]
  DELETE id type=session_deleted
  POST archive
/v1/sessions/{session_id}/events list
  id content[] type=user.message
POST /v1/sessions/{session_id}/events
  
GET /v1/sessions/{session_id}/events/stream
  id content[] type=user.message
/v1/sessions/{session_id}/resources list get update delete
  id created_at@ mount_path type=github_repository updated_at@ url
  DELETE id type=session_resource_deleted
POST /v1/sessions/{session_id}/resources
  id created_at@ file_id mount_path type=file updated_at@
/v1/sessions/{session_id}/threads list get
  id agent{id execution_identity{role_arn type=aws_role} mcp_servers[] model{id=claude-fable-5-2} name skills[] tools[] type=agent version:0} created_at@ session_id status=running type=session_thread updated_at@
  POST archive
/v1/sessions/{session_id}/threads/{thread_id}/events list
  id content[] type=user.message
GET /v1/sessions/{session_id}/threads/{thread_id}/stream
  id content[] type=user.message
/v1/skills create list get delete needs=files id=skill_
  id created_at@ display_name latest_version_id source{type=custom} type=skill updated_at@
  DELETE id type=skill_deleted
/v1/skills/{skill_id}/versions create list get delete needs=files
  id created_at@ description name skill_id type=skill_version
  DELETE id type=skill_version_deleted
GET /v1/skills/{skill_id}/versions/{version}/content
  binary
/v1/tunnels create list get
  id created_at@ domain type=tunnel
  POST archive
/v1/tunnels/{tunnel_id}/certificates create list get needs=ca_certificate_pem
  id created_at@ fingerprint tunnel_id type=tunnel_certificate
  POST archive
POST /v1/tunnels/{tunnel_id}/reveal_token
  id tunnel_token~tunnel_ type=tunnel_token
POST /v1/tunnels/{tunnel_id}/rotate_token
  id tunnel_token~tunnel_ type=tunnel_token
/v1/user_profiles create list get update delete
  id access_type=application created_at@ enforcement_actions[] enforcement_status=unrestricted external_user_details{} metadata{} programs{} trust_grants{} type=user_profile updated_at@
  DELETE id type=user_profile_deleted
POST /v1/user_profiles/{user_profile_id}/action_urls
  expires_at@ type=user_profile_action_url url
POST /v1/user_profiles/{user_profile_id}/enrollment_url
  expires_at@ type=enrollment_url url
/v1/vaults create list get update delete needs=display_name id=vault_
  id created_at@ display_name metadata{} type=vault updated_at@
  DELETE id type=vault_deleted
  POST archive
/v1/vaults/{vault_id}/credentials create list get update delete needs=auth
  id auth{mcp_server_url type=mcp_oauth} created_at@ metadata{} type=vault_credential updated_at@ vault_id
  DELETE id type=vault_credential_deleted
  POST archive
POST /v1/vaults/{vault_id}/credentials/{credential_id}/mcp_oauth_validate
  credential_id has_refresh_token:false status=valid type=vault_credential_validation validated_at@ vault_id
`;
