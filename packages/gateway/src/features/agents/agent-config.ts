import { check } from "../../contract/check.ts";
import type { JsonObject } from "../../contract/json.ts";
import { object, type ValueOf } from "../../contract/schema.ts";
import { agentBody, agentPatch } from "./schema.ts";

/** An agent's definition (spec: AgentConfig). Fields that the spec does not name are kept as they came. */
export interface AgentConfig {
  readonly agent_name: string;
  readonly agent_card_params: JsonObject;
  readonly gateway_params: JsonObject;
}

/**
 * Reads an agent's definition, bare or under `agent`; `litellm_params` is another name for `gateway_params`.
 * @throws GatewayError 400 that names the field
 */
export function readAgentConfig(body: JsonObject): AgentConfig {
  const config = check(agentBody, unwrap(body));
  return {
    agent_name: config.agent_name,
    agent_card_params: {},
    gateway_params: {},
    ...readParts(config),
  };
}

/** Reads a change of a definition: only the fields that are there. */
export function readAgentPatch(body: JsonObject): Partial<AgentConfig> {
  const patch = check(agentPatch, unwrap(body));
  const { agent_name: name } = patch;
  return { ...(name == null ? {} : { agent_name: name }), ...readParts(patch) };
}

function unwrap(body: JsonObject): JsonObject {
  if (body.agent === undefined || body.agent_name !== undefined) return body;
  return check(object(), body.agent, "agent");
}

function readParts({
  agent_card_params: card,
  gateway_params: own,
  litellm_params: theirs,
}: ValueOf<typeof agentPatch>): Partial<Pick<AgentConfig, "agent_card_params" | "gateway_params">> {
  const params = own ?? theirs;
  return {
    ...(card == null ? {} : { agent_card_params: card }),
    ...(params == null ? {} : { gateway_params: params }),
  };
}
