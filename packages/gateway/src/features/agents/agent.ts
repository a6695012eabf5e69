import type { IncomingHttpHeaders } from "node:http";
import type { CallRecord } from "../../contract/call-record.ts";
import type { JsonObject } from "../../contract/json.ts";
import type { Principal } from "../../contract/principal.ts";
import type { CallSignal } from "../../util/light-signal.ts";
import type { AgentConfig } from "./agent-config.ts";
import type { ProtocolVersion, SendParams, SendResult, StreamEvent, Task } from "./protocol/a2a-types.ts";
import type { AgentRow } from "./table.ts";
import type { TaskRecord } from "./tasks/task-record.ts";

/** A registered agent. */
export interface Agent extends AgentConfig {
  readonly agent_id: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  /** User id, or `unknown`. */
  readonly createdBy: string;
  readonly updatedAt: number;
  readonly updatedBy: string;
}

export function agentOfRow(row: AgentRow): Agent {
  return {
    agent_id: row.agent_id,
    agent_name: row.agent_name,
    agent_card_params: JSON.parse(row.agent_card_params) as JsonObject,
    gateway_params: JSON.parse(row.gateway_params) as JsonObject,
    createdAt: row.created_at,
    createdBy: row.created_by,
    updatedAt: row.updated_at,
    updatedBy: row.updated_by,
  };
}

/** The parts of a definition as the store keeps them. */
export function columnsOf(config: Partial<AgentConfig>): Partial<AgentRow> {
  const { agent_name, agent_card_params, gateway_params } = config;
  return {
    ...(agent_name === undefined ? {} : { agent_name }),
    ...(agent_card_params === undefined ? {} : { agent_card_params: JSON.stringify(agent_card_params) }),
    ...(gateway_params === undefined ? {} : { gateway_params: JSON.stringify(gateway_params) }),
  };
}

/** Whether the agent's card is shown to callers without a key. */
export function isPublic(agent: Agent): boolean {
  const { make_public: made, is_public: named } = agent.gateway_params;
  // LiteLLM calls it `is_public`.
  return (made ?? named) === true;
}

/** One request to an agent, after the agent was found and the caller may see it. */
export interface AgentCall {
  readonly agent: Agent;
  readonly principal: Principal;
  /** Who asked, without what the request names: hooks may name somebody else. Absent in what goes on after a request. */
  readonly asked?: { readonly principal: Principal; readonly headers: IncomingHttpHeaders };
  /** Whose tasks and contexts the caller sees. */
  readonly tenant: string;
  readonly callId: string;
  /** The version in which the caller speaks. */
  readonly version: ProtocolVersion;
  readonly signal: CallSignal;
  readonly call: CallRecord;
}

/** What kinds of agents do differently. */
export interface AgentBackend {
  /** Answers when the task rests, or at once where the caller asked for that. */
  send(call: AgentCall, params: SendParams): Promise<SendResult>;
  /** Resolves when the message is accepted; the events then follow until the task rests. */
  stream(call: AgentCall, params: SendParams): Promise<AsyncIterable<StreamEvent>>;
  get(call: AgentCall, record: TaskRecord): Promise<Task>;
  /** @throws A2AError -32002 for a task that has ended */
  cancel(call: AgentCall, record: TaskRecord): Promise<Task>;
  /** The task as it is, then its events. */
  subscribe(call: AgentCall, record: TaskRecord): Promise<AsyncIterable<StreamEvent>>;
  /** Makes sure that changes of the task are noticed although no caller waits for them. */
  watch(call: AgentCall, record: TaskRecord): Promise<void>;
}
