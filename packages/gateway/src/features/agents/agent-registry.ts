import type { Principal } from "../../contract/principal.ts";
import { describeError } from "../../platform/log/describe-error.ts";
import type { Logger } from "../../platform/log/logger.ts";
import { type Agent, agentOfRow } from "./agent.ts";
import type { AgentStore } from "./store.ts";

/**
 * The agents in memory, by name. Each look-up first compares the store's version with the one that was read, so
 * that an agent created on another replica is here with the next request and a renamed one gone under its old name.
 */
export class AgentRegistry {
  readonly #store: AgentStore;
  readonly #logger: Logger;
  #agents = new Map<string, Agent>();
  #version = -1;

  constructor(store: AgentStore, logger: Logger) {
    this.#store = store;
    this.#logger = logger;
  }

  /** Every agent, oldest first. */
  async all(): Promise<Agent[]> {
    await this.#refresh();
    return [...this.#agents.values()];
  }

  async byName(name: string): Promise<Agent | undefined> {
    await this.#refresh();
    return this.#agents.get(name);
  }

  async byId(agentId: string): Promise<Agent | undefined> {
    return (await this.all()).find((agent) => agent.agent_id === agentId);
  }

  /** Takes over a definition that was just stored. The store has it either way, so a failure is logged and no more. */
  register(agent: Agent, oldName: string = agent.agent_name): void {
    try {
      this.#agents.delete(oldName);
      this.#agents.set(agent.agent_name, agent);
    } catch (error) {
      this.#logger.error(
        { agent: agent.agent_name, error: describeError(error) },
        "agent not registered in memory",
      );
    }
  }

  remove(name: string): void {
    this.#agents.delete(name);
  }

  async #refresh(): Promise<void> {
    const version = await this.#store.version();
    if (version === this.#version) return;
    const rows = await this.#store.list();
    this.#agents = new Map(rows.map((row) => [row.agent_name, agentOfRow(row)]));
    this.#version = version;
  }
}

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
