import type { JsonObject } from "../../contract/json.ts";
import type { AgentConfig } from "./agent-config.ts";
import type { AgentRow } from "./table.ts";

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
