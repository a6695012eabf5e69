/** A task of an agent, local or remote. Times are milliseconds since the epoch. */
export interface A2ATaskRow {
  id: string;
  agent_id: string;
  /** Who may see it; see `tenantOf`. */
  tenant: string;
  context_id: string;
  /** The task's id at the remote agent; null for local agents. */
  remote_id: string | null;
  state: string;
  /** The task as the caller sees it, JSON. */
  task: string;
  /** Local agents: the conversation with the model so far, JSON. */
  transcript: string;
  /** Why the gateway did not begin (a limit, a missing permission), JSON; null otherwise. */
  refusal: string | null;
  /** The number of the last event. */
  last_event: number;
  created_at: number;
  updated_at: number;
}

/** What happened to a local task, for streams that any replica may serve. */
export interface A2AEventRow {
  task_id: string;
  number: number;
  event: string;
}

/** The context of a conversation at a remote agent. */
export interface A2AContextRow {
  agent_id: string;
  tenant: string;
  context_id: string;
  remote_context_id: string;
}

/** Where a task's changes are posted. */
export interface A2APushRow {
  task_id: string;
  id: string;
  /** The version in which the caller speaks. */
  version: string;
  config: string;
  created_at: number;
}

export interface A2ASchema {
  a2a_tasks: A2ATaskRow;
  a2a_events: A2AEventRow;
  a2a_contexts: A2AContextRow;
  a2a_push_configs: A2APushRow;
}

declare module "../../../platform/store/schema.ts" {
  interface Schema extends A2ASchema {}
}
