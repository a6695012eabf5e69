import { GatewayError, NO_STORE, noStore } from "../../contract/errors.ts";
import type { Exchange, Reply, Route } from "../../contract/exchange.ts";
import type { JsonObject } from "../../contract/json.ts";
import { parseJsonBody } from "../../contract/json-body.ts";
import { redact } from "../../platform/log/redact.ts";
import { maskAddresses, maskSecrets } from "../../platform/store/secret-params.ts";
import { messageOf } from "../../util/message-of.ts";
import type { Agent } from "./agent.ts";
import { readAgentConfig, readAgentPatch } from "./agent-config.ts";
import type { AgentService } from "./agent-service.ts";
import { publicAgents } from "./schema.ts";

/** Registering agents (beta). @param agents absent without a persistent store */
export function agentRoutes(agents: AgentService | undefined): Route[] {
  const route = (
    method: Route["method"],
    path: string,
    answer: (service: AgentService, exchange: Exchange) => Promise<object>,
  ): Route => ({
    method,
    path,
    access: "key",
    family: "openai",
    callType: "agents",
    handler: async (exchange): Promise<Reply> => ({
      status: 200,
      body: await guarded(agents, exchange, answer),
    }),
  });
  const list = route("GET", "/v1/agents", async (service, { principal }) =>
    (await service.list(principal)).map(listElement),
  );
  return [
    // Spec: rule 1 of the list does not ask for a store; without one nobody has registered any.
    agents === undefined ? { ...list, handler: async () => ({ status: 200, body: [] }) } : list,
    route("POST", "/v1/agents", async (service, exchange) =>
      agentResponse(await service.create(readAgentConfig(await parseJsonBody(exchange)), exchange)),
    ),
    route("GET", "/v1/agents/:agentId", async (service, { params }) =>
      agentResponse(await service.find(params.agentId!)),
    ),
    route("PUT", "/v1/agents/:agentId", async (service, exchange) =>
      agentResponse(
        await service.update(
          exchange.params.agentId!,
          readAgentConfig(await parseJsonBody(exchange)),
          exchange,
        ),
      ),
    ),
    route("PATCH", "/v1/agents/:agentId", async (service, exchange) =>
      agentResponse(
        await service.update(
          exchange.params.agentId!,
          readAgentPatch(await parseJsonBody(exchange)),
          exchange,
        ),
      ),
    ),
    route("POST", "/v1/agents/make_public", makeAllPublic),
    route("POST", "/v1/agents/:agentId/make_public", async (service, exchange) =>
      agentResponse(await makePublic(service, exchange.params.agentId!, exchange)),
    ),
    route("DELETE", "/v1/agents/:agentId", async (service, exchange) => {
      const { agentId } = exchange.params;
      await service.delete(agentId!, exchange);
      return { message: `Agent ${agentId} deleted successfully` };
    }),
  ];
}

/** Spec: 500 when the store is not initialised, and rule 6: any other failure is 500 with the error text as detail. */
async function guarded(
  agents: AgentService | undefined,
  exchange: Exchange,
  answer: (service: AgentService, exchange: Exchange) => Promise<object>,
): Promise<object> {
  if (agents === undefined) throw noStore({ detail: NO_STORE });
  try {
    return await answer(agents, exchange);
  } catch (error) {
    if (error instanceof GatewayError) throw error;
    const text = describeFailure(error);
    throw new GatewayError(500, "api_error", text, { detail: text, cause: error });
  }
}

/** An element of the list: the definition and its id, without credentials. */
function listElement(agent: Agent): JsonObject {
  const { agent_id, agent_name } = agent;
  const agent_card_params = maskAddresses(agent.agent_card_params);
  const gateway_params = maskSecrets(agent.gateway_params);
  return { agent_id, agent_name, agent_card_params, gateway_params, litellm_params: gateway_params };
}

/** Spec: AgentResponse, with LiteLLM's names for the record's history. */
function agentResponse(agent: Agent): JsonObject {
  return {
    ...listElement(agent),
    created_at: new Date(agent.createdAt).toISOString(),
    created_by: agent.createdBy,
    updated_at: new Date(agent.updatedAt).toISOString(),
    updated_by: agent.updatedBy,
  };
}

/** An unexpected failure in words that callers may read: without secrets, addresses and paths. */
function describeFailure(error: unknown): string {
  return redact(messageOf(error))
    .replace(/\b[a-z][a-z0-9+.-]*:\/\/[^\s"']+/gi, "<address>")
    .replace(/(?:\/[\w.@-]+){2,}\/?/g, "<path>")
    .slice(0, 500);
}

/** `POST /v1/agents/{agent_id}/make_public`: from now on the agent's card is there without a key. */
async function makePublic(service: AgentService, agentId: string, exchange: Exchange): Promise<Agent> {
  const { gateway_params } = await service.find(agentId);
  const patch = { gateway_params: { ...gateway_params, make_public: true } };
  return service.update(agentId, patch, exchange);
}

/** `POST /v1/agents/make_public` with `agent_ids`, as LiteLLM has it: the agents that are public from now on. */
async function makeAllPublic(service: AgentService, exchange: Exchange): Promise<object> {
  const { agent_ids: ids } = await parseJsonBody(exchange, publicAgents);
  for (const id of ids) await service.find(id);
  for (const id of ids) await makePublic(service, id, exchange);
  return { message: "Successfully made the agents public", public_agents: ids };
}
