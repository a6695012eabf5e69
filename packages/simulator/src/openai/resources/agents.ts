/** OpenAI's agents, vaults, skills and ChatKit: a table for `readTable`. */
export const agents = `
/agents create list get update delete needs=model id=agent_
  id created_at@ metadata{} model multi_agent{enabled:false} object=agent reasoning{} service_tier=auto text{format{type=text} verbosity=low} tools[] updated_at@
  DELETE id deleted:true object=agent.deleted
/agents/automations create list get update delete needs=name,target,type
  id created_at@ created_by{type=developer} expression metadata{} name object=agent.automation status=active target{environment{type=none} input[] metadata{} type=new_session vault_ids[]} timezone type=periodic
  DELETE id deleted:true object=agent.automation.deleted
  POST pause status=paused
  POST resume status=running
/agents/automations/{automation_id}/invocations create list get
  id automation_id created_at@ object=agent.automation.invocation source{type=manual} status=queued
/agents/environments create list get needs=environment
  id files[] object=agent.environment plugins[] skills[] status=pending type=openai_hosted
/agents/environments/templates create list get update delete
  id capability_directories[] created_at@ files[] network{access=enabled allowed_domains[]} object=agent.environment.template packages{npm[] python[] system[]} plugins[] skills[] updated_at@
  DELETE id deleted:true object=agent.environment.template.deleted
/agents/environments/{environment_id}/files create list needs=path,type
  environment_id object=agent.environment.file path size_bytes:0
/agents/sessions create list get update delete needs=environment id=sess_
  id agent{id model multi_agent{enabled:false} reasoning{} service_tier=auto text{format{type=text} verbosity=low} tools[]} created_at@ environment{type=none} last_active_at@ metadata{} object=agent.session required_actions[] status=idle vault_ids[]
  DELETE id deleted:true object=agent.session.deleted
/agents/sessions/{session_id}/artifacts list get delete
  id created_at@ environment_id object=agent.session.artifact path session_id size_bytes:0 turn_id
  DELETE id deleted:true object=agent.session.artifact.deleted
GET /agents/sessions/{session_id}/artifacts/{artifact_id}/content
  binary
POST /agents/sessions/{session_id}/events
  empty
GET /agents/sessions/{session_id}/events
  error{message type} event_id session_id type=error
/agents/sessions/{session_id}/items list
  content[] role=user status=in_progress turn_id type=message
/agents/sessions/{session_id}/subagents list get
  id object=agent.session.subagent opened_at@ parent_agent_id session_id status=active
/agents/sessions/{session_id}/subagents/{subagent_id}/items list
  content[] role=user status=in_progress turn_id type=message
/agents/sessions/{session_id}/subagents/{subagent_id}/turns list get
  id agent_id created_at@ object=agent.session.turn session_id status=queued
/agents/sessions/{session_id}/subagents/{subagent_id}/turns/{turn_id}/items list
  content[] role=user status=in_progress turn_id type=message
/agents/sessions/{session_id}/traces list
  id created_at@ object=agent.session.trace otlp{} session_id
/agents/sessions/{session_id}/turns list get
  id agent_id created_at@ object=agent.session.turn session_id status=queued
/agents/sessions/{session_id}/turns/{turn_id}/items list
  content[] role=user status=in_progress turn_id type=message
POST /chatkit/sessions
  id chatkit_configuration{automatic_thread_titling{enabled:false} file_upload{enabled:false} history{enabled:false}} client_secret~ek_ expires_at@ max_requests_per_1_minute:0 object=chatkit.session rate_limits{max_requests_per_1_minute:0} status=active user workflow{id tracing{enabled:false}}
POST /chatkit/sessions/{session_id}/cancel
  id chatkit_configuration{automatic_thread_titling{enabled:false} file_upload{enabled:false} history{enabled:false}} client_secret~ek_ expires_at@ max_requests_per_1_minute:0 object=chatkit.session rate_limits{max_requests_per_1_minute:0} status=active user workflow{id tracing{enabled:false}}
/chatkit/threads list get delete
  id created_at@ object=chatkit.thread status{type=active} user
  DELETE id deleted:true object=chatkit.thread.deleted
/chatkit/threads/{thread_id}/items list
  id attachments[] content[] created_at@ object=chatkit.thread_item thread_id type=chatkit.user_message
/skills create list get update delete id=skill_
  id created_at@ default_version description latest_version name object=skill
  DELETE id deleted:true object=skill.deleted
GET /skills/{skill_id}/content
  binary
/skills/{skill_id}/versions create list get delete
  id created_at@ description name object=skill.version skill_id version
  DELETE id deleted:true object=skill.version.deleted version
GET /skills/{skill_id}/versions/{version}/content
  binary
/vaults create list get update delete id=vault_
  id created_at@ metadata{} object=vault
  DELETE id deleted:true object=vault.deleted
/vaults/{vault_id}/credentials create list get update delete needs=auth,name
  id auth{mcp_server_url type=mcp_oauth} created_at@ metadata{} name object=vault.credential updated_at@ vault_id
  DELETE id deleted:true object=vault.credential.deleted
`;
