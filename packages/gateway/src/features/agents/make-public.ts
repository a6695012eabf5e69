import { invalidRequest } from "../../contract/errors.ts";
import type { Exchange } from "../../contract/exchange.ts";
import { parseJsonBody } from "../../contract/json-body.ts";
import type { Agent } from "./agent.ts";
import type { AgentService } from "./agent-service.ts";

/** `POST /v1/agents/{agent_id}/make_public`: from now on the agent's card is there without a key. */
export async function makePublic(service: AgentService, agentId: string, exchange: Exchange): Promise<Agent> {
  const { gateway_params } = await service.find(agentId);
  const patch = { gateway_params: { ...gateway_params, make_public: true } };
  return service.update(agentId, patch, exchange.principal);
}

/** `POST /v1/agents/make_public` with `agent_ids`, as LiteLLM has it: the agents that are public from now on. */
export async function makeAllPublic(service: AgentService, exchange: Exchange): Promise<object> {
  const { agent_ids: ids } = await parseJsonBody(exchange);
  if (!Array.isArray(ids) || !ids.every((id) => typeof id === "string"))
    throw invalidRequest("agent_ids must be an array of strings", "agent_ids");
  for (const id of ids) await service.find(id);
  for (const id of ids) await makePublic(service, id, exchange);
  return { message: "Successfully made the agents public", public_agents: ids };
}
