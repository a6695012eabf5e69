import type { Principal } from "../../contract/principal.ts";
import type { Agent } from "./agent.ts";

/**
 * The agents a principal may list and talk to (spec: Agents rule 1): all for proxy admins, else those that the key's
 * metadata names, else those that the team's metadata names, else none.
 */
export function visibleAgents(agents: readonly Agent[], principal: Principal): Agent[] {
  if (principal.isMaster || principal.role === "proxy_admin") return [...agents];
  const names = agentNames(principal.metadata.agents) ?? agentNames(principal.teamMetadata.agents) ?? [];
  return agents.filter((agent) => names.includes(agent.agent_name));
}

function agentNames(value: unknown): unknown[] | undefined {
  return Array.isArray(value) ? value : undefined;
}
