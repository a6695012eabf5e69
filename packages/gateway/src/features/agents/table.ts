/** A registered agent. Times are milliseconds since the epoch; card and parameters are JSON. */
export interface AgentRow {
  agent_id: string;
  agent_name: string;
  agent_card_params: string;
  gateway_params: string;
  created_at: number;
  created_by: string;
  updated_at: number;
  updated_by: string;
}

export interface AgentsSchema {
  agents: AgentRow;
}

declare module "../../platform/store/schema.ts" {
  interface Schema extends AgentsSchema {}
}
